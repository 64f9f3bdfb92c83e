/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	rates	#########		level: what each may cost
 *		#########
 *	--------#########--###---- level
 *		#########  ###
 *		#########  ###  #  #
 *
 * An item whose rate is above the level is looked at for level / rate of the
 * time, so that it costs the level. The level is the one at which all items
 * together cost what they may.
 */
#include "tracer/report/shares.h"

#include <stdlib.h>

/* At least this part of the budget is left for the items, however much the
 * stops cost at which nothing can be left out. */
#define LEFT_LEAST 0.1

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

double
shares_width(const struct shares_cost *cost)
{
	double width = (double)larger(cost->elapsed, cost->cpu) /
		       (double)larger(cost->elapsed, 1);

	if (cost->most > 0 && (double)cost->sum / (double)cost->most < width)
		width = (double)cost->sum / (double)cost->most;
	return width > 1 ? width : 1;
}

double
shares_spent(const struct shares_cost *cost)
{
	double of_all = (double)cost->sum /
			(double)larger(larger(cost->elapsed, cost->cpu), 1);
	double of_one = (double)cost->most / (double)larger(cost->elapsed, 1);

	return of_all > of_one ? of_all : of_one;
}

/* The share in the last seconds that were noted. */
static double
share_now(const struct shares_period *period)
{
	double cost = 0, time = 0;

	for (unsigned i = 0; i < SHARES_PERIOD; i++) {
		cost += period->costs[i];
		time += period->times[i];
	}
	return time > 0 ? cost / time : 0;
}

void
shares_note(struct shares_period *period, double cost, double time)
{
	unsigned at = period->noted++ % SHARES_PERIOD;
	double share;

	period->costs[at] = cost;
	period->times[at] = time;
	share = share_now(period);
	if (period->noted >= SHARES_PERIOD && share > period->most)
		period->most = share;
}

double
shares_most(const struct shares_period *period)
{
	return period->noted < SHARES_PERIOD ? share_now(period) : period->most;
}

static int
compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

double
shares_level(double *rates, size_t count, double part)
{
	double left = part;

	if (count > 0)
		qsort(rates, count, sizeof(*rates), compare);
	for (size_t i = 0; i < count; i++) {
		double level = left / (double)(count - i);

		if (rates[i] >= level)
			return level;
		left -= rates[i];
	}
	return part;
}

double
shares_left(double part, double other, double balance)
{
	double left = part - other;

	if (balance < 0)
		left += balance / (double)SHARES_REPAY_NS;
	return left > part * LEFT_LEAST ? left : part * LEFT_LEAST;
}
