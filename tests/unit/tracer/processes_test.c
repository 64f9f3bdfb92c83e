/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole sessions: children, threads, signals, and tracees that xtrace leaves.
 */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"
#include "tests/unit/checks.h"

#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TARGET static int
unit_sum(int one, int two)
{
	return one + two;
}

static const char prototypes[] = "int unit_sum(int, int);\n";

/* ---- processes and threads -------------------------------------------------
 */

static void
fork_once(void)
{
	pid_t child = fork();

	if (child == 0) {
		unit_sum(1, 1);
		_exit(6);
	}
	waitpid(child, NULL, 0);
	unit_sum(2, 2);
}

START_TEST(a_child_is_followed)
{
	stage_expect("-F stage.conf -f -x unit_sum", prototypes, fork_once,
		     "unit_sum(1, 1) = 2\n"
		     "+++ exited (status 6) +++\n"
		     "[pid PID] --- SIGCHLD (Child exited) ---\n"
		     "[pid PID] unit_sum(2, 2) = 4\n"
		     "[pid PID] +++ exited (status 0) +++\n");
}
END_TEST

START_TEST(a_child_is_let_go)
{
	stage_expect("-F stage.conf -x unit_sum", prototypes, fork_once,
		     "--- SIGCHLD (Child exited) ---\n"
		     "unit_sum(2, 2) = 4\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

/* Returns twice, in the child first. */
TARGET static int
unit_fork(int number)
{
	pid_t child = fork();

	if (child)
		waitpid(child, NULL, 0);
	return child ? number : 0;
}

static void
fork_within(void)
{
	if (unit_fork(3) == 0)
		_exit(6);
}

/* The parent has made the call. The child returns from it, too. */
START_TEST(a_child_returns_from_a_call)
{
	static const char *const lines[] = {
		"unit_fork(3 <unfinished ...>\n",
		"] <... unit_fork resumed> ) = 0\n",
		"] +++ exited (status 6) +++\n",
		"[pid PID] --- SIGCHLD (Child exited) ---\n",
		"[pid PID] <... unit_fork resumed> ) = 3\n",
		"[pid PID] +++ exited (status 0) +++\n",
	};
	char *text = stage_trace("-F stage.conf -f -x unit_fork",
				 "int unit_fork(int);\n", fork_within);
	const char *at = text;

	for (size_t i = 0; i < array_size(lines); i++) {
		at = strstr(at, lines[i]);
		ck_assert_msg(at != NULL, "%s: %s", lines[i], text);
		at += strlen(lines[i]);
	}
	ck_assert_str_eq(at, "");
	free(text);
}
END_TEST

static void
exec_once(void)
{
	static char *const arguments[] = { "true", NULL };

	unit_sum(1, 1);
	execv("/bin/true", arguments);
}

START_TEST(another_program)
{
	stage_expect("-F stage.conf -x unit_sum", prototypes, exec_once,
		     "unit_sum(1, 1) = 2\n"
		     "--- Called exec() ---\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

static void *
in_thread(void *argument)
{
	unit_sum(4, 4);
	return argument;
}

static void
start_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, in_thread, NULL) == 0)
		pthread_join(thread, NULL);
	unit_sum(5, 5);
}

START_TEST(a_thread)
{
	stage_expect("-F stage.conf -f -x unit_sum", prototypes, start_thread,
		     "unit_sum(4, 4) = 8\n"
		     "[pid PID] unit_sum(5, 5) = 10\n"
		     "[pid PID] +++ exited (status 0) +++\n");
}
END_TEST

static void
on_signal(int signal)
{
	unit_sum(signal, 0);
}

static void
get_signals(void)
{
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	unit_sum(1, 2);
	kill(getpid(), SIGKILL);
}

START_TEST(signals)
{
	stage_expect("-F stage.conf -x unit_sum", prototypes, get_signals,
		     "--- SIGUSR1 (User defined signal 1) ---\n"
		     "unit_sum(10, 0) = 10\n"
		     "unit_sum(1, 2) = 3\n"
		     "+++ killed by SIGKILL +++\n");
}
END_TEST

/*
 * A program that uses SIGTRAP itself. It also executes xtrace's traps while it
 * blocks the signal.
 */
static volatile sig_atomic_t traps;

static void
on_trap(int signal)
{
	traps += unit_sum(signal > 0, 0);
}

static void
use_traps(void)
{
	sigset_t set;

	signal(SIGTRAP, on_trap);
	raise(SIGTRAP);
	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	unit_sum(1, 1);
	raise(SIGTRAP);
	unit_sum(2, 2);
	if (traps != 1)
		_exit(1);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	if (traps != 2)
		_exit(2);
	signal(SIGTRAP, SIG_IGN);
	unit_sum(3, 3);
	raise(SIGTRAP);
}

START_TEST(a_program_with_traps_of_its_own)
{
	stage_expect("-F stage.conf -x unit_sum", prototypes, use_traps,
		     "--- SIGTRAP (Trace/breakpoint trap) ---\n"
		     "unit_sum(1, 0) = 1\n"
		     "unit_sum(1, 1) = 2\n"
		     "unit_sum(2, 2) = 4\n"
		     "--- SIGTRAP (Trace/breakpoint trap) ---\n"
		     "unit_sum(1, 0) = 1\n"
		     "unit_sum(3, 3) = 6\n"
		     "--- SIGTRAP (Trace/breakpoint trap) ---\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

static void
spawn_once(void)
{
	static char *const arguments[] = { "true", NULL };
	pid_t child;
	int status;

	if (posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ) !=
		    0 ||
	    waitpid(child, &status, 0) != child || status != 0)
		_exit(1);
	unit_sum(6, 6);
}

START_TEST(a_child_that_shares_memory)
{
	stage_expect("-F stage.conf -x unit_sum", prototypes, spawn_once,
		     "--- SIGCHLD (Child exited) ---\n"
		     "unit_sum(6, 6) = 12\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

/* ---- leaving ---------------------------------------------------------------
 */

static volatile int rounds;

static void
go_round(void)
{
	for (;;) {
		if (unit_sum(2, 3) != 5)
			_exit(1);
		rounds++;
	}
}

START_TEST(who_is_left_runs_on)
{
	struct stage stage;
	struct space *space;
	struct tally tally;
	uint8_t byte;
	char *text;

	stage_open(&stage, "-x unit_sum", NULL, go_round);
	atomic_store(&stage.clockwork.leave, true);
	space = space_new(stage.pid, &tally);
	ck_assert_int_eq(space_read_raw(space, (addr_t)(uintptr_t)unit_sum,
					&byte, 1),
			 0);
	ck_assert_uint_eq(byte, 0xcc);
	stage_run(&stage);
	ck_assert_int_eq(space_read_raw(space, (addr_t)(uintptr_t)unit_sum,
					&byte, 1),
			 0);
	ck_assert_uint_ne(byte, 0xcc);
	ck_assert_int_eq(waitpid(stage.pid, NULL, WNOHANG), 0);
	space_unref(space);
	text = stage_close(&stage);
	ck_assert_str_eq(text, "");
	free(text);
}
END_TEST

Suite *
processes_suite(void)
{
	Suite *suite = suite_create("tracer/processes");
	TCase *tests = tcase_create("processes");

	tcase_add_test(tests, a_child_is_followed);
	tcase_add_test(tests, a_child_is_let_go);
	tcase_add_test(tests, a_child_returns_from_a_call);
	tcase_add_test(tests, another_program);
	tcase_add_test(tests, a_thread);
	tcase_add_test(tests, signals);
	tcase_add_test(tests, a_program_with_traps_of_its_own);
	tcase_add_test(tests, a_child_that_shares_memory);
	tcase_add_test(tests, who_is_left_runs_on);
	suite_add_tcase(suite, tests);
	return suite;
}
