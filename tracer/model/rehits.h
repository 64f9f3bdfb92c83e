/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A signal that arrives before a displaced instruction has run finds its
 * thread back at the site; when the handler returns, the thread traps there
 * once more. That is the same hit, not another one.
 */
#ifndef TRACER_MODEL_REHITS_H
#define TRACER_MODEL_REHITS_H

#include "arch/regs.h"

#include <stdbool.h>

/* Handlers that may be interrupted so within each other. */
#define REHITS_MOST 8

/* Of one thread. */
struct rehits {
	unsigned count;
	struct regs at[REHITS_MOST];
};

/* The thread stands at a site with these registers, and its hit was seen. */
void rehits_add(struct rehits *rehits, const struct regs *regs);

/*
 * Is a hit with these registers (the pc at the site) one that was seen? It is
 * no more when asked again. low, high: the thread's own stack; on it a hit
 * proves that nothing below will come again.
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
