/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fiber contains its execution context, which points back to it. Behind the
 * context is the fiber that has resumed it (cont.c of 3.1):
 *
 *	fiber	{ ..., context { fiber 40, thread 48, ... }, ..., prev }
 *
 * A fiber that is reached by Fiber#transfer has none.
 */
#include "stacks/ruby_fiber.h"

#define CONTEXT_FIBER 40
/* From the context to prev. */
#define CONTEXT_PREV 432
/* More bytes than a fiber has before its context. */
#define BEFORE_MOST 1024u

addr_t
ruby_resumer(struct peek *peek, const struct ruby_layout *layout, addr_t thread,
	     addr_t context)
{
	addr_t fiber = peek_u64(peek, context + CONTEXT_FIBER);
	addr_t prev = peek_u64(peek, context + CONTEXT_PREV);
	addr_t other = prev + (context - fiber);
	bool right = prev && prev != fiber && prev % 8 == 0 &&
		     fiber < context && context - fiber < BEFORE_MOST &&
		     peek_u64(peek, other + CONTEXT_FIBER) == prev &&
		     peek_u64(peek, other + layout->ec_thread) == thread;

	return !peek_failed(peek) && right ? other : 0;
}
