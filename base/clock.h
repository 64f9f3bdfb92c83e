/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time, in nanoseconds. Durations are differences of the monotonic clock. The
 * time of day in a line of the trace is the monotonic clock plus the difference
 * between the two clocks at the start of the run, so that one reading gives
 * both.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#define CLOCK_SECOND UINT64_C(1000000000)

/* Reads CLOCK_MONOTONIC. This is no system call, because clock_gettime(2) is in
 * the vdso. */
uint64_t clock_now(void);

/* The duration between two readings of clock_now(). It is never negative: if
 * the second reading is earlier than the first, it is 0. */
static inline uint64_t
clock_between(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

/* The CPU time of the calling thread. This is a system call. */
uint64_t clock_thread_cpu(void);

/* The difference to add to clock_now() to get nanoseconds since the Epoch. */
uint64_t clock_epoch_offset(void);

#endif
