/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An asker is a coroutine for which an event loop, such as that of uvloop,
 * sends a query after the coroutine has begun to wait. The stack of the thread
 * then has only the loop, so the asker's frames tell what was asked, and where.
 */
#ifndef TRACER_QUERIES_ASKER_H
#define TRACER_QUERIES_ASKER_H

#include "arch/regs.h"
#include "base/arena.h"
#include "stacks/stack.h"
#include "stacks/statement.h"
#include "tracer/model/session.h"

struct asker {
	struct arena arena;
	bool looked;		   /* stack and arena are valid */
	const struct stack *stack; /* the coroutine's frames, or NULL */
};

void asker_release(struct asker *asker);

/* Does an event loop send the bytes later? caller is an address within the
 * function that sends. */
bool asker_needed(const struct program *program, addr_t caller);

/* The frames of the only coroutine that awaits an answer on the descriptor;
 * NULL if it is not known. The thread with these registers has just sent on the
 * descriptor, and is stopped. The frames are kept until asker_release(). */
const struct stack *asker_frames(struct asker *asker, struct program *program,
				 const struct regs *regs, uint64_t descriptor);

#endif
