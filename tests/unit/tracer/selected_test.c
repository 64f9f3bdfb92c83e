/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that are left out inside the program, because --if or --min-time does
 * not select them (--engine=agent). The trace must be the same as if every call
 * stopped.
 */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"

#include "tests/unit/checks.h"
#include "tracer/report/hot_sites.h"
#include "tracer/report/metering.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLS 300

TARGET static int
unit_pick(int number, short small)
{
	return (number ^ 0x55) + small;
}

/* When the function returns, the text has changed. */
TARGET static int
unit_spoil(char *text, int number)
{
	text[0] = '#';
	return number;
}

TARGET static double
unit_half(double number)
{
	return number / 2;
}

TARGET static int
unit_around(int number)
{
	return unit_pick(number, 1) - 1;
}

static jmp_buf back;

TARGET static int
unit_leave(int number)
{
	if (unit_pick(number, 2) && number % 100 == 50)
		longjmp(back, 1);
	return number;
}

static const char prototypes[] = "int unit_pick(int number, short small);\n"
				 "int unit_spoil(string text, int number);\n"
				 "double unit_half(double);\n"
				 "int unit_around(int);\n"
				 "int unit_leave(int);\n";

/* Expects these lines of both engines. With --engine=agent, at least `least`
 * calls are left out inside the program, if that is possible on this
 * machine. */
static void
expect(const char *line, void (*run)(void), uint64_t least,
       const char *expected)
{
	cleanup(freep) char *with_agent =
		xasprintf("-F stage.conf --engine=agent %s", line);
	cleanup(freep) char *with_ptrace =
		xasprintf("-F stage.conf --engine=ptrace %s", line);
	struct stage stage;
	uint64_t inside;
	bool possible;
	char *trace;

	stage_open(&stage, with_agent, prototypes, run);
	stage_run(&stage);
	inside = stage.session.counts.inside;
	possible = metering_possible(&stage.session);
	trace = stage_close_plain(&stage);
	ck_assert_str_eq(trace, expected);
	free(trace);
	if (possible)
		ck_assert_uint_ge(inside, least);
	stage_expect(with_ptrace, prototypes, run, expected);
}

static void
pick_often(void)
{
	for (int i = 0; i < CALLS; i++)
		unit_pick(i, (short)(i % 7 - 3));
}

/* 299 ^ 0x55 is 382, and 299 % 7 - 3 is 2. */
START_TEST(by_the_result)
{
	expect("-x unit_pick --if retval==384", pick_often, CALLS / 2,
	       "unit_pick(298, 1) = 384\n"
	       "unit_pick(299, 2) = 384\n"
	       "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(by_the_arguments)
{
	expect("-x unit_pick --if small==-3&&number>290", pick_often, CALLS / 2,
	       "unit_pick(294, -3) = 368\n"
	       "+++ exited (status 0) +++\n");
	expect("-x unit_pick --if !(arg1<290||arg1>291)", pick_often, CALLS / 2,
	       "unit_pick(290, 0) = 375\n"
	       "unit_pick(291, 1) = 375\n"
	       "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(by_the_time)
{
	expect("-x unit_pick --min-time=1h", pick_often, CALLS / 2,
	       "+++ exited (status 0) +++\n");
	expect("-x unit_pick --if duration>1h", pick_often, CALLS / 2,
	       "+++ exited (status 0) +++\n");
}
END_TEST

static void
spoil_often(void)
{
	for (int i = 0; i < CALLS; i++) {
		char text[] = "a text";

		unit_spoil(text, i);
	}
}

START_TEST(texts_are_as_at_the_entry)
{
	expect("-x unit_spoil --if retval==299", spoil_often, CALLS / 2,
	       "unit_spoil(\"a text\", 299) = 299\n"
	       "+++ exited (status 0) +++\n");
	expect("-x unit_spoil -s 3 --if retval==299", spoil_often, CALLS / 2,
	       "unit_spoil(\"a t\"..., 299) = 299\n"
	       "+++ exited (status 0) +++\n");
}
END_TEST

static void
call_around(void)
{
	for (int i = 0; i < CALLS; i++)
		unit_around(i);
}

/* If a meter lets a call stop at its return, xtrace walks the stack at that
 * stop. */
START_TEST(stacks)
{
	struct stage stage;
	char *trace;

	stage_open(&stage,
		   "-F stage.conf --engine=agent -x unit_pick -w 1 "
		   "--stack=native --if retval==383",
		   prototypes, call_around);
	stage_run(&stage);
	trace = stage_close_plain(&stage);
	ck_assert_msg(strstr(trace, "unit_pick(299, 1) = 383\n") == trace &&
			      strstr(trace, " in unit_around@unit-tracer\n"),
		      "%s", trace);
	free(trace);
}
END_TEST

static void
leave_often(void)
{
	volatile int sum = 0;

	for (volatile int i = 0; i < CALLS; i++) {
		if (setjmp(back) == 0)
			sum += unit_leave(i);
	}
}

/* xtrace ends calls that do not return, and decides about them. */
START_TEST(calls_that_are_left)
{
	expect("-x unit_leave --if arg1==250||arg1==260", leave_often,
	       CALLS / 3,
	       "unit_leave(250) = <unwound>\n"
	       "unit_leave(260) = 260\n"
	       "+++ exited (status 0) +++\n");
}
END_TEST

static void
halve_often(void)
{
	for (int i = 0; i < CALLS; i++)
		unit_half(i);
}

/* Why calls of a function stop is one of the things that --stats says. */
START_TEST(functions_that_must_stop)
{
	struct stage stage;
	char *said;

	stage_open(&stage,
		   "-F stage.conf --engine=agent --stats -x unit_half "
		   "--if arg1>1000",
		   prototypes, halve_often);
	stage_run(&stage);
	hot_sites_say(&stage.session);
	if (metering_possible(&stage.session)) {
		ck_assert_uint_eq(stage.session.counts.inside, 0);
		said = stage_said();
		ck_assert_msg(strstr(said,
				     "hot site unit_half: a trap, its "
				     "arguments must be read at the entry; "
				     "stops since then: ") != NULL,
			      "%s", said);
		free(said);
	}
	free(stage_close(&stage));
}
END_TEST

Suite *
selected_suite(void)
{
	Suite *suite = suite_create("tracer/selected");
	TCase *tests = tcase_create("selected");

	tcase_add_test(tests, by_the_result);
	tcase_add_test(tests, by_the_arguments);
	tcase_add_test(tests, by_the_time);
	tcase_add_test(tests, texts_are_as_at_the_entry);
	tcase_add_test(tests, stacks);
	tcase_add_test(tests, calls_that_are_left);
	tcase_add_test(tests, functions_that_must_stop);
	suite_add_tcase(suite, tests);
	return suite;
}
