/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The moments of --sample: an exponential distribution that is cut at a fifth
 * of the mean and at three times the mean. */
#include "tests/unit/tracer/suites.h"
#include "tracer/sampler/schedule.h"

#define GAPS 40000u

START_TEST(gaps_are_exponential)
{
	/* P(gap <= x * mean) for a cut exponential, in per mille. */
	static const struct {
		unsigned tenths, per_mille;
	} parts[] = { { 3, 259 },  { 5, 393 },	{ 10, 632 },
		      { 15, 777 }, { 20, 865 }, { 29, 945 } };
	unsigned below[sizeof(parts) / sizeof(parts[0])] = { 0 };
	struct schedule schedule;

	schedule_init(&schedule, 100, 21);
	for (unsigned n = 0; n < GAPS; n++) {
		uint64_t gap = schedule_gap(&schedule);

		if (gap < 2000000 || gap > 30000000)
			ck_abort_msg("a gap of %lu ns", (unsigned long)gap);
		for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
			below[i] += gap <= parts[i].tenths * 1000000u;
	}
	/* 8 deviations are 20 per mille. */
	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		unsigned got = below[i] * 1000u / GAPS;

		ck_assert_uint_le(got, parts[i].per_mille + 20);
		ck_assert_uint_ge(got + 20, parts[i].per_mille);
	}
}
END_TEST

START_TEST(each_is_chosen)
{
	unsigned times[7] = { 0 };
	struct schedule schedule;

	schedule_init(&schedule, 99, 0);
	for (unsigned n = 0; n < 7000; n++)
		times[schedule_below(&schedule, 7)]++;
	for (unsigned i = 0; i < 7; i++) {
		ck_assert_uint_ge(times[i], 800);
		ck_assert_uint_le(times[i], 1200);
	}
}
END_TEST

START_TEST(any_rate)
{
	struct schedule schedule;

	for (unsigned hz = 1; hz <= 10000; hz *= 10) {
		schedule_init(&schedule, hz, hz);
		for (unsigned n = 0; n < 1000; n++) {
			uint64_t gap = schedule_gap(&schedule);

			ck_assert_uint_ge(gap, 200000000u / hz);
			ck_assert_uint_le(gap, UINT64_C(3000000000) / hz);
		}
	}
}
END_TEST

Suite *
schedule_suite(void)
{
	Suite *suite = suite_create("schedule");
	TCase *tests = tcase_create("gaps");

	tcase_add_test(tests, gaps_are_exponential);
	tcase_add_test(tests, each_is_chosen);
	tcase_add_test(tests, any_rate);
	suite_add_tcase(suite, tests);
	return suite;
}
