/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The moments of --sample: an exponential distribution that is cut at a fifth
 * of the mean and at three times the mean; and which threads had a CPU at a
 * moment; and which threads are looked at. */
#include "tests/unit/tracer/suites.h"
#include "tracer/sampler/moment.h"
#include "tracer/sampler/schedule.h"
#include "tracer/sampler/seldom.h"

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
	/* Eight standard deviations are 20 per mille. */
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

START_TEST(who_had_a_cpu)
{
	const struct activity_times asked = { 5000000, 700000, 12 };
	static const struct {
		struct activity_times more;
		bool had;
	} rows[] = {
		{ { 0, 0, 0 }, true },
		{ { 4000000, 0, 0 }, true },
		/* The thread waited, and stopped when it got a CPU. */
		{ { 12000, 3000000, 1 }, false },
		{ { 12000, 0, 1 }, false },
		/* The thread ran, and lost its CPU before it stopped. */
		{ { 1000000, 3000000, 1 }, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct moment_times times = { asked, asked };

		times.stopped.cpu += rows[i].more.cpu;
		times.stopped.delay += rows[i].more.delay;
		times.stopped.runs += rows[i].more.runs;
		if (moment_had_cpu(&times) != rows[i].had)
			ck_abort_msg("row %zu", i);
	}
}
END_TEST

START_TEST(who_lost_it_to_us)
{
	const uint64_t due = UINT64_C(1) << 40;
	struct moment_times times = { .asked.delay = 900,
				      .stopped.delay = 900 + 40000 };
	static const struct {
		int64_t lost; /* ns from the moment when the round was due */
		bool to_us;
	} rows[] = {
		{ -1000000, false }, { -10000, false }, { -1000, true },
		{ 0, true },	     { 20000, true },	{ 50000, false },
		{ 4000000, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (moment_lost_cpu(&times,
				    due + 40000 + (uint64_t)rows[i].lost,
				    due) != rows[i].to_us)
			ck_abort_msg("row %zu", i);
	/* The thread has waited since before the clock began. */
	times.stopped.delay = UINT64_MAX;
	ck_assert(!moment_lost_cpu(&times, due, due));
}
END_TEST

START_TEST(who_runs_seldom)
{
	const uint64_t second = UINT64_C(1000000000);
	struct seldom seldom = { 0 };
	uint64_t now = UINT64_C(1) << 40;

	ck_assert(seldom_is(0, second));
	ck_assert(seldom_is(9999999, second));
	ck_assert(!seldom_is(10000000, second));
	ck_assert(!seldom_is(0, 0));
	/* Threads that run seldom are examined a quarter of a second after the
	 * start, and then each second. */
	ck_assert(!seldom_is_time(&seldom, now));
	ck_assert(!seldom_is_time(&seldom, now + second / 5));
	ck_assert(seldom_is_time(&seldom, now + second / 4));
	ck_assert(!seldom_is_time(&seldom, now + second));
	ck_assert(seldom_is_time(&seldom, now + 2 * second));
}
END_TEST

START_TEST(each_is_looked_at)
{
	unsigned times[200] = { 0 };
	struct schedule schedule;
	struct seldom seldom = { 0 };

	schedule_init(&schedule, 99, 7);
	for (unsigned round = 0; round < 1000; round++) {
		struct sampled *sampled;
		unsigned taken = 0;

		vec_clear(&seldom.threads);
		/* Of the threads only their addresses are used. */
		for (unsigned i = 0; i < 200; i++)
			vec_push(&seldom.threads,
				 (struct sampled *)(times + i));
		while ((sampled = seldom_next(&seldom, &schedule, taken)))
			(*(unsigned *)sampled)++, taken++;
		ck_assert_uint_eq(taken, 32);
	}
	/* 160 times on average; eight standard deviations are allowed */
	for (unsigned i = 0; i < 200; i++) {
		ck_assert_uint_ge(times[i], 70);
		ck_assert_uint_le(times[i], 250);
	}
	seldom_release(&seldom);
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
	tcase_add_test(tests, who_had_a_cpu);
	tcase_add_test(tests, who_lost_it_to_us);
	tcase_add_test(tests, who_runs_seldom);
	tcase_add_test(tests, each_is_looked_at);
	suite_add_tcase(suite, tests);
	return suite;
}
