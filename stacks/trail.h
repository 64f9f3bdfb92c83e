/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trail finds out that a chain of records in damaged memory goes in a
 * circle or has no end (Brent, "An improved Monte Carlo factorization
 * algorithm", 1980: the mark moves at powers of two, so nothing is stored).
 */
#ifndef STACKS_TRAIL_H
#define STACKS_TRAIL_H

#include "base/addr.h"

#include <stdbool.h>

#define TRAIL_MOST 100000u

struct trail {
	addr_t mark;
	unsigned steps, turn;
};

/* True where the walk may go on to the record at `at`. */
static inline bool
trail_step(struct trail *trail, addr_t at)
{
	if ((trail->steps > 0 && at == trail->mark) ||
	    trail->steps == TRAIL_MOST)
		return false;
	if (trail->steps++ == trail->turn) {
		trail->mark = at;
		trail->turn = 2 * trail->turn + 1;
	}
	return true;
}

#endif
