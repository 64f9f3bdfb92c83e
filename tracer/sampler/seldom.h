/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that run seldom: less than 1 % of the time. A server may have
 * thousands of them, and looking at each of them in each round would take a
 * third of a CPU. So some of them are looked at, at random.
 */
#ifndef TRACER_SAMPLER_SELDOM_H
#define TRACER_SAMPLER_SELDOM_H

#include "base/vec.h"
#include "tracer/sampler/schedule.h"

#include <stdbool.h>

struct sampled;

struct seldom {
	uint64_t judge_next; /* when threads are judged again */
	/* threads of this round that run seldom */
	vec_of(struct sampled *) threads;
};

void seldom_release(struct seldom *seldom);

/* True about once a second: then each thread is to be judged. */
bool seldom_is_time(struct seldom *seldom, uint64_t now);

/* Does a thread that has used `cpu` ns of CPU time in `time` ns run seldom?
 */
bool seldom_is(uint64_t cpu, uint64_t time);

/* Takes one of the threads of this round. NULL if there were enough. */
struct sampled *seldom_next(struct seldom *seldom, struct schedule *schedule,
			    unsigned taken);

#endif
