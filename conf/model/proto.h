/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A proto is the prototype of one function: what it takes and what it
 * returns, and where somebody has said so.
 */
#ifndef CONF_MODEL_PROTO_H
#define CONF_MODEL_PROTO_H

#include <stdbool.h>
#include <stddef.h>

struct expr;
struct type;

/* When what an argument points to is looked at. */
enum param_when {
	PARAM_AT_ENTRY,
	PARAM_AT_RETURN, /* "+" and "out": the function fills it in */
	PARAM_AT_BOTH,	 /* "inout" */
};

struct param {
	const char *name; /* or NULL */
	const struct type *type;
	enum param_when when;
	/*
	 * The argument is there only where this holds; where it does not, it
	 * takes no place either, so that several may stand for the same one:
	 * f(int cmd, int n if cmd == 1, string s if cmd == 2). Or NULL.
	 */
	const struct expr *condition;
};

struct proto {
	const char *name; /* NULL in the type of a pointer to function */
	const struct type *returns; /* TYPE_VOID where it returns nothing */
	const struct param *params;
	size_t count;
	/* More arguments may follow those: "...", or a format. */
	bool varargs;
	/* Index of the param with LENS_FORMAT or LENS_SCAN that describes them,
	 * or -1. */
	int format;

	const char *file;
	unsigned line;
	unsigned column;
};

#endif
