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
};

struct proto {
	const char *name; /* NULL in the type of a pointer to function */
	const struct type *returns; /* TYPE_VOID if it returns nothing */
	const struct param *params;
	size_t count;
	/* More arguments may follow: "...", or a format. */
	bool varargs;
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
