/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A proto is the prototype of one function: its parameters, its result, and the
 * place in the file that has it.
 */
#ifndef CONF_MODEL_PROTO_H
#define CONF_MODEL_PROTO_H

#include <stdbool.h>
#include <stddef.h>

struct expr;
struct type;

/* When the memory that an argument points to is read. */
enum param_when {
	PARAM_AT_ENTRY,
	PARAM_AT_RETURN, /* "+" and "out": the function fills it in */
	/* The argument is behind a "+": its value at the return is shown, even
	 * if the call fails. In ltrace's language, a "+" applies to all
	 * arguments behind it. */
	PARAM_BEHIND_PLUS,
	PARAM_AT_BOTH, /* "inout" */
};

/* Where debug information says that an argument is at the function's first
 * instruction. */
enum param_place {
	PARAM_BY_CONVENTION, /* it does not say, or: on the stack */
	PARAM_IN_REGISTERS,
	PARAM_OMITTED, /* nowhere: the function does not use it */
};

#define PARAM_REGISTERS 2

struct param {
	const char *name; /* or NULL */
	const struct type *type;
	enum param_when when;
	/*
	 * The argument exists only if its condition is true, or is NULL. An
	 * argument that does not exist takes no place, so that several
	 * parameters may share one place:
	 * f(int cmd, int n if cmd == 1, string s if cmd == 2).
	 */
	const struct expr *condition;
	enum param_place place;
	/* PARAM_IN_REGISTERS: DWARF's numbers, the lowest bytes first; as many
	 * as register_count. */
	unsigned char register_count;
	unsigned char registers[PARAM_REGISTERS];
};

struct proto {
	const char *name; /* NULL in the type of a pointer to function */
	const struct type *returns; /* TYPE_VOID if it returns nothing */
	const struct param *params;
	size_t count;
	/* GCC's attributes regparm and fastcall, which have a meaning on i386:
	 * how many words of the arguments are in registers. */
	unsigned char regparm;
	bool fastcall;
	/* More arguments may follow: "...", or a format. */
	bool varargs;
	/* The place of a parameter is PARAM_IN_REGISTERS. */
	bool placed;
	/* Index of the parameter with LENS_FORMAT or LENS_SCAN that describes
	 * the further arguments, or -1. */
	int format;

	/* The arguments and the result are unknown, because the function has
	 * another calling convention than C's: there are no parameters. */
	bool elsewhere;

	const char *file;
	unsigned line;
	unsigned column;
};

#endif
