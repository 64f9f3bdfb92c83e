/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A probe says what is made of the calls of one function: what is shown of
 * it, and how it belongs together with others. A prototype file that begins
 * with set "ABOUT"; has probes, and is then called a set:
 *
 *	probe mysql_stmt_prepare {
 *		keep query as statement[stmt] if !retval;
 *		show query if retval;
 *	}
 *	probe mysql_stmt_execute {
 *		recall query from statement[stmt];
 *		show query;
 *		error mysql_stmt_errno(stmt), mysql_stmt_error(stmt) if retval;
 *	}
 *
 * What is between the braces are acts. Expressions in them know the function's
 * parameters by name, retval, and what f(x) would return (EXPR_CALL).
 */
#ifndef CONF_MODEL_PROBE_H
#define CONF_MODEL_PROBE_H

#include <stdbool.h>
#include <stddef.h>

struct expr;
struct library;
struct proto;

enum act_kind {
	ACT_SHOW,   /* name, an argument or what was recalled */
	ACT_BIND,   /* the same, but only where it was asked for */
	ACT_KEEP,   /* name, or the text that value is, or, with both, so many
		     * elements of name, under table[keys] */
	ACT_GATHER, /* name from table[keys], elements, or from all of
		     * table[keys, ...]; with --bind */
	ACT_RECALL, /* name from table[keys] or, with no table, from value */
	ACT_FORGET, /* table[keys], kept or begun, at the return */
	ACT_BEGIN,  /* a span in table[keys], at the entry */
	ACT_END,    /* the oldest span there, at the return */
	ACT_RESULT, /* value, in place of what the function returns */
	ACT_ERROR,  /* values: a number and texts, if there are any */
	ACT_ROWS,   /* value, how many there were */
	ACT_KINDS
};

#define ACT_KEYS_MOST 2
#define ACT_VALUES_MOST 3

struct act {
	enum act_kind kind;
	const char *name;
	size_t param; /* the function's, called name; SIZE_MAX: recalled */
	const char *table;
	const struct expr *keys[ACT_KEYS_MOST];
	unsigned key_count;
	const struct expr *values[ACT_VALUES_MOST];
	unsigned value_count;
	/* Done only where this holds; NULL: always. */
	const struct expr *condition;
	/* SHOW: only of what has failed, when it is over. */
	bool on_error;
	/* BEGIN: it takes as long as the calls within, without what is
	 * between them. */
	bool inside;
};

struct probe {
	const char *name;
	const struct proto *proto;
	const struct library *library;
	const struct act *acts;
	size_t count;
	/* Where the function is, if not at a symbol of its name: what the word
	 * at this symbol + offset points to. Or NULL. */
	const char *symbol;
	size_t offset;
	/* Or what PHP calls it: "PDO::query". NULL: it is none of PHP's. */
	const char *php;
	/* Of use only where bound values are shown (--bind). */
	bool for_bind;
	/* The modules that are meant, a glob; NULL: any. */
	const char *module;
};

/* The first of this kind, or NULL. */
const struct act *probe_act(const struct probe *probe, enum act_kind kind);

/* A set's, in the order written; NULL behind the last. */
const struct probe *library_probe_at(const struct library *library, size_t i);
/* What the set says of itself; NULL: the file is no set. */
const char *library_about(const struct library *library);
/* The set asks for the queries that are read from what clients send and
 * receive. */
bool library_wire(const struct library *library);

#endif
