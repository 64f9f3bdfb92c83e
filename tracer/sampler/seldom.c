/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a thread runs seldom is decided once a second, by its CPU time, and
 * not by what it does when it is looked at. So in this second each moment of
 * its CPU time is in a sample with the same probability, although a smaller
 * one, and the shares of its lines are right. Threads that ran again after a
 * pause would otherwise be seen too late, always after the same lines.
 *
 * Up to TAKEN_MOST threads that run seldom are looked at in each round.
 */
#include "tracer/sampler/seldom.h"

#include "base/clock.h"

#define TAKEN_MOST 32

/* The threads that exist at the start are judged after a quarter of a
 * second. */
#define JUDGE_FIRST (CLOCK_SECOND / 4)
#define JUDGE_AGAIN CLOCK_SECOND

#define SELDOM_PART 100

void
seldom_release(struct seldom *seldom)
{
	vec_release(&seldom->threads);
}

bool
seldom_is_time(struct seldom *seldom, uint64_t now)
{
	bool first = seldom->judge_next == 0;

	if (now < seldom->judge_next)
		return false;
	seldom->judge_next = now + (first ? JUDGE_FIRST : JUDGE_AGAIN);
	return !first;
}

bool
seldom_is(uint64_t cpu, uint64_t time)
{
	return cpu < time / SELDOM_PART;
}

struct sampled *
seldom_next(struct seldom *seldom, struct schedule *schedule, unsigned taken)
{
	struct sampled *sampled;
	size_t n;

	if (taken >= TAKEN_MOST || seldom->threads.count == 0)
		return NULL;
	n = schedule_below(schedule, seldom->threads.count);
	sampled = seldom->threads.at[n];
	seldom->threads.at[n] = seldom->threads.at[--seldom->threads.count];
	return sampled;
}
