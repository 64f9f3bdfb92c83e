/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments of a call are its prototype's parameters and, where a format
 * describes them, those behind, each with its value. They are fetched when
 * the function is entered, from its registers and stack; what they point to
 * is read when somebody asks, through the capture of that moment. At the
 * return the result joins them, and a second look at what the function filled
 * in.
 */
#ifndef VALUES_FETCH_H
#define VALUES_FETCH_H

#include "base/arena.h"
#include "base/attr.h"
#include "conf/model/proto.h"
#include "values/value.h"

#include <stdbool.h>
#include <stddef.h>

struct capture;
struct expr;
struct registers;

struct argument {
	const char *name; /* or NULL */
	size_t param;	  /* its place among the prototype's, or SIZE_MAX */
	enum param_when when;
	bool hidden; /* nothing is told of it, whatever its lens */
	/* As at the entry. */
	struct value value;
	/* The same argument, memory as at the return: set by
	 * arguments_result() for when != PARAM_AT_ENTRY, else NULL. */
	const struct value *after;
	/* One that a scanf format describes: it was filled in where the result
	 * is so much at least. Else 0. */
	long conversion;
};

struct arguments {
	const struct proto *proto; /* NULL: guessed */
	struct arena *arena;
	struct argument *at;
	size_t count;
	const struct value *result; /* NULL: not returned yet, or void */
};

/*
 * registers are those at the function's first instruction, where the stack
 * pointer points at the return address. proto may be NULL: then ltrace's
 * guess, four longs. Everything is of arena, which capture's may be. Never
 * NULL; what could not be read comes out as unreadable values.
 */
struct arguments *arguments_fetch(const struct proto *proto,
				  struct registers *registers,
				  struct capture *capture, struct arena *arena);

/*
 * registers are those behind the call, capture one made then. Returns the
 * result, or NULL where the function returns nothing; it is also kept in
 * arguments->result, and the arguments filled in get their after.
 */
const struct value *arguments_result(struct arguments *arguments,
				     struct registers *registers,
				     struct capture *capture);

/* As it is to be seen now: after where there is one. */
static inline const struct value *
argument_value(const struct argument *argument)
{
	return argument->after ? argument->after : &argument->value;
}

/* True where nothing is told of it. */
bool argument_hidden(const struct argument *argument);

/*
 * Reads, at the entry, what showing the arguments at the return will ask for,
 * so that the capture can be sealed. The limits are those of the look.
 */
void arguments_keep(struct arguments *arguments, size_t string_length,
		    size_t array_length);
/* The same for what expr asks for. */
void arguments_keep_for(struct arguments *arguments, const struct expr *expr);

#endif
