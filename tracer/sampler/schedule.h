/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the next round is, and which of the running threads are stopped in it:
 * both at random. A program that does something every 10 ms cannot fall into
 * step with the rounds.
 */
#ifndef TRACER_SAMPLER_SCHEDULE_H
#define TRACER_SAMPLER_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

struct schedule {
	uint64_t random; /* the state of the generator; never 0 */
	uint64_t mean;	 /* ns between two rounds */
};

/* hz is not 0. */
void schedule_init(struct schedule *schedule, unsigned hz, uint64_t seed);

/*
 * The ns to the next round. The distribution is exponential, so that a round
 * says nothing about the next one. It is limited: the least is a fifth of the
 * mean, to bound the cost, and the most is three times the mean.
 */
uint64_t schedule_gap(struct schedule *schedule);

/* A random number below `below`, which is not 0. */
size_t schedule_below(struct schedule *schedule, size_t below);

#endif
