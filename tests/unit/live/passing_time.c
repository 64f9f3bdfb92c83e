/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces base/clock.c: the linker takes these functions, so it does not take
 * base/clock.c from the archive. */
#include "tests/unit/live/passing_time.h"

#include <stdatomic.h>
#include <time.h>

static _Atomic uint64_t passed;
/* The time at which the clock was stopped; 0: it was not stopped. */
static _Atomic uint64_t stands;

static uint64_t
read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * CLOCK_SECOND + (uint64_t)now.tv_nsec;
}

void
time_passes(uint64_t ns)
{
	atomic_fetch_add(&passed, ns);
}

void
time_stands(void)
{
	atomic_store(&stands, read_clock(CLOCK_MONOTONIC));
}

uint64_t
clock_now(void)
{
	uint64_t now = atomic_load(&stands);

	return (now ? now : read_clock(CLOCK_MONOTONIC)) + atomic_load(&passed);
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
