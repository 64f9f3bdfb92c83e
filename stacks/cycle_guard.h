/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cycle guard detects that a chain of records in damaged memory forms a cycle
 * or has no end (Brent, "An improved Monte Carlo factorization algorithm",
 * 1980: the mark moves at powers of two, so no addresses are stored).
 */
#ifndef STACKS_CYCLE_GUARD_H
#define STACKS_CYCLE_GUARD_H

#include "base/addr.h"

#include <stdbool.h>

#define CYCLE_GUARD_MOST 100000u

struct cycle_guard {
	addr_t mark;
	unsigned steps, turn;
};

/* Returns true if the walk may continue to the record at `at`. */
static inline bool
cycle_guard_step(struct cycle_guard *guard, addr_t at)
{
	if ((guard->steps > 0 && at == guard->mark) ||
	    guard->steps == CYCLE_GUARD_MOST)
		return false;
	if (guard->steps++ == guard->turn) {
		guard->mark = at;
		guard->turn = 2 * guard->turn + 1;
	}
	return true;
}

#endif
