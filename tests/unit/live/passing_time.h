/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clocks of base/clock.h for tests of code that waits: the test lets time
 * pass, and nobody has to wait. A program with this file has no other
 * base/clock. Waits in system calls are as long as ever.
 */
#ifndef TESTS_UNIT_LIVE_PASSING_TIME_H
#define TESTS_UNIT_LIVE_PASSING_TIME_H

#include "base/clock.h"

/* From now on, clock_now() is later by so many nanoseconds. */
void time_passes(uint64_t ns);
/* From now on, only time_passes() changes what clock_now() returns. Without
 * this, a test on a busy machine could be a second late, and miss a time
 * limit. */
void time_stands(void);

#endif
