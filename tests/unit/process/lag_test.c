/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lag that trial stops measure, and what a thread's clock subtracts for
 * it. */
#include "tests/unit/process/suites.h"

#include "base/attr.h"
#include "process/held.h"

#include <stdlib.h>

/* The lag is the usual CPU time of the last trials, so a single trial that was
 * disturbed changes it little. */
START_TEST(trials)
{
	static const int64_t took[] = { 5, 4, 900, 4, 3, 4, 4, 70 };
	struct held_clock held = { 0 };
	struct lag lag = { .wanted = true };
	struct held_count count = { .known = true };
	uint64_t now = 1000;

	for (size_t i = 0; i < array_size(took); i++) {
		held_seen(&held, &lag, now, &count);
		held_resumed(&held, now, HELD_TRIES);
		now += (uint64_t)took[i] + 4;
		count.cpu += (uint64_t)took[i];
		count.waits++;
	}
	held_seen(&held, &lag, now, &count);
	ck_assert_uint_eq(lag.count, array_size(took));
	ck_assert_int_eq(lag.near.usual, 4);
	ck_assert_int_eq(lag.wall, 7);
	ck_assert_int_eq(lag.wall_most, 904);
	ck_assert_uint_eq(held_own(&held, now), 1000);
}
END_TEST

/* A thread, its clock, and what the kernel counts. */
struct traced {
	struct held_clock held;
	struct lag lag;
	struct held_count count;
	uint64_t now;
};

/* The thread stops `wall` after its last resume, and has had `cpu` of CPU time
 * meanwhile. Then it is resumed. */
static void
stop_after(struct traced *traced, enum held_run run, int64_t cpu, int64_t wall)
{
	traced->now += (uint64_t)wall;
	traced->count.cpu += (uint64_t)cpu;
	traced->count.waits++;
	held_seen(&traced->held, &traced->lag, traced->now, &traced->count);
	held_resumed(&traced->held, traced->now, run);
}

/* Makes trial stops with these CPU times, each of which takes `idle` more, and
 * then lets the thread work. */
static void
make_trials(struct traced *traced, const int64_t *times, size_t count,
	    int64_t idle)
{
	*traced = (struct traced){ .lag.wanted = true,
				   .count.known = true,
				   .now = 1000000 };
	stop_after(traced, HELD_TRIES, 0, 10);
	for (size_t i = 0; i < count; i++)
		stop_after(traced, i + 1 < count ? HELD_TRIES : HELD_WORKS,
			   times[i], times[i] + idle);
}

/* By how much the thread's own time advances at 300 stops with these CPU times,
 * by turns. */
static int64_t
advance(struct traced *traced, const int64_t *times, size_t count)
{
	uint64_t before = held_own(&traced->held, traced->now);

	for (size_t i = 0; i < 300; i++)
		stop_after(traced, HELD_WORKS, times[i % count],
			   times[i % count] + 5000);
	return (int64_t)(held_own(&traced->held, traced->now) - before);
}

/*
 * The kernel counts whole microseconds, so the stops of a thread without work
 * take 3 or 4 us of CPU time. The sum of its durations is about 0. So it is if
 * trial stops have cost more.
 */
START_TEST(sums)
{
	static const int64_t stops[] = { 3000, 4000, 3000, 3000, 4000, 3000 };
	static const int64_t slow[] = { 4000, 4000, 4000, 4000, 4000, 4000 };
	static const int64_t work[] = { 13000, 14000, 13000 };
	struct traced traced;
	int64_t sum;

	make_trials(&traced, stops, array_size(stops), 5000);
	ck_assert_int_eq(traced.lag.near.usual, 3333);
	sum = advance(&traced, stops, array_size(stops));
	ck_assert_msg(llabs(sum) < 300 * 20, "300 stops: %ld", (long)sum);
	sum = advance(&traced, work, array_size(work)) - 300 * 10000;
	ck_assert_msg(llabs(sum) < 300 * 20, "with work: %ld", (long)sum);

	make_trials(&traced, slow, array_size(slow), 5000);
	ck_assert_int_eq(traced.lag.near.usual, 4000);
	advance(&traced, stops, array_size(stops));
	sum = advance(&traced, stops, array_size(stops));
	ck_assert_msg(llabs(sum) < 300 * 20, "slow trials: %ld", (long)sum);
}
END_TEST

/*
 * The CPU time of all trial stops but two is the same. A duration is uncertain
 * by as much as the trials differ, except the slowest one; by as much as it is
 * below 0; and by the time that nothing explains.
 */
START_TEST(uncertain)
{
	static const int64_t times[] = { 4, 4, 4, 4, 4, 4, 4, 4, 5, 40, 4, 4 };
	struct traced traced;
	const struct held_clock *held = &traced.held;
	uint64_t own, before;

	make_trials(&traced, times, array_size(times), 4);
	ck_assert_int_eq(traced.lag.near.usual, 4);
	ck_assert_int_eq(traced.lag.near.spread, 0);
	own = held_own(held, traced.now);
	before = held->unsure;
	/* It worked for 10, and nothing explains 3. */
	stop_after(&traced, HELD_WORKS, 14, 14 + 4 + 3);
	ck_assert_uint_eq(held_own(held, traced.now), own + 10);
	ck_assert_uint_eq(held->unsure, before + 1 + 3);
	/* By its CPU time it did not work. */
	stop_after(&traced, HELD_WORKS, 4, 8);
	ck_assert_uint_eq(held_own(held, traced.now), own + 10);
	ck_assert_uint_eq(held->unsure, before + 4 + 1);
	/* By its CPU time it worked for -3. */
	stop_after(&traced, HELD_WORKS, 1, 5);
	ck_assert_uint_eq(held_own(held, traced.now), own + 10 - 3);
	ck_assert_uint_eq(held->unsure, before + 5 + 3);
	/* The kernel counts whole microseconds, twice. */
	ck_assert_uint_eq(held_unsure(held, before), 8 + 2000);
	traced.held.count.known = false;
	ck_assert_uint_eq(held_unsure(held, before), 8);
}
END_TEST

/* Before the first trial stop nothing is known of the lag. */
START_TEST(uncertain_without_trials)
{
	struct traced traced = { .lag.wanted = true,
				 .count.known = true,
				 .now = 1000 };

	stop_after(&traced, HELD_WORKS, 1, 10);
	stop_after(&traced, HELD_WORKS, 20000, 20000);
	ck_assert_uint_eq(traced.held.unsure, LAG_GUESS);
	traced.count.known = false;
	stop_after(&traced, HELD_WORKS, 20000, 20000);
	/* The lag can have been half as long again, but not longer than the
	 * time from the resume to the stop. */
	ck_assert_uint_eq(traced.held.unsure, LAG_GUESS + 20000);
}
END_TEST

/*
 * Near trials are those on the CPU of xtrace. In this test, the stop was seen
 * late, so the thread was on another CPU, where a stop takes longer. The far
 * trials count, although they came first.
 */
START_TEST(another_cpu)
{
	static const struct {
		int64_t cpu, latency;
	} took[] = { { 12, 31 }, { 14, 32 }, { 3, 4 }, { 5, 4 },
		     { 13, 30 }, { 4, 4 },   { 3, 4 }, { 5, 4 },
		     { 13, 30 }, { 13, 36 }, { 4, 5 }, { 13, 31 } };
	struct held_clock held = { 0 };
	struct lag lag = { .wanted = true };
	struct held_count count = { .known = true };
	uint64_t now = 1000;

	for (size_t i = 0; i < array_size(took); i++) {
		held_seen(&held, &lag, now, &count);
		held_resumed(&held, now, HELD_TRIES);
		now += (uint64_t)(took[i].cpu + took[i].latency);
		count.cpu += (uint64_t)took[i].cpu;
		count.waits++;
	}
	held_seen(&held, &lag, now, &count);
	ck_assert_int_eq(lag.near.usual, 4);
	ck_assert_int_eq(lag.far.usual, 13);
	ck_assert_uint_eq(held_own(&held, now), 1000);
	/* The thread works for 10 us before each of the next two stops. */
	held_resumed(&held, now, HELD_WORKS);
	count.cpu += 14;
	count.waits++;
	held_seen(&held, &lag, now + 19, &count);
	ck_assert_uint_eq(held_own(&held, now + 19), 1010);
	held_resumed(&held, now + 19, HELD_WORKS);
	count.cpu += 23;
	count.waits++;
	held_seen(&held, &lag, now + 69, &count);
	ck_assert_uint_eq(held_own(&held, now + 69), 1020);
	ck_assert(!lag.scarce);
	/* The trials on the other CPU differ too much, so only the least time
	 * of all trials is subtracted. */
	lag.far.spread = 20000;
	held_resumed(&held, now + 69, HELD_WORKS);
	count.cpu += 23;
	count.waits++;
	held_seen(&held, &lag, now + 119, &count);
	ck_assert_uint_eq(held_own(&held, now + 119), 1040);
	ck_assert(lag.wide);
}
END_TEST

/* A trial takes 2 us of CPU time and 4 us in which the thread does not run. A
 * stop that takes this long has been counted. */
START_TEST(early)
{
	struct lag lag = {
		.near = { .usual = 2000, .idle = 4000 },
		.latency = 3000,
	};
	struct held_clock held = { .run = HELD_WORKS,
				   .count = { .known = true } };
	struct held_count count = { .known = true, .cpu = 2000, .waits = 1 };

	ck_assert(!held_is_early(&held, &lag, 7900, &count));
	ck_assert(held_is_early(&held, &lag, 8100, &count));
	/* The thread was switched out twice: by a wait and by the stop. */
	count.waits = 2;
	ck_assert(!held_is_early(&held, &lag, 8100, &count));
	/* There was no trial yet. */
	count.waits = 1;
	ck_assert(held_is_early(&held, &(struct lag){ 0 }, 2001, &count));
	/* If stops are slow, 10 us are enough to have waited. */
	lag.near.idle = lag.latency = 50000;
	ck_assert(held_is_early(&held, &lag, 12001, &count));
}
END_TEST

START_TEST(how_often_a_trial)
{
	struct lag lag = { 0 };
	unsigned many = 0;

	ck_assert(!lag_asks(&lag));
	lag.wanted = true;
	for (unsigned i = 0; i < 10000; i++)
		if (lag_asks(&lag)) {
			lag.count++;
			many++;
		}
	ck_assert_uint_ge(many, 20);
	ck_assert_uint_le(many, 80);
}
END_TEST

/* The delay is read at few of many stops, and at each of rare stops. */
START_TEST(how_often_the_delay)
{
	struct held_clock held = { 0 };
	struct lag lag = { 0 };
	struct held_count count = { .known = true };
	uint64_t now = 5000000;
	unsigned many = 0;

	for (unsigned i = 0; i < 960; i++, now += 10000) {
		held_seen(&held, &lag, now, &count);
		if (held_wants_delay(&held, &lag, now)) {
			held_waited(&held, now, 1);
			many++;
		}
		held_resumed(&held, now, HELD_WORKS);
	}
	ck_assert_uint_ge(many, 50);
	ck_assert_uint_le(many, 70);
	held_waited_unknown(&held, now);
	ck_assert(!held_wants_delay(&held, &lag, now + 10000));
	ck_assert(held_wants_delay(&held, &lag, now + 2000000));
	/* After a stop that may hide a gap, the delay is read at once. */
	held_waited(&held, now, 1);
	count.waits++;
	held_seen(&held, &lag, now + 400000, &count);
	ck_assert(held_wants_delay(&held, &lag, now + 400000));
	/* Without counts it is read once before the first resume, and then at
	 * slow stops. */
	lag = (struct lag){ .wanted = true };
	held = (struct held_clock){ 0 };
	count = (struct held_count){ 0 };
	held_seen(&held, &lag, now, &count);
	ck_assert(held_wants_delay(&held, &lag, now));
	held_waited(&held, now, 1);
	ck_assert(!held_wants_delay(&held, &lag, now + 2000000));
	held_resumed(&held, now, HELD_WORKS);
	ck_assert(!held_is_odd(&held, &lag, now + 60000, &count));
	ck_assert(held_is_odd(&held, &lag, now + 70000, &count));
	lag.wanted = false;
	ck_assert(!held_is_odd(&held, &lag, now + 70000, &count));
	ck_assert(!held_wants_delay(&(struct held_clock){ 0 }, &lag, now));
}
END_TEST

Suite *
lag_suite(void)
{
	Suite *suite = suite_create("process/lag");
	TCase *tests = tcase_create("lag");

	tcase_add_test(tests, trials);
	tcase_add_test(tests, sums);
	tcase_add_test(tests, uncertain);
	tcase_add_test(tests, uncertain_without_trials);
	tcase_add_test(tests, another_cpu);
	tcase_add_test(tests, early);
	tcase_add_test(tests, how_often_a_trial);
	tcase_add_test(tests, how_often_the_delay);
	suite_add_tcase(suite, tests);
	return suite;
}
