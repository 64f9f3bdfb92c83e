/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A signal may arrive before a displaced instruction has run. The kernel then
 * sees the thread back at the site, and when the handler returns, the thread
 * executes the trap once more. That is the same hit, not another one.
 */
#ifndef TRACER_MODEL_REHITS_H
#define TRACER_MODEL_REHITS_H

#include "arch/regs.h"

#include <stdbool.h>

/* How many handlers that have interrupted hits may be nested. */
#define REHITS_MOST 8

/* The interrupted hits of one thread. */
struct rehits {
	unsigned count;
	struct regs at[REHITS_MOST];
};

/* Keeps the registers of a hit that was handled, because this hit may come
 * again. The thread is at the site. */
void rehits_add(struct rehits *rehits, const struct regs *regs);

/*
 * Has a hit with these registers (the pc at the site) been handled before? If
 * so, it is removed, so a second question is answered with no. low and high are
 * the bounds of the thread's own stack: a hit on it proves that no hit further
 * down will come again.
 */
bool rehits_among(struct rehits *rehits, const struct regs *regs, addr_t low,
		  addr_t high);

static inline bool
rehits_take(struct rehits *rehits, const struct regs *regs, addr_t low,
	    addr_t high)
{
	return rehits->count && rehits_among(rehits, regs, low, high);
}

#endif
