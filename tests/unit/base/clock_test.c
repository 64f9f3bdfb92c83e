/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock never goes back, and with its offset it gives the time of day. */
#include "tests/unit/base/suites.h"

#include "base/clock.h"

#include <time.h>

START_TEST(never_back)
{
	uint64_t last = clock_now();

	for (int i = 0; i < 10000; i++) {
		uint64_t now = clock_now();

		ck_assert_uint_ge(now, last);
		last = now;
	}
}
END_TEST

START_TEST(no_time_below_zero)
{
	ck_assert_uint_eq(clock_between(10, 25), 15);
	ck_assert_uint_eq(clock_between(10, 10), 0);
	ck_assert_uint_eq(clock_between(25, 10), 0);
	ck_assert_uint_eq(clock_between(1, 0), 0);
	ck_assert_uint_eq(clock_between(0, UINT64_MAX), UINT64_MAX);
}
END_TEST

START_TEST(time_of_day)
{
	uint64_t before = (uint64_t)time(NULL) * CLOCK_SECOND;
	uint64_t now = clock_now() + clock_epoch_offset();
	uint64_t after = (uint64_t)(time(NULL) + 1) * CLOCK_SECOND;

	/* time(2) reads a coarser clock, which may lag by a tick. */
	ck_assert_uint_ge(now + CLOCK_SECOND / 50, before);
	ck_assert_uint_le(now, after + CLOCK_SECOND / 50);
}
END_TEST

/* On a busy machine, this thread waits for a CPU between two readings of the
 * clocks in some of these rounds. */
START_TEST(offset_is_steady)
{
	const uint64_t most = CLOCK_SECOND / 1000;
	uint64_t first = clock_epoch_offset();

	for (int i = 0; i < 100000; i++) {
		uint64_t offset = clock_epoch_offset();

		ck_assert_uint_lt(clock_between(first, offset), most);
		ck_assert_uint_lt(clock_between(offset, first), most);
	}
}
END_TEST

Suite *
clock_suite(void)
{
	Suite *suite = suite_create("base/clock");
	TCase *tests = tcase_create("clock");

	tcase_add_test(tests, never_back);
	tcase_add_test(tests, no_time_below_zero);
	tcase_add_test(tests, time_of_day);
	tcase_add_test(tests, offset_is_steady);
	suite_add_tcase(suite, tests);
	return suite;
}
