/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time, in nanoseconds. Durations are differences of the monotonic clock;
 * what a line shows as the time of day is that clock shifted by what the two
 * differed when the run began, so that one reading serves both.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#define CLOCK_SECOND UINT64_C(1000000000)

/* CLOCK_MONOTONIC (clock_gettime(2); through the vdso, no system call). */
uint64_t clock_now(void);

/* From one reading of clock_now() to a later one. No duration is below zero:
 * it is 0 if the second reading is the earlier one. */
static inline uint64_t
clock_between(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

/* What to add to clock_now() for nanoseconds since the Epoch. */
uint64_t clock_epoch_offset(void);

#endif
