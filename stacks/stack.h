/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stack is where a thread is: frames, the innermost first, of a script or
 * of native code. It has room for as many as were asked for; its frames and
 * their texts live in an arena, for as long as that.
 */
#ifndef STACKS_STACK_H
#define STACKS_STACK_H

#include "base/addr.h"
#include "base/arena.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>

enum frame_kind {
	FRAME_NATIVE,
#define LANGUAGE(KIND, name, versions) FRAME_##KIND,
#include "stacks/languages.def"
	FRAME_KINDS
};

/* The first kind that is of a script. */
#define FRAME_SCRIPT (FRAME_NATIVE + 1)

struct frame {
	enum frame_kind kind;
	/* The outermost of a run of the interpreter: below it is the native
	 * code that called for it. */
	bool outermost;
	/* Runs without any frame (blocks of Perl's sort) that stand between it
	 * and the frame before. */
	unsigned empty;
	/* As the language's own backtraces have it; NULL where unknown. */
	const char *function;
	const char *file;
	unsigned line;	    /* being executed; 0 where unknown */
	const char *module; /* native: the label of it */
	addr_t pc;	    /* native */
	addr_t start;	    /* native: of its function; 0 where unknown */
	addr_t base;	    /* native: what its module was moved by */
	addr_t at; /* the frame's own place, which tells it from others */
};

struct stack {
	struct arena *arena;
	struct frame *at;
	size_t count;
	size_t room;
	size_t most;
	/* Further down, memory made no sense: there may be more. */
	bool partial;
	/* Of merged ones: scripts' frames begin here that could not be put
	 * among the native ones, which stand before them; 0: there are none. */
	size_t apart;
};

void stack_init(struct stack *stack, struct arena *arena, size_t most);

static inline bool
stack_full(const struct stack *stack)
{
	return stack->count == stack->most;
}

/* The next frame further out, zeroed but for its kind; not if it is full. */
struct frame *stack_push(struct stack *stack, enum frame_kind kind, addr_t at);

#endif
