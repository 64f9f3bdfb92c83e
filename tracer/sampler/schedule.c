/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exponential numbers by von Neumann's method ("Various techniques used in
 * connection with random digits", 1951): comparisons of uniform numbers are
 * enough, and no logarithm is needed. The numbers are uniform ones of 32 bits,
 * by xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift
 * generators, scrambled").
 */
#include "tracer/sampler/schedule.h"

#include "base/clock.h"

#define LONGEST 3 /* the longest gap, as a multiple of the mean */

void
schedule_init(struct schedule *schedule, unsigned hz, uint64_t seed)
{
	schedule->random = seed ? seed : 1;
	schedule->mean = CLOCK_SECOND / hz;
}

static uint32_t
next(struct schedule *schedule)
{
	uint64_t x = schedule->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	schedule->random = x;
	return (uint32_t)((x * UINT64_C(0x2545f4914f6cdd1d)) >> 32);
}

/* The length of the run of falling numbers that begins with first. */
static unsigned
falling(struct schedule *schedule, uint32_t first)
{
	unsigned length = 1;
	uint32_t last = first, then = next(schedule);

	while (then < last) {
		length++;
		last = then;
		then = next(schedule);
	}
	return length;
}

/* A random number with an exponential distribution and mean 1, in units of
 * 2^-32. LONGEST at most. */
static uint64_t
exponential(struct schedule *schedule)
{
	for (uint64_t whole = 0; whole < LONGEST; whole++) {
		uint32_t first = next(schedule);

		if (falling(schedule, first) % 2 == 1)
			return whole << 32 | first;
	}
	return (uint64_t)LONGEST << 32;
}

uint64_t
schedule_gap(struct schedule *schedule)
{
	/* The number is shifted in two steps, so that the product cannot
	 * overflow: it is less than 2^26 times 2^30. */
	uint64_t gap = (exponential(schedule) >> 8) * schedule->mean >> 24;
	uint64_t least = schedule->mean / 5;

	return gap < least ? least : gap;
}

size_t
schedule_below(struct schedule *schedule, size_t below)
{
	return next(schedule) % below;
}
