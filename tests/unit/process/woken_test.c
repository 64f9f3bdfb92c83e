/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that run, that block, and that have not run since a look. */
#include "arch/arch.h"
#include "process/woken.h"
#include "process/resume.h"
#include "tests/unit/live/tracee.h"
#include "tests/unit/process/suites.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>

static struct tracee tracee;

static void
teardown(void)
{
	tracee_end(&tracee);
}

static void
spin(void)
{
	for (;;)
		__asm__ volatile("");
}

START_TEST(a_thread_that_runs)
{
	enum woken woken;

	tracee_start(&tracee, spin);
	do {
		woken_begin(tracee.thread);
		woken = woken_look(tracee.thread);
	} while (woken == WOKEN_NOT);
	/* A first look at a running thread does not prove that it runs. */
	ck_assert_int_eq(woken, WOKEN_PERHAPS);
	do
		woken = woken_look(tracee.thread);
	while (woken == WOKEN_PERHAPS);
	ck_assert_int_eq(woken, WOKEN_RUNS);
	/* After WOKEN_RUNS, the next look counts as a first look. */
	ck_assert_int_eq(woken_look(tracee.thread), WOKEN_PERHAPS);
}
END_TEST

START_TEST(it_is_interrupted)
{
	struct pids tids = { 0 };
	struct blocked blocked;

	tracee_start(&tracee, spin);
	vec_push(&tids.list, tracee.pid);
	while (!tracee.thread->asked)
		woken_ask_running(&tracee.table, &tids, 0);
	vec_release(&tids.list);
	ck_assert_int_eq(woken_blocked(&tracee.table, tracee.thread, &blocked),
			 0);
	tracee_await(&tracee, STOP_INTERRUPT);
	ck_assert_int_eq(woken_look(tracee.thread), WOKEN_NOT);
}
END_TEST

/* The interrupted thread may stop before it is looked at again. */
START_TEST(it_ran_when_it_was_interrupted)
{
	struct blocked blocked = { .running = false };

	tracee_start(&tracee, spin);
	for (int i = 0; i < 50; i++) {
		while (status_blocked(arch_of_host(), tracee.pid, tracee.pid,
				      &blocked) < 0 ||
		       !blocked.running)
			;
		ck_assert_int_eq(woken_blocked(&tracee.table, tracee.thread,
					       &blocked),
				 0);
		ck_assert(tracee.thread->asked && blocked.running);
		tracee_await(&tracee, STOP_INTERRUPT);
		thread_resume(&tracee.table, tracee.thread, 0);
	}
}
END_TEST

START_TEST(a_thread_that_blocks)
{
	struct pids tids = { 0 };
	struct blocked blocked;

	tracee_start(&tracee, tracee_pause);
	tracee_await_blocked(tracee.pid, SYS_pause);
	woken_begin(tracee.thread);
	ck_assert_int_eq(woken_look(tracee.thread), WOKEN_NOT);
	vec_push(&tids.list, tracee.pid);
	woken_ask_running(&tracee.table, &tids, 0);
	vec_release(&tids.list);
	ck_assert_int_eq(woken_blocked(&tracee.table, tracee.thread, &blocked),
			 0);
	ck_assert(!blocked.running);
	ck_assert_int_eq(blocked.number, SYS_pause);
	ck_assert_int_eq(woken_may_stop(&tracee.table, tracee.thread), 0);
	ck_assert(!tracee.thread->asked);
}
END_TEST

static void
sigwait_for_good(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigtimedwait(&none, NULL, NULL);
}

START_TEST(a_call_that_is_not_continued)
{
	tracee_start(&tracee, sigwait_for_good);
	tracee_await_blocked(tracee.pid, SYS_rt_sigtimedwait);
	ck_assert_int_eq(woken_may_stop(&tracee.table, tracee.thread), -EAGAIN);
	ck_assert(!tracee.thread->asked);
}
END_TEST

START_TEST(the_time_is_over)
{
	struct pids tids = { 0 };
	struct blocked blocked;

	tracee_start(&tracee, spin);
	vec_push(&tids.list, tracee.pid);
	while (status_blocked(arch_of_host(), tracee.pid, tracee.pid,
			      &blocked) < 0 ||
	       !blocked.running)
		;
	tracee.table.deadline = 1;
	woken_ask_running(&tracee.table, &tids, 0);
	vec_release(&tids.list);
	ck_assert(!tracee.thread->asked);
	ck_assert_int_eq(woken_blocked(&tracee.table, tracee.thread, &blocked),
			 -EAGAIN);
	ck_assert(!tracee.thread->asked);
}
END_TEST

Suite *
woken_suite(void)
{
	Suite *suite = suite_create("process/woken");
	TCase *tests = tcase_create("woken");

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, a_thread_that_runs);
	tcase_add_test(tests, it_is_interrupted);
	tcase_add_test(tests, it_ran_when_it_was_interrupted);
	tcase_add_test(tests, a_thread_that_blocks);
	tcase_add_test(tests, a_call_that_is_not_continued);
	tcase_add_test(tests, the_time_is_over);
	suite_add_tcase(suite, tests);
	return suite;
}
