/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that are counted inside the program (--engine=agent): the tables have
 * the same numbers as if every call had stopped, however the calls end. On a
 * machine whose clock is not the processor's counter, all calls stop.
 */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"

#include "tests/unit/checks.h"
#include "tracer/report/hot_sites.h"
#include "tracer/report/metering.h"
#include "tracer/report/metering_parts.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Many more calls than a function has before its site gets a meter. */
#define CALLS 300

TARGET static int
unit_inner(int one, int two)
{
	return (one ^ 0x1234567) * 3 + two;
}

TARGET static int
unit_outer(int number)
{
	return unit_inner(number, 2) + unit_inner(number, 3);
}

static const char prototypes[] = "int unit_inner(int, int);\n"
				 "int unit_outer(int);\n"
				 "int unit_caught(int);\n"
				 "int unit_left(int);\n"
				 "int unit_real(double);\n";

/* What a session has counted. */
struct counted {
	char *table, *said;
	uint64_t inside; /* calls that were counted inside the program */
	bool possible;	 /* calls can be counted inside on this machine */
};

static struct counted
count(const char *line, void (*run)(void))
{
	struct stage stage;
	struct counted counted;

	stage_open(&stage, line, prototypes, run);
	stage_run(&stage);
	hot_sites_say(&stage.session);
	counted.inside = stage.session.counts.inside;
	counted.possible = metering_possible(&stage.session);
	counted.table = stage_close(&stage);
	counted.said = stage_said();
	return counted;
}

static void
forget(struct counted *counted)
{
	free(counted->table);
	free(counted->said);
}

/* The number of calls in the function's row, which is in this column (from 0).
 */
static unsigned long
calls_of(const char *table, const char *function, unsigned column)
{
	const char *at = strstr(table, function);

	ck_assert_msg(at != NULL, "%s: %s", function, table);
	while (at > table && at[-1] != '\n')
		at--;
	for (unsigned i = 0; i < column; i++) {
		at += strspn(at, " ");
		at += strcspn(at, " ");
	}
	return strtoul(at, NULL, 10);
}

#define COUNT_COLUMN 3
#define SUMMARY_COLUMN 2

/* Expects this number of calls of the function in the table of -c. */
static void
expect_calls(const struct counted *counted, const char *function,
	     unsigned long calls)
{
	ck_assert_msg(calls_of(counted->table, function, COUNT_COLUMN) == calls,
		      "%lu calls of %s: %s", calls, function, counted->table);
}

/* Expects that at least `least` calls were counted inside the program. */
static void
expect_inside(const struct counted *counted, uint64_t least)
{
	if (counted->possible)
		ck_assert_uint_ge(counted->inside, least);
	else
		ck_assert_uint_eq(counted->inside, 0);
}

static void
call_often(void)
{
	for (int i = 0; i < CALLS; i++)
		unit_outer(i);
}

START_TEST(every_call_is_counted)
{
	struct counted counted =
		count("-F stage.conf -x unit_inner+unit_outer -c "
		      "--engine=agent",
		      call_often);

	expect_calls(&counted, " unit_outer\n", CALLS);
	expect_calls(&counted, " unit_inner\n", 2 * CALLS);
	expect_inside(&counted, CALLS);
	ck_assert_str_eq(counted.said, "");
	forget(&counted);
}
END_TEST

START_TEST(every_call_stops)
{
	struct counted counted =
		count("-F stage.conf -x unit_inner+unit_outer -c "
		      "--engine=ptrace",
		      call_often);

	expect_calls(&counted, " unit_outer\n", CALLS);
	expect_calls(&counted, " unit_inner\n", 2 * CALLS);
	ck_assert_uint_eq(counted.inside, 0);
	forget(&counted);
}
END_TEST

/* Own times and percentiles come from histograms inside the program. */
START_TEST(times_are_counted)
{
	struct counted counted =
		count("-F stage.conf -x unit_inner+unit_outer --summary "
		      "--engine=agent",
		      call_often);

	ck_assert_uint_eq(calls_of(counted.table, " unit_outer\n",
				   SUMMARY_COLUMN),
			  CALLS);
	ck_assert_uint_eq(calls_of(counted.table, " unit_inner\n",
				   SUMMARY_COLUMN),
			  2 * CALLS);
	ck_assert_ptr_nonnull(
		strstr(counted.table, "\n900 calls of 2 functions, "));
	expect_inside(&counted, CALLS);
	forget(&counted);
}
END_TEST

/* ---- calls that do not return ---------------------------------------------
 */

static jmp_buf back;

/* Leaves every third time by longjmp. */
TARGET static int
unit_left(int number)
{
	if (unit_inner(number, 4) && number % 3 == 0)
		longjmp(back, 1);
	return number;
}

static void
jump_often(void)
{
	volatile int sum = 0;

	for (volatile int i = 0; i < CALLS; i++) {
		if (setjmp(back) == 0)
			sum += unit_left(i);
	}
}

START_TEST(calls_that_are_left)
{
	struct counted counted =
		count("-F stage.conf -x unit_inner+unit_left -c --engine=agent",
		      jump_often);

	expect_calls(&counted, " unit_left\n", CALLS);
	expect_calls(&counted, " unit_inner\n", CALLS);
	expect_inside(&counted, CALLS / 2);
	forget(&counted);
}
END_TEST

static void
on_signal(int signal)
{
	unit_inner(signal, 5);
}

/* Some calls of this function get a signal before they end. */
TARGET static int
unit_caught(int number)
{
	if (number % 10 == 9)
		raise(SIGUSR1);
	return unit_inner(number, 6) + 1;
}

static void
catch_often(void)
{
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < CALLS; i++)
		unit_caught(i);
}

START_TEST(calls_with_signals_within)
{
	struct counted counted = count(
		"-F stage.conf -x unit_inner+unit_caught -c --engine=agent",
		catch_often);

	expect_calls(&counted, " unit_caught\n", CALLS);
	expect_calls(&counted, " unit_inner\n", CALLS + CALLS / 10);
	expect_inside(&counted, CALLS);
	forget(&counted);
}
END_TEST

/* ---- threads and programs --------------------------------------------------
 */

#define THREADS 3

static void *
call_in_thread(void *argument)
{
	call_often();
	return argument;
}

static void
start_threads(void)
{
	pthread_t threads[THREADS];

	call_often();
	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&threads[i], NULL, call_in_thread, NULL))
			_exit(1);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

START_TEST(calls_of_threads)
{
	struct counted counted = count(
		"-F stage.conf -x unit_inner+unit_outer -c --engine=agent",
		start_threads);

	expect_calls(&counted, " unit_outer\n", (1 + THREADS) * CALLS);
	expect_calls(&counted, " unit_inner\n", (1 + THREADS) * 2 * CALLS);
	expect_inside(&counted, THREADS * CALLS);
	forget(&counted);
}
END_TEST

static void
fork_and_exec(void)
{
	static char *const arguments[] = { (char *)"true", NULL };
	pid_t child;

	call_often();
	child = fork();
	call_often();
	if (child)
		waitpid(child, NULL, 0);
	execv("/bin/true", arguments);
	_exit(1);
}

START_TEST(calls_before_an_exec)
{
	struct counted counted = count(
		"-F stage.conf -f -x unit_inner+unit_outer -c --engine=agent",
		fork_and_exec);

	expect_calls(&counted, " unit_outer\n", 3 * CALLS);
	expect_calls(&counted, " unit_inner\n", 6 * CALLS);
	expect_inside(&counted, 2 * CALLS);
	ck_assert_str_eq(counted.said, "");
	forget(&counted);
}
END_TEST

/* ---- each second ----------------------------------------------------------
 */

TARGET static int
unit_mark(int number)
{
	return number;
}

/* The signal makes xtrace read the counts. xtrace has read them when it serves
 * the stop at the return of unit_mark(). */
static void
call_and_be_killed(void)
{
	call_often();
	kill(getppid(), SIGUSR1);
	unit_mark(1);
	kill(getpid(), SIGKILL);
}

START_TEST(what_is_read_each_second)
{
	struct stage stage;
	char *table;

	stage_open(&stage,
		   "-F stage.conf -x unit_inner+unit_mark -c --engine=agent",
		   prototypes, call_and_be_killed);
	stage_tick_by(&stage, SIGUSR1);
	stage_run(&stage);
	table = stage_close(&stage);
	ck_assert_uint_eq(calls_of(table, " unit_inner\n", COUNT_COLUMN),
			  2 * CALLS);
	free(table);
}
END_TEST

/* ---- what --stats says -----------------------------------------------------
 */

START_TEST(sites_that_are_hot)
{
	struct counted counted =
		count("-F stage.conf -x unit_inner+unit_outer -c "
		      "--engine=agent --stats",
		      call_often);

	if (counted.possible) {
		ck_assert_msg(strstr(counted.said,
				     "xtrace: hot site unit_inner: a jump; "
				     "stops since then: ") &&
				      strstr(counted.said,
					     "xtrace: hot site return to "
					     "unit-tracer+0x"),
			      "%s", counted.said);
	}
	forget(&counted);
}
END_TEST

START_TEST(ages_of_open_calls)
{
	static const struct {
		struct open_times times;
		uint64_t least, most;
	} rows[] = {
		/* The stops before and after it have added 40 us: from none
		 * to all of this is in the call's age by the clock. */
		{ { 1000000, 5000000, 5040000 }, 960000, 1000000 },
		/* The call has begun when the thread was resumed. */
		{ { 1010000, 1000000, 1040000 }, 970000, 1000000 },
		{ { 30000, 5000000, 5040000 }, 0, 30000 },
		{ { 1000000, 5000000, 5000000 }, 1000000, 1000000 },
		/* Because of a measuring error, the own time is more than the
		 * clock's. */
		{ { 1000000, 5000000, 4990000 }, 1000000, 1000000 },
		{ { 1000000, 100, 0 }, 100, 100 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct open_ages ages;

		metering_ages(&rows[i].times, &ages);
		ck_assert_uint_eq(ages.least, rows[i].least);
		ck_assert_uint_eq(ages.most, rows[i].most);
	}
}
END_TEST

Suite *
counted_suite(void)
{
	Suite *suite = suite_create("tracer/counted");
	TCase *tests = tcase_create("counted");

	tcase_add_test(tests, every_call_is_counted);
	tcase_add_test(tests, every_call_stops);
	tcase_add_test(tests, times_are_counted);
	tcase_add_test(tests, calls_that_are_left);
	tcase_add_test(tests, calls_with_signals_within);
	tcase_add_test(tests, calls_of_threads);
	tcase_add_test(tests, calls_before_an_exec);
	tcase_add_test(tests, what_is_read_each_second);
	tcase_add_test(tests, sites_that_are_hot);
	tcase_add_test(tests, ages_of_open_calls);
	suite_add_tcase(suite, tests);
	return suite;
}
