/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the clocks with clock_gettime(2), which does not fail for these clocks.
 *
 * No call reads two clocks in the same moment. If the thread waits for a CPU
 * between two readings, the second one is up to some 100 ms too late. So
 * clock_epoch_offset() reads both clocks several times, and takes the readings
 * that were closest to each other.
 */
#include "base/clock.h"

#include <time.h>

#define OFFSET_READINGS 8

static uint64_t
read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * CLOCK_SECOND + (uint64_t)now.tv_nsec;
}

uint64_t
clock_now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t
clock_thread_cpu(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t
clock_epoch_offset(void)
{
	uint64_t offset = 0, closest = UINT64_MAX;

	for (unsigned i = 0; i < OFFSET_READINGS; i++) {
		uint64_t before = clock_now();
		uint64_t day = read_clock(CLOCK_REALTIME);
		uint64_t apart = clock_now() - before;

		if (apart < closest) {
			closest = apart;
			offset = day - before - apart / 2;
		}
	}
	return offset;
}
