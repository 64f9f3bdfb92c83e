/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arithmetic of --budget: how much of the time each function may cost, and
 * of which time that is a part. These are functions of numbers.
 */
#ifndef TRACER_REPORT_SHARES_H
#define TRACER_REPORT_SHARES_H

#include <stddef.h>
#include <stdint.h>

/* What stops have cost in some time, in ns. */
struct shares_cost {
	uint64_t elapsed; /* the time */
	uint64_t sum;	  /* the cost of all threads */
	uint64_t most;	  /* the cost of the thread that was held longest */
	uint64_t cpu;	  /* the CPU time of the traced processes */
};

/*
 * The share of the time that the stops have cost, which the budget limits: the
 * larger one of two. One is the share of the thread that was held longest. The
 * other is the cost of all threads as a share of their CPU time, or of the time
 * that has passed, if that is longer. So threads that do nothing make the share
 * no smaller, and neither does a program that starts a thread for each task.
 */
double shares_spent(const struct shares_cost *cost);

/* The number by which the sum of the costs is divided to get shares_spent(): at
 * least 1. */
double shares_width(const struct shares_cost *cost);

/* The cost of the last seconds of a run. */
#define SHARES_PERIOD 10
struct shares_period {
	double costs[SHARES_PERIOD], times[SHARES_PERIOD]; /* in ns */
	unsigned noted; /* how many seconds were noted */
	double most;	/* for shares_most() */
};

/* Adds the cost of about a second, or of the rest of the run. */
void shares_note(struct shares_period *period, double cost, double time);
/* The cost as a share of the time: the largest share in SHARES_PERIOD
 * successive seconds, or that of the whole run if the run was shorter. */
double shares_most(const struct shares_period *period);

/*
 * rates[i] is the share of the time that item i costs while it is looked at.
 * All together may cost the share `part`. Returns the share that each single
 * item may cost: the cheap items are looked at all the time, and what they
 * leave is divided equally among the expensive ones. Changes the order of the
 * rates.
 */
double shares_level(double *rates, size_t count, double part);

/*
 * The share that is left for the items. part: the share that all stops may
 * cost. other: the share that stops cost at which nothing can be left out.
 * balance: the ns of the budget that were not spent. It is below 0 if more was
 * spent than the budget had; the excess is then saved within SHARES_REPAY_NS.
 * The result is never 0.
 */
#define SHARES_REPAY_NS UINT64_C(5000000000)
double shares_left(double part, double other, double balance);

#endif
