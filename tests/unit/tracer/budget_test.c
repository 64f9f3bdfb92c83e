/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The windows of --alloc: with any cost they keep the budget, and estimates of
 * a steady program are right. */
#include "tests/unit/tracer/suites.h"
#include "tracer/model/budget.h"

#define MS UINT64_C(1000000)
#define WINDOWS 4000

/* Each window has so many growths per ms of the program's own time. Each growth
 * holds the program for `cost` ns. */
struct outcome {
	double length, held, growths, estimate;
};

static struct outcome
simulate(unsigned percent, unsigned per_ms, uint64_t cost)
{
	struct outcome outcome = { 0 };
	struct budget budget;
	uint64_t now = 5;

	budget_init(&budget, percent, now, 7);
	for (unsigned i = 0; i < WINDOWS; i++) {
		uint64_t length = budget.until - budget.since;
		double per_ns = per_ms / (double)MS;
		double own = (double)length / (1 + per_ns * (double)cost);
		double seen = own * per_ns;
		uint64_t held = (uint64_t)(seen * (double)cost);

		now = budget.until;
		outcome.growths += ((double)budget.before + own) * per_ns;
		outcome.estimate += seen / budget_seen(&budget, now, held);
		outcome.held += (double)held;
		budget_end_window(&budget, now, held);
		if (!budget.watches) {
			now = budget.until;
			budget_end_break(&budget, now);
		}
		ck_assert(budget.watches);
	}
	outcome.length = (double)(now - 5);
	return outcome;
}

START_TEST(costs_are_kept)
{
	static const struct {
		unsigned percent, per_ms;
		uint64_t cost;
	} rows[] = {
		{ 2, 1000, 300000 }, { 2, 100, 30000 }, { 2, 1, 300000 },
		{ 10, 10, 100000 },  { 1, 5, 1000 },	{ 50, 1000, 900000 },
	};
	struct outcome outcome =
		simulate(rows[_i].percent, rows[_i].per_ms, rows[_i].cost);
	double share = outcome.held / outcome.length;
	double ratio = outcome.estimate / outcome.growths;

	ck_assert_msg(share < rows[_i].percent / 100.0 * 1.05, "%f", share);
	/* The estimate for a thread that is nearly always held is slightly too
	 * high. */
	ck_assert_msg(ratio > 0.97 && ratio < 1.03, "%f", ratio);
}
END_TEST

START_TEST(what_is_cheap_has_no_break)
{
	struct budget budget;

	budget_init(&budget, 2, 0, 1);
	for (unsigned i = 0; i < 100; i++) {
		uint64_t now = budget.until;

		ck_assert(budget_seen(&budget, now, MS / 10) >= 1);
		budget_end_window(&budget, now, MS / 10);
		ck_assert(budget.watches);
	}
}
END_TEST

START_TEST(all_has_no_break)
{
	struct budget budget;

	budget_init(&budget, 100, 0, 0);
	budget_end_window(&budget, 10 * MS, 100 * MS);
	ck_assert(budget.watches);
	ck_assert(budget_seen(&budget, 20 * MS, 30 * MS) >= 1);
}
END_TEST

/* Breaks have different lengths, so a program does not fall into step. */
START_TEST(breaks_are_random)
{
	uint64_t least = UINT64_MAX, most = 0;
	struct budget budget;

	budget_init(&budget, 2, 0, 3);
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t now = budget.since + 20 * MS;

		budget_end_window(&budget, now, 2 * MS);
		ck_assert(!budget.watches);
		if (budget.until - now < least)
			least = budget.until - now;
		if (budget.until - now > most)
			most = budget.until - now;
		budget_end_break(&budget, budget.until);
	}
	ck_assert_uint_ge(least, 39 * MS);
	ck_assert_uint_le(least, 45 * MS);
	ck_assert_uint_ge(most, 115 * MS);
	ck_assert_uint_le(most, 121 * MS);
}
END_TEST

Suite *
budget_suite(void)
{
	Suite *suite = suite_create("budget");
	TCase *tests = tcase_create("budget");

	tcase_add_loop_test(tests, costs_are_kept, 0, 6);
	tcase_add_test(tests, what_is_cheap_has_no_break);
	tcase_add_test(tests, all_has_no_break);
	tcase_add_test(tests, breaks_are_random);
	suite_add_tcase(suite, tests);
	return suite;
}
