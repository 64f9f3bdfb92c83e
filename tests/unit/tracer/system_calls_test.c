/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions with -S: which system calls are shown, and how they end. */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"
#include "tests/unit/checks.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

TARGET static int
unit_call(int number)
{
	return (int)syscall(SYS_dup, number);
}

static const char prototypes[] = "int unit_call(int);\n"
				 "errno(int) dup(int);\n"
				 "errno(int) pause(void);\n"
				 "errno(int) close(int);\n"
				 "errno(long) write(int, string[arg3], "
				 "ulong);\n";

static void
make_calls(void)
{
	syscall(SYS_dup, 100);
	syscall(SYS_close, 101);
	unit_call(102);
	syscall(SYS_write, 103, "x", 1UL);
	syscall(100000, 7, 0, 0, 0);
}

START_TEST(some_calls)
{
	stage_expect("-F stage.conf -L -Sdup+write", prototypes, make_calls,
		     "dup@SYS(100) = -1 EBADF (Bad file descriptor)\n"
		     "dup@SYS(102) = -1 EBADF (Bad file descriptor)\n"
		     "write@SYS(103, \"x\", 1) = -1 EBADF "
		     "(Bad file descriptor)\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

/* A system call is within the function that makes it, and one without a name
 * is shown by its number. */
START_TEST(calls_within_a_function)
{
	stage_expect("-F stage.conf -n 2 -Sdup+syscall_* -x unit_call",
		     prototypes, make_calls,
		     "dup@SYS(100) = -1 EBADF (Bad file descriptor)\n"
		     "unit_call(102 <unfinished ...>\n"
		     " dup@SYS(102) = -1 EBADF (Bad file descriptor)\n"
		     "<... unit_call resumed> ) = -1\n"
		     "syscall_100000@SYS(7, 0, 0, 0) = -1 ENOSYS "
		     "(Function not implemented)\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

static void
hear_signal(int signal)
{
	(void)signal;
}

static void
be_interrupted(void)
{
	const struct sigaction action = { .sa_handler = hear_signal };
	/* If the first signal comes before the call, another signal follows. */
	const struct itimerval soon = { { 0, 20000 }, { 0, 20000 } };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	syscall(SYS_pause);
}

/* If a signal has ended a call, xtrace shows the error code that only the
 * kernel uses. */
START_TEST(a_call_that_a_signal_ends)
{
	stage_expect("-F stage.conf -b -L -Spause", prototypes, be_interrupted,
		     "pause@SYS() = ? ERESTARTNOHAND "
		     "(restarts if no handler runs)\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

static void
end_within(void)
{
	syscall(SYS_exit_group, 3);
}

START_TEST(a_call_that_does_not_return)
{
	char *text = stage_trace("-F stage.conf -L -Sexit_group",
				 "void exit_group(int);\n", end_within);

	ck_assert_str_eq(text, "exit_group@SYS(3 <no return ...>\n"
			       "+++ exited (status 3) +++\n");
	free(text);
}
END_TEST

START_TEST(a_command_that_execs)
{
	char *text =
		stage_trace("-b -L -Sexecve /bin/sh -c exec\tsh\t-c\t:", NULL,
			    NULL);

	ck_assert_msg(strstr(text, "execve@SYS(") != NULL, "%s", text);
	ck_assert_msg(strstr(text, "+++ exited (status 0) +++") != NULL, "%s",
		      text);
	free(text);
}
END_TEST

/* The program reads its own action for SIGTRAP, not the one of xtrace. */
static void
ask_for_action(void)
{
	struct sigaction action;

	if (sigaction(SIGTRAP, NULL, &action) < 0 ||
	    action.sa_handler != SIG_DFL)
		_exit(1);
	unit_call(102);
}

START_TEST(the_action_of_sigtrap)
{
	char *text = stage_trace("-F stage.conf -Srt_sigaction -x unit_call",
				 prototypes, ask_for_action);

	ck_assert_msg(strstr(text, "rt_sigaction@SYS(SIGTRAP, nil, "
				   "{SIG_DFL") != NULL,
		      "%s", text);
	ck_assert_msg(strstr(text, "unit_call(102) = -1\n") != NULL, "%s",
		      text);
	ck_assert_msg(strstr(text, "+++ exited (status 0) +++") != NULL, "%s",
		      text);
	free(text);
}
END_TEST

Suite *
system_calls_suite(void)
{
	Suite *suite = suite_create("tracer/system_calls");
	TCase *tests = tcase_create("system_calls");

	tcase_add_test(tests, some_calls);
	tcase_add_test(tests, calls_within_a_function);
	tcase_add_test(tests, a_call_that_a_signal_ends);
	tcase_add_test(tests, a_call_that_does_not_return);
	tcase_add_test(tests, a_command_that_execs);
	tcase_add_test(tests, the_action_of_sigtrap);
	suite_add_tcase(suite, tests);
	return suite;
}
