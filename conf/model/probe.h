/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A probe says what to do with the calls of one function: what is shown, and
 * how several calls belong together. A prototype file that begins with set
 * "ABOUT"; has probes and is called a set:
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
 * The statements between the braces are acts. Expressions in acts can use the
 * names of the function's parameters, retval, and the result of a call f(x)
 * (EXPR_CALL).
 */
#ifndef CONF_MODEL_PROBE_H
#define CONF_MODEL_PROBE_H

#include <stdbool.h>
#include <stddef.h>

struct expr;
struct library;
struct proto;

enum act_kind {
	ACT_SHOW,   /* shows name: an argument, or what was recalled */
	ACT_BIND,   /* like SHOW, but only with --bind */
	ACT_KEEP,   /* keeps name, or the text in value, or, with both, value
		     * elements of name, under table[keys] */
	ACT_GATHER, /* reads name's elements from table[keys], or from all of
		     * table[keys, ...]; only with --bind */
	/* reads name from table[keys] or, without a table, from value */
	ACT_RECALL,
	/* deletes what was kept or begun in table[keys], at the return */
	ACT_FORGET,
	ACT_BEGIN, /* begins a span in table[keys], at the entry */
	/* the answer of the oldest span in table[keys] has begun; from now on
	 * only the time in calls and in reads of the connection counts */
	ACT_ANSWERED,
	/* the oldest span in the cell `from` is found in table[keys], too */
	ACT_LINK,
	ACT_END,    /* ends the oldest span in table[keys], at the return */
	ACT_RESULT, /* value replaces the function's result */
	ACT_ERROR,  /* values: a number and texts, if there are any */
	ACT_ROWS,   /* value is the number of rows */
	/* values: a connection, and whether it has a transaction (2: a failed
	 * one) */
	ACT_TRANSACTION,
	/* values: the name or address of the server, and its port. If a probe
	 * has several of these acts, the first one counts whose first value is
	 * a text that is not empty. */
	ACT_SERVER,
	ACT_DATABASE, /* value: the name of the database; as ACT_SERVER */
	ACT_KINDS
};

#define ACT_KEYS_MOST 2
#define ACT_VALUES_MOST 3

struct act {
	enum act_kind kind;
	const char *name;
	/* the parameter called name; SIZE_MAX: name was recalled */
	size_t param;
	const char *table;
	const struct expr *keys[ACT_KEYS_MOST];
	unsigned key_count;
	const struct expr *values[ACT_VALUES_MOST];
	unsigned value_count;
	/* The act is done only if its condition is true. NULL: always. */
	const struct expr *condition;
	/* SHOW: the value is shown at the end of the call, and only if the call
	 * failed. */
	bool on_error;
	/* BEGIN: the span's time is the time of the calls in it, without the
	 * time between these calls. */
	bool inside;
	/* BEGIN: before the new span begins, the spans in table[keys] whose
	 * answer has begun are ended. */
	bool anew;
	/* LINK: the cell that has the span already. While the function `name`
	 * returns true for the first key of this cell, an END in table[keys]
	 * does not end the span. If name is NULL, an END always does. The
	 * function `rows` returns the number of rows for the first key of
	 * table[keys]. NULL: the number is not known. */
	const struct act *from;
	const char *rows;
};

struct probe {
	const char *name;
	const struct proto *proto;
	const struct library *library;
	const struct act *acts;
	size_t count;
	/* If not NULL, the address of the function is in the word at this
	 * symbol + offset. NULL: the function is the symbol of its name. */
	const char *symbol;
	size_t offset;
	/* The function's name in PHP, "PDO::query". NULL: not a PHP
	 * function. */
	const char *php;
	/* The probe is needed only if bound values are shown (--bind). */
	bool for_bind;
	/* A glob for the modules in which the probe applies; NULL: all. */
	const char *module;
};

/* The first act of this kind in the probe, or NULL. */
const struct act *probe_act(const struct probe *probe, enum act_kind kind);

/* The probes of a set, in the order of the file; NULL after the last. */
const struct probe *library_probe_at(const struct library *library, size_t i);
/* The set's description; NULL: the file is no set. */
const char *library_about(const struct library *library);
/* The kinds of servers whose queries a set reads from connections. */
enum wire_protocols {
	WIRE_DATABASES = 1 << 0, /* MySQL's and PostgreSQL's */
	WIRE_REDIS = 1 << 1,
	WIRE_MEMCACHED = 1 << 2,
	WIRE_HTTP = 1 << 3,
};

/* Bits of enum wire_protocols: what the set asks for. */
unsigned library_wire(const struct library *library);
/* True if the functions of the set connect to databases. */
bool library_connects(const struct library *library);

#endif
