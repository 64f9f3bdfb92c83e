/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -c, column by column, and the summary. */
#include "suites.h"

#include "script.h"

#include <stdlib.h>
#include <string.h>

#define MAIN SCRIPT_PID

static struct script script;

START_TEST(count_is_as_ltrace_prints_it)
{
	struct event_call *call;

	script_init(&script);
	script_open(&script, count_sink_new);
	script_whole(&script, MAIN, "pthread_join", 0, 600);
	script_whole(&script, MAIN, "pthread_join", 1000, 1477);
	script_whole(&script, MAIN, "abs", 2000, 2039);
	call = script_begin(&script, MAIN, "qsort", 3000);
	script_end(&script, MAIN, call, 4252, CALL_UNWOUND);
	call = script_begin(&script, MAIN, "exit", 5000);
	script_end(&script, MAIN, call, 6000, CALL_NO_RETURN);
	script_expect(&script,
		      "% time     seconds  usecs/call     calls      function\n"
		      "------ ----------- ----------- --------- "
		      "--------------------\n"
		      " 52.87    0.001252        1252         1 qsort\n"
		      " 45.48    0.001077         538         2 pthread_join\n"
		      "  1.65    0.000039          39         1 abs\n"
		      "------ ----------- ----------- --------- "
		      "--------------------\n"
		      "100.00    0.002368                     4 total\n");
}
END_TEST

START_TEST(count_of_nothing)
{
	script_init(&script);
	script_open(&script, count_sink_new);
	script_expect(&script,
		      "% time     seconds  usecs/call     calls      function\n"
		      "------ ----------- ----------- --------- "
		      "--------------------\n"
		      "------ ----------- ----------- --------- "
		      "--------------------\n"
		      "100.00    0.000000                     0 total\n");
}
END_TEST

static void
qualified(const char *display, const char *caller)
{
	struct event_call *call = script_call(&script, "free");

	call->display = display;
	call->caller = caller;
	script_enter(&script, MAIN, call, 0);
	script_end(&script, MAIN, call, 10, CALL_RETURNED);
}

/* The calls of all callers are added up; libraries are separate, unless
 * ltrace's form is wanted. */
START_TEST(count_names_functions)
{
	bool as_ltrace = _i == 1;
	char *text;

	script_init(&script);
	script.look.as_ltrace = as_ltrace;
	script_open(&script, count_sink_new);
	qualified("a->free", "a");
	qualified("b->free", "b");
	qualified("free@libfoo.so.1", NULL);
	text = script_close(&script);
	ck_assert_ptr_eq(strstr(text, "->"), NULL);
	if (as_ltrace)
		ck_assert_ptr_ne(strstr(text, " 3 free\n"), NULL);
	else
		ck_assert_ptr_ne(strstr(text, " 1 free@libfoo.so.1\n"), NULL);
	free(text);
}
END_TEST

static void
some_calls(void)
{
	struct event_call *outer = script_begin(&script, MAIN, "outer", 0);
	struct event_call *other;

	script_whole(&script, MAIN, "inner", 100, 300);
	other = script_begin(&script, MAIN + 1, "outer", 350);
	script_whole(&script, MAIN, "inner", 400, 700);
	script_end(&script, MAIN, outer, 1000, CALL_RETURNED);
	script_end(&script, MAIN + 1, other, 2350, CALL_UNFINISHED);
}

#define HEADER                                     \
	"    total      self     calls      mean"  \
	"       p50       p95       p99       max" \
	"  function\n"
#define OUTER                                      \
	"  3.000ms   2.500ms         2   1.500ms"  \
	"   1.003ms   2.000ms   2.000ms   2.000ms" \
	"  outer\n"
#define INNER                                      \
	"  500.0us   500.0us         2   250.0us"  \
	"   200.0us   300.0us   300.0us   300.0us" \
	"  inner\n"

START_TEST(summary_adds_up)
{
	script_init(&script);
	script_open(&script, summary_sink_new);
	some_calls();
	script_expect(&script, HEADER OUTER INNER
		      "4 calls of 2 functions, 3.000ms in them\n");
}
END_TEST

/* By errors of measurement, one duration is too short and the other one too
 * long. The longest time is still no more than the sum. */
START_TEST(the_longest_is_no_more_than_all)
{
	script_init(&script);
	script_open(&script, summary_sink_new);
	script.error = -300000;
	script_whole(&script, MAIN, "f", 100, 200);
	script.error = 100000;
	script_whole(&script, MAIN, "f", 300, 600);
	script_expect(&script,
		      HEADER "  200.0us   200.0us         2   100.0us"
			     "       0ns   200.0us   200.0us   200.0us"
			     "  f\n"
			     "2 calls of 1 function, 200.0us in them\n");
}
END_TEST

/* By errors of measurement, the sum of one row is below zero. The time of all
 * rows is still no less than that of one. */
START_TEST(all_is_no_less_than_one_row)
{
	script_init(&script);
	script_open(&script, summary_sink_new);
	script_whole(&script, MAIN, "g", 100, 200);
	script.error = -600000;
	script_whole(&script, MAIN, "f", 300, 400);
	script_expect(&script,
		      HEADER "  100.0us   100.0us         1   100.0us"
			     "   100.0us   100.0us   100.0us   100.0us"
			     "  g\n"
			     "      1ns       1ns         1       0ns"
			     "       0ns       0ns       0ns       0ns"
			     "  f\n"
			     "2 calls of 2 functions, 100.0us in them\n");
}
END_TEST

/* Names are escaped in rows and in the words of the user. */
START_TEST(names_are_escaped)
{
	char *text;

	script_init(&script);
	if (_i > 0)
		script.look.group_by = "thread\033\nx";
	script_open(&script, _i == 2 ? count_sink_new : summary_sink_new);
	qualified("lib\033\n->f\033\n+++", "lib\033\n");
	text = script_close(&script);
	ck_assert_ptr_null(strchr(text, '\033'));
	ck_assert_ptr_null(strstr(text, "\nx"));
	ck_assert_ptr_null(strstr(text, "\n+++"));
	if (_i == 1)
		ck_assert_ptr_nonnull(strstr(text, "  thread\\033\\nx\n"));
	else
		ck_assert_ptr_nonnull(strstr(text, " f\\033\\n+++\n"));
	free(text);
}
END_TEST

START_TEST(summary_sorts_and_cuts)
{
	script_init(&script);
	script.look.sort = LOOK_SORT_NAME;
	script.look.top = 1;
	script_open(&script, summary_sink_new);
	some_calls();
	script_expect(&script,
		      HEADER INNER "... and 1 more\n"
				   "4 calls of 2 functions, 3.000ms in them\n");
}
END_TEST

START_TEST(summary_is_fresh_at_intervals)
{
	char *text, *second, *last;

	script_init(&script);
	script.look.interval = 1;
	script_open(&script, summary_sink_new);
	script_whole(&script, MAIN, "early", 0, 100);
	tee_tick(script.tee);
	script_whole(&script, MAIN, "late", 200, 300);
	tee_tick(script.tee);
	text = script_close(&script);
	/*
	 * A time, a table and an empty line, twice; then the table of the whole
	 * run.
	 */
	ck_assert_int_eq(text[2], ':');
	ck_assert_int_eq(text[8], '\n');
	second = strstr(text, "\n\n");
	last = strstr(second + 1, "\n\n");
	ck_assert_ptr_eq(strstr(last + 1, "\n\n"), NULL);
	ck_assert(strstr(text, "early") < second);
	ck_assert(strstr(text, "late") > second);
	ck_assert_ptr_ne(strstr(last, "early"), NULL);
	ck_assert_ptr_ne(strstr(last, "late"), NULL);
	*last = '\0';
	ck_assert_ptr_eq(strstr(second, "early"), NULL);
	free(text);
}
END_TEST

/* A call ends that is not the innermost, as in a thread with several stacks. */
START_TEST(self_survives_any_order)
{
	struct event_call *a, *b, *c;
	char *text;

	script_init(&script);
	script_open(&script, summary_sink_new);
	a = script_begin(&script, MAIN, "a", 0);
	b = script_begin(&script, MAIN, "b", 100);
	c = script_begin(&script, MAIN, "c", 200);
	script_end(&script, MAIN, b, 300, CALL_RETURNED);
	script_end(&script, MAIN, c, 400, CALL_RETURNED);
	script_end(&script, MAIN, a, 1000, CALL_RETURNED);
	text = script_close(&script);
	ck_assert_ptr_ne(strstr(text, "  1.000ms   600.0us         1"), NULL);
	ck_assert_ptr_ne(strstr(text, "3 calls of 3 functions, 1.000ms in"),
			 NULL);
	free(text);
}
END_TEST

/* A call that was in flight at the attach counts, but its time is only a part
 * of how long it took: it enters no percentile. */
START_TEST(summary_keeps_calls_in_flight_apart)
{
	struct event_call *call;
	char *text;

	script_init(&script);
	script_open(&script, summary_sink_new);
	script_whole(&script, MAIN, "f", 0, 100);
	call = script_begin(&script, MAIN, "f", 200);
	call->before = true;
	script_end(&script, MAIN, call, 9200, CALL_RETURNED);
	call = script_begin(&script, MAIN, "g", 10000);
	call->before = true;
	script_end(&script, MAIN, call, 11000, CALL_RETURNED);
	text = script_close(&script);
	ck_assert_ptr_nonnull(strstr(text, "  9.100ms   9.100ms         2"
					   "   100.0us   100.0us   100.0us"
					   "   100.0us   9.000ms  f\n"));
	ck_assert_ptr_nonnull(strstr(text, "  1.000ms   1.000ms         1"
					   "                              "
					   "             1.000ms  g\n"));
	free(text);
}
END_TEST

/* Calls that were counted inside the program, in two steps. */
static void
tell_sum(uint64_t micros, const struct event_times *times)
{
	struct event_call call = { .display = "inner", .name = "inner" };
	struct event event = { .kind = EVENT_SUM,
			       .pid = MAIN,
			       .tid = MAIN,
			       .call = &call,
			       .times = times };

	for (size_t i = 0; i < times->count; i++)
		event.calls += times->steps[i].calls;
	call.duration = (int64_t)micros * 1000;
	tee_event(script.tee, &event);
	event.kind = EVENT_SUM_WITHIN;
	tee_event(script.tee, &event);
}

START_TEST(sums_are_calls)
{
	static const struct event_step steps[] = { { 201000, 1 },
						   { 298000, 1 } };
	static const struct event_times times = {
		.own = 400000, .most = 300000, .steps = steps, .count = 2
	};
	struct event_call *outer;
	char *text;

	script_init(&script);
	script_open(&script, summary_sink_new);
	outer = script_begin(&script, MAIN, "outer", 0);
	tell_sum(500, &times);
	script_end(&script, MAIN, outer, 1000, CALL_RETURNED);
	script_whole(&script, MAIN, "inner", 2000, 2050);
	text = script_close(&script);
	/* The sum and the longest time are exact. Percentiles are
	 * approximate. */
	ck_assert_ptr_nonnull(strstr(text, "  1.000ms   500.0us         1"));
	ck_assert_ptr_nonnull(strstr(text, "  550.0us   450.0us         3"
					   "   183.3us   201.7us   "));
	ck_assert_ptr_nonnull(strstr(text, "   300.0us  inner\n"));
	ck_assert_ptr_nonnull(strstr(text, "4 calls of 2 functions, 950.0us"));
	free(text);
}
END_TEST

/* Each tick is told the calls since the last tick. The longest call of the run
 * may have been told at an earlier tick. */
START_TEST(the_longest_may_have_been_told)
{
	static const struct event_step steps[] = { { 99000, 1 }, { 50000, 1 } };
	struct event_times times = {
		.own = 150000, .most = 99500, .steps = steps, .count = 2
	};
	char *text;

	script_init(&script);
	script.look.interval = 1; /* every tick */
	script_open(&script, summary_sink_new);
	tell_sum(150, &times);
	tee_tick(script.tee);
	times.most_before = true;
	times.count = 1;
	tell_sum(99, &times);
	tee_tick(script.tee);
	times.steps = &steps[1];
	tell_sum(50, &times);
	tee_tick(script.tee);
	text = script_close(&script);
	ck_assert_ptr_nonnull(strstr(text, "   99.50us  inner\n"));
	ck_assert_ptr_nonnull(strstr(text, "   99.00us  inner\n"));
	ck_assert_ptr_nonnull(strstr(text, "   50.00us  inner\n"));
	ck_assert_ptr_nonnull(strstr(text, "  299.0us   450.0us         4"));
	free(text);
}
END_TEST

Suite *
tables_suite(void)
{
	Suite *suite = suite_create("tables");
	TCase *tests = tcase_create("tables");

	tcase_add_test(tests, count_is_as_ltrace_prints_it);
	tcase_add_test(tests, count_of_nothing);
	tcase_add_loop_test(tests, count_names_functions, 0, 2);
	tcase_add_test(tests, summary_adds_up);
	tcase_add_test(tests, the_longest_is_no_more_than_all);
	tcase_add_test(tests, all_is_no_less_than_one_row);
	tcase_add_loop_test(tests, names_are_escaped, 0, 3);
	tcase_add_test(tests, summary_sorts_and_cuts);
	tcase_add_test(tests, summary_is_fresh_at_intervals);
	tcase_add_test(tests, self_survives_any_order);
	tcase_add_test(tests, summary_keeps_calls_in_flight_apart);
	tcase_add_test(tests, sums_are_calls);
	tcase_add_test(tests, the_longest_may_have_been_told);
	suite_add_tcase(suite, tests);
	return suite;
}
