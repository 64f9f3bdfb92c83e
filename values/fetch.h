/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments of a call are the parameters of its prototype, and the further
 * arguments that a format describes, each with its value. They are fetched from
 * the registers and the stack when the function is entered. What they point to
 * is read on request, through the capture of that moment. At the return the
 * result is added, and arguments that the function filled in are read again.
 */
#ifndef VALUES_FETCH_H
#define VALUES_FETCH_H

#include "base/arena.h"
#include "base/attr.h"
#include "conf/model/proto.h"
#include "values/value.h"

#include <stdbool.h>
#include <stddef.h>

struct arch;
struct capture;
struct expr;
struct registers;

struct argument {
	const char *name; /* or NULL */
	size_t param;	  /* index in the prototype, or SIZE_MAX */
	enum param_when when;
	bool hidden; /* not shown, whatever its lens */
	/* true: values of a statement's parameters (--bind) */
	bool bound;
	const char *file; /* what the descriptor is open for (-y), or NULL */
	bool path;	  /* the text is a path, which is shown whole */
	/* The name of the query in tables, if the value has the lens of SQL but
	 * is a command of another server, a path, or redacted. Else NULL. */
	const char *folded;
	/* The argument's value at the entry. */
	struct value value;
	/* The argument's value with the memory at the return.
	 * arguments_result() sets it if when != PARAM_AT_ENTRY, else it is
	 * NULL. */
	const struct value *after;
	/* For an argument of a scanf format: it was filled in if the result is
	 * at least this number. Else 0. */
	long conversion;
};

struct arguments {
	const struct proto *proto; /* NULL: guessed */
	unsigned word;		   /* the size of an address in the program */
	bool system_call;	   /* not a function's */
	struct arena *arena;
	struct argument *at;
	size_t count;
	const struct value *result; /* NULL: no return yet, or void */
};

/*
 * registers are the registers at the function's first instruction, when the
 * stack pointer points at the return address. If proto is NULL, the arguments
 * are guessed like ltrace's: four longs. Everything is allocated in arena,
 * which may be capture's. Never NULL; what could not be read becomes an
 * unreadable value.
 */
struct arguments *arguments_fetch(const struct proto *proto,
				  struct registers *registers,
				  struct capture *capture, struct arena *arena);

/* The arguments of a call whose entry was not seen: there are none, and only
 * the result can be fetched. arch: as in struct registers. */
struct arguments *arguments_unknown(const struct proto *proto,
				    const struct arch *arch,
				    struct arena *arena);

/*
 * registers are the registers after the call, and capture was made then.
 * Returns the result, or NULL if the function returns nothing. Also sets
 * arguments->result, and `after` of the arguments that the function filled in.
 */
const struct value *arguments_result(struct arguments *arguments,
				     struct registers *registers,
				     struct capture *capture);

/* The value to show: the one at the return if it was read, else the one at the
 * entry. */
static inline const struct value *
argument_value(const struct argument *argument)
{
	return argument->after ? argument->after : &argument->value;
}

/* How many bytes of the argument's text are shown: `most`, or more if it is a
 * path. */
size_t argument_text_most(const struct argument *argument, size_t most);

/* True if the argument is not shown. */
bool argument_hidden(const struct argument *argument);

/*
 * At the entry, reads what is needed to show the arguments at the return, so
 * that the capture can be sealed. The limits are those of the user's look.
 */
void arguments_keep(struct arguments *arguments, size_t string_length,
		    size_t array_length);
/* Like arguments_keep(), for the values that expr needs. */
void arguments_keep_for(struct arguments *arguments, const struct expr *expr);

#endif
