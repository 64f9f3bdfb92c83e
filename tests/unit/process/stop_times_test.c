/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times at which children stop or end while nobody waits for them. */
#include "process/stop_times.h"
#include "tests/unit/process/suites.h"

#include "base/clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

/* A thread that gets SIGCHLD, as the main thread of xtrace does. */
static void *
sleeper(void *unused)
{
	(void)unused;
	for (;;)
		pause();
	return NULL;
}

static pid_t
end_of_child(void)
{
	siginfo_t info;
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	return pid;
}

/* Returns when the clock has advanced. On some virtual machines it advances in
 * steps that are longer than a reading of it takes. */
static void
let_time_pass(void)
{
	uint64_t before = clock_now();

	while (clock_now() == before)
		;
}

START_TEST(noted)
{
	pthread_t thread;
	uint64_t before, when;
	pid_t pid, later;

	ck_assert_int_eq(pthread_create(&thread, NULL, sleeper, NULL), 0);
	before = clock_now();
	stop_times_begin();
	pid = end_of_child();
	/* The other thread runs the handler of SIGCHLD soon. */
	do
		when = stop_times_of(pid, before, UINT64_MAX);
	while (when == UINT64_MAX);
	ck_assert_uint_gt(when, before);
	let_time_pass();
	ck_assert_uint_lt(when, clock_now());
	stop_times_end();
	later = end_of_child();
	ck_assert_uint_eq(stop_times_of(later, before, 7), 7);
	/* A note from before the thread was resumed does not count, nor does
	 * the note of another thread. */
	ck_assert_uint_eq(stop_times_of(pid, when, UINT64_MAX), UINT64_MAX);
	ck_assert_uint_eq(stop_times_of(getpid(), 0, 7), 7);
	stop_times_begin();
	ck_assert_uint_eq(stop_times_of(pid, before, UINT64_MAX), UINT64_MAX);
	stop_times_end();
	waitpid(pid, NULL, 0);
	waitpid(later, NULL, 0);
}
END_TEST

/*
 * The thread that notes the stops may get a CPU late, when xtrace has seen the
 * stop already. Its note must not count as the time of the next stop, which
 * would be too early.
 */
START_TEST(noted_late)
{
	siginfo_t info = { .si_pid = 4711 };
	struct sigaction action;
	uint64_t resumed, first;

	stop_times_begin();
	ck_assert_int_eq(sigaction(SIGCHLD, NULL, &action), 0);
	resumed = clock_now();
	let_time_pass();
	action.sa_sigaction(SIGCHLD, &info, NULL);
	let_time_pass();
	first = stop_times_of(4711, resumed, UINT64_MAX);
	ck_assert_uint_gt(first, resumed);
	ck_assert_uint_lt(first, clock_now());
	/* of two stops, the last one counts */
	action.sa_sigaction(SIGCHLD, &info, NULL);
	ck_assert_uint_gt(stop_times_of(4711, resumed, UINT64_MAX), first);
	stop_times_end();
	let_time_pass();
	ck_assert_uint_lt(stop_times_of(4711, resumed, UINT64_MAX),
			  clock_now());
	/* no stop is noted after stop_times_end() */
	resumed = clock_now();
	let_time_pass();
	action.sa_sigaction(SIGCHLD, &info, NULL);
	ck_assert_uint_eq(stop_times_of(4711, resumed, UINT64_MAX), UINT64_MAX);
}
END_TEST

Suite *
stop_times_suite(void)
{
	Suite *suite = suite_create("process/stop_times");
	TCase *tests = tcase_create("stop_times");

	tcase_add_test(tests, noted);
	tcase_add_test(tests, noted_late);
	suite_add_tcase(suite, tests);
	return suite;
}
