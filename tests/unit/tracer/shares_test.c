/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arithmetic of --budget, row by row. Then items that have windows and
 * breaks by this arithmetic: they keep the budget. */
#include "tests/unit/tracer/suites.h"
#include "tracer/model/budget.h"
#include "tracer/report/shares.h"

#define MS UINT64_C(1000000)
#define S (1000 * MS)

static bool
about(double got, double wanted)
{
	return got > wanted - 1e-6 && got < wanted + 1e-6;
}

static const struct {
	const char *name;
	double rates[4], part, level;
} levels[] = {
	{ "no cost", { 0, 0, 0, 0 }, 0.02, 0.02 },
	{ "all fit", { 0.001, 0.002, 0.003, 0 }, 0.02, 0.02 },
	{ "all fit exactly", { 0.01, 0.01, 0, 0 }, 0.02, 0.01 },
	{ "one is expensive", { 0.9, 0, 0, 0 }, 0.02, 0.02 },
	{ "the cheap ones are kept", { 0.001, 0.9, 0.004, 0 }, 0.02, 0.015 },
	{ "expensive ones share", { 0.9, 0.5, 0.001, 0.001 }, 0.02, 0.009 },
	{ "what one does not use is for the others",
	  { 0.006, 0.9, 0.001, 0.9 },
	  0.02,
	  0.0065 },
	{ "all are expensive", { 1, 2, 3, 4 }, 0.02, 0.005 },
	{ "cost by several threads", { 7.5, 0.001, 0, 0 }, 0.08, 0.079 },
};

START_TEST(levels_fill_the_budget)
{
	double rates[4], sum = 0, level, all = 0;

	for (int i = 0; i < 4; i++) {
		rates[i] = levels[_i].rates[i];
		all += rates[i];
	}
	level = shares_level(rates, 4, levels[_i].part);
	for (int i = 0; i < 4; i++)
		sum += rates[i] < level ? rates[i] : level;
	ck_assert_msg(about(level, levels[_i].level), "%s: %f", levels[_i].name,
		      level);
	ck_assert_msg(about(sum, all < levels[_i].part ? all : levels[_i].part),
		      "%s: %f in all", levels[_i].name, sum);
}
END_TEST

static const struct {
	const char *name;
	struct shares_cost cost;
	double spent, width;
} costs[] = {
	{ "nothing", { 0, 0, 0, 0 }, 0, 1 },
	{ "one busy thread", { S, 20 * MS, 20 * MS, S }, 0.02, 1 },
	{ "a thread that sleeps: of the time that passes",
	  { S, 20 * MS, 20 * MS, 30 * MS },
	  0.02,
	  1 },
	{ "eight busy threads", { S, 160 * MS, 20 * MS, 8 * S }, 0.02, 8 },
	{ "one of eight busy threads is held: its own share",
	  { S, 20 * MS, 20 * MS, 8 * S },
	  0.02,
	  1 },
	{ "a hundred threads that take turns at one CPU",
	  { S, 100 * MS, 1 * MS, S },
	  0.1,
	  1 },
	{ "threads that block do not make it cheaper",
	  { S, 40 * MS, 10 * MS, S },
	  0.04,
	  1 },
};

START_TEST(costs_are_shares)
{
	const struct shares_cost *cost = &costs[_i].cost;

	ck_assert_msg(about(shares_spent(cost), costs[_i].spent), "%s: %f",
		      costs[_i].name, shares_spent(cost));
	ck_assert_msg(about(shares_width(cost), costs[_i].width), "%s: %f wide",
		      costs[_i].name, shares_width(cost));
}
END_TEST

START_TEST(what_is_left)
{
	static const struct {
		double part, other, balance, left;
	} rows[] = {
		{ 0.02, 0, 0, 0.02 },	      { 0.02, 0.005, 0, 0.015 },
		{ 0.02, 0, 1e9, 0.02 },	      { 0.02, 0, -50e6, 0.01 },
		{ 0.02, 0, -10e9, 0.002 },    { 0.02, 0.5, 0, 0.002 },
		{ 0.02, 0.005, -25e6, 0.01 },
	};

	ck_assert_msg(about(shares_left(rows[_i].part, rows[_i].other,
					rows[_i].balance),
			    rows[_i].left),
		      "%d: %f", _i,
		      shares_left(rows[_i].part, rows[_i].other,
				  rows[_i].balance));
}
END_TEST

/* Which part of the time an item costs, if it costs `rate` of the time while it
 * is looked at. Its window is `part` of a second, as in
 * tracer/report/left_out.c. */
static double
cost_of(double rate, double part, uint64_t seconds)
{
	struct budget budget;
	uint64_t now = 1;
	double cost = 0;

	budget_init(&budget, 1, now, 11);
	budget.part = part;
	budget.window = (uint64_t)(part * S);
	budget.saved_most = S;
	budget.until = now + budget.window;
	while (now < seconds * S) {
		uint64_t window = budget.until - budget.since;

		now = budget.until;
		cost += rate * (double)window;
		budget_end_window(&budget, now,
				  (uint64_t)(rate * (double)window));
		if (!budget.watches) {
			now = budget.until;
			budget_end_break(&budget, now);
		}
	}
	return cost / (double)now;
}

START_TEST(items_keep_their_share)
{
	static const struct {
		double rate, part, least, most;
	} rows[] = {
		{ 1, 0.02, 0.018, 0.0215 },	{ 1, 0.005, 0.004, 0.0055 },
		{ 0.3, 0.02, 0.018, 0.0215 },	{ 4, 0.02, 0.016, 0.023 },
		{ 0.01, 0.02, 0.0099, 0.0101 },
	};
	double share = cost_of(rows[_i].rate, rows[_i].part, 120);

	ck_assert_msg(share > rows[_i].least && share < rows[_i].most, "%d: %f",
		      _i, share);
}
END_TEST

/* After a hundred cheap windows, one expensive window needs no break; a second
 * expensive window does. */
START_TEST(what_was_saved_is_used)
{
	struct budget budget;
	uint64_t now = 0;

	budget_init(&budget, 2, now, 5);
	budget.saved_most = S;
	for (unsigned i = 0; i < 100; i++) {
		now = budget.until;
		budget_end_window(&budget, now, 0);
		ck_assert(budget.watches);
	}
	ck_assert(about(budget.saved, S));
	now = budget.until;
	budget_end_window(&budget, now, 15 * MS);
	ck_assert(budget.watches);
	now = budget.until;
	budget_end_window(&budget, now, 15 * MS);
	ck_assert(!budget.watches);
	ck_assert(budget.saved <= 0);
}
END_TEST

START_TEST(the_dearest_period)
{
	struct shares_period period = { .noted = 0 };

	ck_assert(about(shares_most(&period), 0));
	shares_note(&period, 30 * MS, S);
	shares_note(&period, 0, S);
	/* A run that is shorter than the period counts as a whole. Its last
	 * part is shorter than a second, and counts with its own length. */
	ck_assert(about(shares_most(&period), 0.015));
	shares_note(&period, 5 * MS, S / 2);
	ck_assert(about(shares_most(&period), 0.014));
	for (unsigned i = 0; i < SHARES_PERIOD; i++)
		shares_note(&period, 20 * MS, S);
	ck_assert(about(shares_most(&period), 0.02));
	shares_note(&period, 120 * MS, S);
	for (unsigned i = 0; i < SHARES_PERIOD; i++)
		shares_note(&period, 0, S);
	ck_assert(about(shares_most(&period), 0.03));
}
END_TEST

Suite *
shares_suite(void)
{
	Suite *suite = suite_create("shares");
	TCase *tests = tcase_create("shares");

	tcase_add_loop_test(tests, levels_fill_the_budget, 0, 9);
	tcase_add_loop_test(tests, costs_are_shares, 0, 7);
	tcase_add_loop_test(tests, what_is_left, 0, 7);
	tcase_add_loop_test(tests, items_keep_their_share, 0, 5);
	tcase_add_test(tests, what_was_saved_is_used);
	tcase_add_test(tests, the_dearest_period);
	suite_add_tcase(suite, tests);
	return suite;
}
