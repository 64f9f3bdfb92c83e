/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --inject: which functions and system calls get another result, and which keep
 * their own. The copy of the test shows the results that it has got.
 */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"
#include "tests/unit/checks.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int runs;

TARGET static int
unit_double(int number)
{
	runs++;
	return number * 2;
}

TARGET static double
unit_half(double number)
{
	return number / 2;
}

/* What a call has returned, its errno, and how often the function has run. */
TARGET static void
unit_got(int result, int error, int times)
{
	(void)result;
	(void)error;
	(void)times;
}

static const char prototypes[] = "errno(int) unit_double(int);\n"
				 "double unit_half(double);\n"
				 "void unit_got(int, int, int);\n"
				 "errno(int) dup(int);\n"
				 "int sigaction(int, addr, addr);\n";

static void
double_three(void)
{
	for (int i = 1; i <= 3; i++) {
		int result;

		errno = 0;
		result = unit_double(i);
		unit_got(result, errno, runs);
	}
}

START_TEST(one_call_fails)
{
	stage_expect(
		"-F stage.conf -x unit_got "
		"--inject unit_double:retval=-1:error=EIO:when=2",
		prototypes, double_three,
		"--- calls are changed: unit_double:retval=-1:error=EIO:when=2 "
		"---\n"
		"unit_double(1) = 2\n"
		"unit_got(2, 0, 1) = <void>\n"
		"unit_double(2) = -1 EIO (Input/output error) (INJECTED)\n"
		"unit_got(-1, 5, 1) = <void>\n"
		"unit_double(3) = 6\n"
		"unit_got(6, 0, 2) = <void>\n"
		"+++ exited (status 0) +++\n");
}
END_TEST

/* Each --inject counts calls for itself. The first --inject that selects a call
 * changes it. */
START_TEST(two_changes_of_a_function)
{
	stage_expect(
		"-F stage.conf -x unit_got --inject "
		"unit_double:retval=7:when=2+ "
		"--inject unit_[d]*@MAIN:retval=5:when=1..2",
		prototypes, double_three,
		"--- calls are changed: unit_double:retval=7:when=2+ ---\n"
		"--- calls are changed: unit_[d]*@MAIN:retval=5:when=1..2 ---\n"
		"unit_double(1) = 5 (INJECTED)\n"
		"unit_got(5, 0, 0) = <void>\n"
		"unit_double(2) = 7 (INJECTED)\n"
		"unit_got(7, 0, 0) = <void>\n"
		"unit_double(3) = 7 (INJECTED)\n"
		"unit_got(7, 0, 0) = <void>\n"
		"+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(a_call_is_delayed)
{
	stage_expect("-F stage.conf --inject unit_double:delay=1us:when=2",
		     prototypes, double_three,
		     "--- calls are changed: unit_double:delay=1us:when=2 ---\n"
		     "unit_double(1) = 2\n"
		     "unit_double(2) = 4 (DELAYED)\n"
		     "unit_double(3) = 6\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

static void
keep_results(void)
{
	const struct sigaction action = { .sa_handler = SIG_IGN };

	unit_got(sigaction(SIGUSR1, &action, NULL), 0, 0);
	for (int i = 0; i < 2; i++)
		unit_got(unit_half(8) == 4, 0, 0);
}

/* A result in a vector register is not set, and a function that xtrace itself
 * needs is not left out. Each reason is told once. */
START_TEST(results_that_are_kept)
{
	char *text = stage_trace("-F stage.conf -x unit_got "
				 "--inject unit_half:retval=7 "
				 "--inject sigaction:retval=-1",
				 prototypes, keep_results);

	ck_assert_ptr_null(strstr(text, "INJECTED"));
	ck_assert_ptr_nonnull(strstr(text, "unit_half(8) = 4\n"));
	ck_assert_ptr_nonnull(strstr(text, "unit_got(0, 0, 0)"));
	ck_assert_ptr_null(strstr(text, "unit_got(-1, 0, 0)"));
	free(text);
	text = stage_said();
	ck_assert_str_eq(text,
			 "xtrace: --inject: sigaction is run: xtrace must see "
			 "what it does\n"
			 "xtrace: --inject: unit_half is run: its result is "
			 "neither an integer nor a pointer\n");
	free(text);
}
END_TEST

static void
duplicate(void)
{
	for (int i = 0; i < 2; i++) {
		int result;

		errno = 0;
		result = (int)syscall(SYS_dup, 100);
		unit_got(result, errno, 0);
	}
}

START_TEST(a_system_call_is_not_made)
{
	stage_expect(
		"-F stage.conf -x unit_got "
		"--inject dup@SYS:error=EMFILE:when=1",
		prototypes, duplicate,
		"--- calls are changed: dup@SYS:error=EMFILE:when=1 ---\n"
		"dup@SYS(100) = -1 EMFILE (Too many open files) (INJECTED)\n"
		"unit_got(-1, 24, 0) = <void>\n"
		"dup@SYS(100) = -1 EBADF (Bad file descriptor)\n"
		"unit_got(-1, 9, 0) = <void>\n"
		"+++ exited (status 0) +++\n");
}
END_TEST

Suite *
tampered_suite(void)
{
	Suite *suite = suite_create("tracer/tampered");
	TCase *tests = tcase_create("tampered");

	tcase_add_test(tests, one_call_fails);
	tcase_add_test(tests, two_changes_of_a_function);
	tcase_add_test(tests, a_call_is_delayed);
	tcase_add_test(tests, results_that_are_kept);
	tcase_add_test(tests, a_system_call_is_not_made);
	suite_add_tcase(suite, tests);
	return suite;
}
