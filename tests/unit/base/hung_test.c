/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tests/unit/live/hung.c does when Check ends a test. */
#include "tests/unit/base/suites.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t
start_group(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(setpgid(pid, pid), 0);
	return pid;
}

/* echo(1), in place of the program that prints where a test hangs, writes the
 * number of the group. */
START_TEST(the_place_of_a_hung_test_is_printed)
{
	int ends[2], status;
	pid_t group = start_group();
	char text[64] = "", wanted[64];
	ssize_t length;

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(dup2(ends[1], STDOUT_FILENO), STDOUT_FILENO);
	close(ends[1]);
	ck_assert_int_eq(setenv("XTRACE_HUNG", "/bin/echo", 1), 0);
	ck_assert_int_eq(killpg(group, SIGKILL), 0);
	ck_assert_int_eq(waitpid(group, &status, 0), group);
	ck_assert_int_eq(WTERMSIG(status), SIGKILL);
	/* Nothing is printed if the test has ended. */
	ck_assert_int_eq(killpg(group, SIGKILL), -1);
	ck_assert_int_eq(errno, ESRCH);
	close(STDOUT_FILENO);
	length = read(ends[0], text, sizeof(text) - 1);
	snprintf(wanted, sizeof(wanted), "%d\n", group);
	ck_assert_int_gt(length, 0);
	ck_assert_str_eq(text, wanted);
	ck_assert_int_eq(read(ends[0], text, sizeof(text)), 0);
}
END_TEST

Suite *
hung_suite(void)
{
	Suite *suite = suite_create("unit/live/hung");
	TCase *tests = tcase_create("hung");

	tcase_add_test(tests, the_place_of_a_hung_test_is_printed);
	suite_add_tcase(suite, tests);
	return suite;
}
