/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When traps are planted, so that threads are held for only a part of the time
 * (--alloc, --budget). Windows, in which the traps are planted, alternate with
 * breaks of a random length. A window that has cost little is followed by the
 * next one without a break.
 */
#ifndef TRACER_MODEL_BUDGET_H
#define TRACER_MODEL_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* The mean length of a window, unless the caller changes budget.window. */
#define BUDGET_WINDOW_NS UINT64_C(20000000)

struct budget {
	double part;	 /* share of the time for holding threads: 0 to 1 */
	uint64_t window; /* the mean length of a window, in ns */
	/* By how many ns earlier windows were longer than their cost demanded;
	 * at most saved_most. The next break is shorter by this time, so that
	 * an expensive window after many cheap ones needs no break. */
	double saved;
	uint64_t saved_most;
	uint64_t random; /* the state of the generator; never 0 */
	bool watches;	 /* true in a window, false in a break */
	uint64_t since;	 /* when the window or the break began, in ns */
	uint64_t until;	 /* when the window or the break may end */
	uint64_t before; /* the length of the break before the window */
};

/* Begins the first window at `now`. percent, from 1 to 100, is the share of the
 * time for holding threads. */
void budget_init(struct budget *budget, unsigned percent, uint64_t now,
		 uint64_t seed);

/* The window ends; threads were held for cost ns in it. Another window begins
 * at once, or a break. Call it when budget->until has passed. */
void budget_end_window(struct budget *budget, uint64_t now, uint64_t cost);

/* The break ends, and a window begins. */
void budget_end_break(struct budget *budget, uint64_t now);

/*
 * The share of a thread's work that the window has seen, above 0 and at most 1.
 * The thread works in the window, except in the `held` ns in which xtrace held
 * it, and in the break before the window, which sees nothing. The share is 1 if
 * there was no break.
 */
double budget_seen(const struct budget *budget, uint64_t now, uint64_t held);

#endif
