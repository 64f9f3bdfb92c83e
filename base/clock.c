/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the clocks with clock_gettime(2), which does not fail for these
 * clocks. */
#include "base/clock.h"

#include <time.h>

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
	return read_clock(CLOCK_REALTIME) - read_clock(CLOCK_MONOTONIC);
}
