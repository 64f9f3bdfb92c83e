/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A break is as long as the cost of the window before it demands, times a
 * random factor between 1/2 and 3/2. The growths of a window are extrapolated
 * to the break before it. The length of that break depends on an earlier
 * window, not on what happens in this one. The break after a busy window is
 * long: if the growths were extrapolated to that break instead, a busy window
 * would count for more than its share.
 */
#include "tracer/model/budget.h"

/* At least this part of a window counts as time in which a thread worked, even
 * if xtrace held the thread for nearly all of the window. */
#define OWN_LEAST 0.001

/* The next random number, by the generator splitmix64. */
static uint64_t
next_random(struct budget *budget)
{
	uint64_t z = budget->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* A random duration of 1/2 to 3/2 of ns; the mean of the results is ns. */
static uint64_t
at_random(struct budget *budget, double ns)
{
	double factor = 0.5 + (double)(next_random(budget) >> 11) /
				      (double)(1ull << 53);

	return (uint64_t)(ns * factor);
}

static void
begin_window(struct budget *budget, uint64_t now, uint64_t before)
{
	budget->watches = true;
	budget->before = before;
	budget->since = now;
	budget->until = now + at_random(budget, (double)budget->window);
}

void
budget_init(struct budget *budget, unsigned percent, uint64_t now,
	    uint64_t seed)
{
	*budget = (struct budget){ .part = percent / 100.0,
				   .window = BUDGET_WINDOW_NS,
				   .random = seed | 1 };
	begin_window(budget, now, 0);
}

void
budget_end_window(struct budget *budget, uint64_t now, uint64_t cost)
{
	double length = (double)(now - budget->since);
	double wanted = (double)cost / budget->part - length;

	wanted -= budget->saved;
	budget->saved = wanted < 0 ? -wanted : 0;
	if (budget->saved > (double)budget->saved_most)
		budget->saved = (double)budget->saved_most;
	if (wanted <= 0 || budget->part >= 1) {
		begin_window(budget, now, 0);
		return;
	}
	budget->watches = false;
	budget->since = now;
	budget->until = now + at_random(budget, wanted) + 1;
}

void
budget_end_break(struct budget *budget, uint64_t now)
{
	begin_window(budget, now, now - budget->since);
}

double
budget_seen(const struct budget *budget, uint64_t now, uint64_t held)
{
	double length = (double)(now - budget->since);
	double own = length - (double)held;

	if (budget->before == 0)
		return 1;
	if (own < length * OWN_LEAST)
		own = length * OWN_LEAST;
	if (own < 1)
		own = 1;
	return own / ((double)budget->before + own);
}
