/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every kind of stop, and how it is decoded. */
#include "process/wait.h"
#include "tests/unit/live/tracee.h"
#include "tests/unit/process/suites.h"

#include "process/resume.h"
#include "process/space.h"
#include "process/system_call.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct tracee tracee;

static void
teardown(void)
{
	tracee_end(&tracee);
}

static void
interrupted(void)
{
	struct stop stop = tracee_stop(&tracee);

	ck_assert_int_eq(stop.kind, STOP_INTERRUPT);
	ck_assert_ptr_eq(stop.thread, tracee.thread);
	ck_assert_int_eq(tracee.thread->state, THREAD_STOPPED);
}

START_TEST(an_interrupt)
{
	tracee_start(&tracee, tracee_pause);
	interrupted();
	tracee_resume(&tracee, 0);
	ck_assert_int_eq(tracee.thread->state, THREAD_RUNNING);
	tracee_await_blocked(tracee.pid, SYS_pause);
	interrupted();
	ck_assert_uint_ge(tracee.table.tally.stops[STOP_INTERRUPT], 2);
}
END_TEST

/* ---- signals ---------------------------------------------------------------
 */

static void
trap_then_signal(void)
{
	__asm__ volatile("int3");
	raise(SIGUSR1);
	kill(getpid(), SIGKILL);
}

START_TEST(a_trap_a_signal_and_its_death)
{
	struct stop stop;

	tracee_start(&tracee, trap_then_signal);
	ck_assert(!wait_trapped(&tracee.table, 1));
	tracee_await(&tracee, STOP_TRAP);
	ck_assert(wait_trapped(&tracee.table, tracee.pid));
	tracee_resume(&tracee, 0);
	stop = tracee_await(&tracee, STOP_SIGNAL);
	ck_assert_int_eq(stop.signal, SIGUSR1);
	ck_assert(!wait_trapped(&tracee.table, tracee.pid));
	tracee_resume(&tracee, 0);
	stop = tracee_await(&tracee, STOP_GONE);
	ck_assert_int_eq(stop.signal, SIGKILL);
	ck_assert_int_eq(wait_thread(&tracee.table, tracee.thread, &stop),
			 -ESRCH);
	ck_assert_int_eq(wait_asked(&tracee.table, tracee.thread, &stop),
			 -ESRCH);
	ck_assert_int_eq(wait_any(&tracee.table, &stop), -ECHILD);
}
END_TEST

static void
stop_itself(void)
{
	raise(SIGSTOP);
	_exit(3);
}

START_TEST(a_group_stop_and_its_end)
{
	struct stop stop;

	tracee_start(&tracee, stop_itself);
	stop = tracee_await(&tracee, STOP_SIGNAL);
	ck_assert_int_eq(stop.signal, SIGSTOP);
	tracee_resume(&tracee, SIGSTOP);
	stop = tracee_await(&tracee, STOP_GROUP);
	ck_assert_int_eq(stop.signal, SIGSTOP);
	ck_assert_int_eq(thread_listen(&tracee.table, tracee.thread), 0);
	ck_assert_int_eq(tracee.thread->state, THREAD_LISTENING);
	ck_assert_int_eq(wait_poll(&tracee.table, tracee.pid, &stop), -EAGAIN);
	kill(tracee.pid, SIGCONT);
	tracee_await(&tracee, STOP_INTERRUPT);
	tracee_resume(&tracee, 0);
	stop = tracee_await(&tracee, STOP_SIGNAL);
	ck_assert_int_eq(stop.signal, SIGCONT);
	tracee_resume(&tracee, SIGCONT);
	stop = tracee_await(&tracee, STOP_GONE);
	ck_assert_int_eq(stop.signal, 0);
	ck_assert_int_eq(stop.status, 3);
}
END_TEST

START_TEST(a_system_call)
{
	tracee_start(&tracee, tracee_pause);
	interrupted();
	ck_assert_int_eq(thread_resume_to_syscall(&tracee.table, tracee.thread,
						  0),
			 0);
	tracee_await(&tracee, STOP_SYSCALL);
	ck_assert_int_eq(thread_detach(&tracee.table, tracee.thread, 0), 0);
}
END_TEST

/* An interrupt that an earlier stop has consumed is sent again. */
START_TEST(its_own_system_call)
{
	tracee_start(&tracee, tracee_pause);
	interrupted();
	tracee.thread->ask_again = true;
	ck_assert_int_eq(thread_resume_to_own_call(&tracee.table,
						   tracee.thread),
			 0);
	tracee_await(&tracee, STOP_INTERRUPT);
	ck_assert_int_eq(thread_resume_to_own_call(&tracee.table,
						   tracee.thread),
			 0);
	ck_assert(tracee.thread->watched);
	ck_assert_int_eq(tracee.thread->held.run, HELD_WORKS);
	tracee_await(&tracee, STOP_SYSCALL);
	ck_assert_int_eq(thread_detach(&tracee.table, tracee.thread, 0), 0);
}
END_TEST

/* A system call has a stop at its entry, with its number and arguments, and a
 * stop at its end. */
START_TEST(what_a_system_call_is)
{
	struct system_call_stop at = { .entry = false };

	tracee_start(&tracee, tracee_pause);
	interrupted();
	tracee.table.system_calls = true;
	tracee_resume(&tracee, 0);
	ck_assert(tracee.thread->watched);
	do {
		bool entry = at.entry;

		tracee_await(&tracee, STOP_SYSCALL);
		ck_assert_int_eq(thread_system_call(&tracee.table,
						    tracee.thread, &at),
				 0);
		ck_assert(at.entry != entry && !at.foreign);
		tracee_resume(&tracee, 0);
	} while (!at.entry || at.number != SYS_pause);
	/* The stop at the call's end comes first, and consumes the interrupt.
	 * So the thread is interrupted again before it runs. */
	ck_assert_int_eq(thread_interrupt(&tracee.table, tracee.thread), 0);
	tracee_await(&tracee, STOP_SYSCALL);
	ck_assert(tracee.thread->ask_again);
	ck_assert_int_eq(thread_system_call(&tracee.table, tracee.thread, &at),
			 0);
	ck_assert(!at.entry && at.failed && system_call_restarts(at.result));
	tracee_resume(&tracee, 0);
	tracee_await(&tracee, STOP_INTERRUPT);
	tracee.thread->unwatched = true;
	tracee_resume(&tracee, 0);
	ck_assert(!tracee.thread->watched);
}
END_TEST

/* ---- births ----------------------------------------------------------------
 */

static void
give_birth(void)
{
	static char *const arguments[] = { "true", NULL };

	/* The test checks the order of the stops after this trap. */
	__asm__ volatile("int3");
	if (fork() == 0)
		_exit(1);
	/*
	 * The child's exec ends the vfork. The C library's vfork() is not used,
	 * because the child must not return from a function.
	 */
	if (syscall(SYS_clone, CLONE_VFORK | SIGCHLD, NULL, 0, 0, 0) == 0)
		_exit(2);
	execv("/bin/true", arguments);
	_exit(4);
}

/*
 * Waits for the first stop of the child, which xtrace has not asked for, and
 * then for the child's end.
 */
static void
see_child(pid_t child)
{
	struct stop stop;

	for (;;) {
		int r = wait_poll(&tracee.table, child, &stop);

		if (r == -EAGAIN)
			continue;
		ck_assert_int_eq(r, 0);
		ck_assert_ptr_null(stop.thread);
		if (stop.kind == STOP_GONE)
			return;
		ck_assert_int_eq(stop.kind, STOP_INTERRUPT);
		/* 7 is PTRACE_CONT. */
		ck_assert_int_eq(syscall(SYS_ptrace, 7, child, 0, 0), 0);
	}
}

/* Resumes the tracee until its next stop that is not for SIGCHLD. */
static struct stop
next_birth(enum stop_kind kind)
{
	struct stop stop;

	for (;;) {
		tracee_resume(&tracee, 0);
		ck_assert_int_eq(wait_thread(&tracee.table, tracee.thread,
					     &stop),
				 0);
		if (stop.kind == STOP_SIGNAL && stop.signal == SIGCHLD)
			continue;
		ck_assert_str_eq(stop_kind_name(stop.kind),
				 stop_kind_name(kind));
		return stop;
	}
}

START_TEST(births_and_an_exec)
{
	struct stop stop;
	pid_t child;

	tracee_start(&tracee, give_birth);
	tracee_await(&tracee, STOP_TRAP);
	stop = next_birth(STOP_FORK);
	child = (pid_t)stop.message;
	see_child(child);
	stop = next_birth(STOP_VFORK);
	child = (pid_t)stop.message;
	/* The child ends before its parent continues. */
	see_child(child);
	next_birth(STOP_VFORK_DONE);
	stop = next_birth(STOP_EXEC);
	ck_assert_uint_eq(stop.message, (unsigned long)tracee.pid);
	stop = next_birth(STOP_GONE);
	ck_assert_int_eq(stop.status, 0);
}
END_TEST

static int
other_thread(void *argument)
{
	(void)argument;
	for (;;)
		pause();
	return 0;
}

static void
start_thread(void)
{
	static char stack[16384] __attribute__((aligned(16)));

	/* The test checks the order of the stops after this trap. */
	__asm__ volatile("int3");
	clone(other_thread, stack + sizeof(stack),
	      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
		      CLONE_SYSVSEM,
	      NULL);
	/* The leader ends before the other thread. */
	syscall(SYS_exit, 0);
}

START_TEST(a_leader_that_ends_first)
{
	struct thread *other;
	struct stop stop;
	pid_t tid;

	tracee_start(&tracee, start_thread);
	tracee_await(&tracee, STOP_TRAP);
	stop = next_birth(STOP_CLONE);
	tid = (pid_t)stop.message;
	other = thread_add(&tracee.table, tracee.process, tid);
	ck_assert_int_eq(wait_thread(&tracee.table, other, &stop), 0);
	ck_assert_int_eq(stop.kind, STOP_INTERRUPT);
	ck_assert_int_eq(thread_resume(&tracee.table, other, 0), 0);
	tracee_resume(&tracee, 0);
	/* The leader's end is not reported as long as the other thread runs. */
	ck_assert_int_eq(wait_thread(&tracee.table, tracee.thread, &stop),
			 -ESRCH);
	ck_assert_int_eq(wait_asked(&tracee.table, tracee.thread, &stop),
			 -ESRCH);
}
END_TEST

/* ---- whose stop is told ----------------------------------------------------
 */

START_TEST(a_kept_stop_is_told_again)
{
	struct stop stop, kept;

	tracee_start(&tracee, tracee_pause);
	interrupted();
	kept = (struct stop){ .kind = STOP_EXEC, .tid = tracee.pid };
	wait_keep(&tracee.table, &kept);
	/* A thread with a kept stop is not resumed. */
	ck_assert_int_eq(thread_resume(&tracee.table, tracee.thread, 0),
			 -ESRCH);
	kept.tid = 1;
	wait_keep(&tracee.table, &kept);
	ck_assert_int_eq(wait_thread(&tracee.table, tracee.thread, &stop), 0);
	ck_assert_int_eq(stop.kind, STOP_EXEC);
	ck_assert_ptr_eq(stop.thread, tracee.thread);
	ck_assert_int_eq(wait_any(&tracee.table, &stop), 0);
	ck_assert_int_eq(stop.tid, 1);
	ck_assert_ptr_null(stop.thread);
	tracee_resume(&tracee, 0);
}
END_TEST

static void
trap_for_ever(void)
{
	for (;;)
		__asm__ volatile("int3");
}

/* If two threads trap all the time, both are served. */
START_TEST(among_many_none_is_forgotten)
{
	struct tracee second;
	struct process *process;
	struct thread *thread;
	unsigned served[2] = { 0, 0 };
	struct stop stop;

	tracee_start(&tracee, trap_for_ever);
	tracee_start(&second, trap_for_ever);
	/* Puts both tracees into one table. */
	process = process_add(&tracee.table, second.pid,
			      space_ref(second.process->space));
	thread = thread_add(&tracee.table, process, second.pid);
	/* The time limit of Check ends this loop. */
	while (served[0] < 100 || served[1] < 100) {
		ck_assert_int_eq(wait_any(&tracee.table, &stop), 0);
		ck_assert_int_eq(stop.kind, STOP_TRAP);
		served[stop.thread == thread]++;
		ck_assert_int_eq(thread_resume(&tracee.table, stop.thread, 0),
				 0);
	}
	thread_remove(&tracee.table, thread);
	tracee_end(&second);
}
END_TEST

/* A thread that is not busy any more is not polled forever. */
START_TEST(a_thread_that_stops_no_more_is_not_busy)
{
	struct tracee second;
	struct process *process;
	struct thread *thread;
	struct stop stop;

	tracee_start(&tracee, trap_for_ever);
	tracee_start(&second, trap_for_ever);
	process = process_add(&tracee.table, second.pid,
			      space_ref(second.process->space));
	thread = thread_add(&tracee.table, process, second.pid);
	while (!tracee.thread->busy || !thread->busy) {
		ck_assert_int_eq(wait_any(&tracee.table, &stop), 0);
		ck_assert_int_eq(thread_resume(&tracee.table, stop.thread, 0),
				 0);
	}
	/* The thread's stop was reaped, so wait reports it no more. */
	while (wait_any(&tracee.table, &stop) == 0 && stop.thread != thread)
		ck_assert_int_eq(thread_resume(&tracee.table, stop.thread, 0),
				 0);
	wait_reap(&tracee.table, second.pid);
	for (int i = 0; i < 200; i++) {
		ck_assert_int_eq(wait_any(&tracee.table, &stop), 0);
		ck_assert_ptr_eq(stop.thread, tracee.thread);
		ck_assert_int_eq(thread_resume(&tracee.table, stop.thread, 0),
				 0);
	}
	ck_assert(!thread->busy);
	thread_remove(&tracee.table, thread);
	tracee_end(&second);
}
END_TEST

START_TEST(an_end_is_taken_alone)
{
	siginfo_t info = { .si_pid = 0 };
	struct stop stop;

	tracee_start(&tracee, tracee_pause);
	interrupted();
	wait_ended(&tracee.table, tracee.pid);
	/* The thread is alive, and its stop is still reported. */
	ck_assert_int_eq(wait_poll(&tracee.table, tracee.pid, &stop), 0);
	ck_assert_int_eq(stop.kind, STOP_INTERRUPT);
	tracee_resume(&tracee, 0);
	interrupted();
	tracee_kill(tracee.pid);
	ck_assert_int_eq(waitid(P_PID, (id_t)tracee.pid, &info,
				WEXITED | WNOWAIT),
			 0);
	wait_ended(&tracee.table, tracee.pid);
	ck_assert_int_lt(waitid(P_PID, (id_t)tracee.pid, &info,
				WEXITED | WNOWAIT),
			 0);
}
END_TEST

/* The report of a thread's stop was reaped elsewhere. */
START_TEST(a_stop_that_is_not_reported)
{
	struct stop stop;

	tracee_start(&tracee, tracee_pause);
	interrupted();
	wait_reap(&tracee.table, tracee.pid);
	ck_assert_int_eq(wait_asked(&tracee.table, tracee.thread, &stop),
			 -ETIMEDOUT);
}
END_TEST

/* xtrace believed that the thread was interrupted, but the thread still sleeps:
 * it is interrupted again. */
START_TEST(a_thread_wrongly_taken_for_interrupted)
{
	struct stop stop;

	tracee_start(&tracee, tracee_pause);
	tracee_await_blocked(tracee.pid, SYS_pause);
	tracee.thread->asked = true;
	ck_assert_int_eq(thread_interrupt(&tracee.table, tracee.thread), 0);
	ck_assert_int_eq(wait_asked(&tracee.table, tracee.thread, &stop), 0);
	ck_assert_int_eq(stop.kind, STOP_INTERRUPT);
}
END_TEST

START_TEST(kinds_have_names)
{
	tracee_start(&tracee, tracee_pause);
	for (int kind = 0; kind < STOP_KINDS; kind++)
		ck_assert_uint_gt(strlen(stop_kind_name(kind)), 3);
	ck_assert_str_eq(stop_kind_name(STOP_GONE), "gone");
}
END_TEST

Suite *
wait_suite(void)
{
	Suite *suite = suite_create("process/wait");
	TCase *tests = tcase_create("wait");

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, an_interrupt);
	tcase_add_test(tests, a_trap_a_signal_and_its_death);
	tcase_add_test(tests, a_group_stop_and_its_end);
	tcase_add_test(tests, a_system_call);
	tcase_add_test(tests, its_own_system_call);
	tcase_add_test(tests, what_a_system_call_is);
	tcase_add_test(tests, births_and_an_exec);
	tcase_add_test(tests, a_leader_that_ends_first);
	tcase_add_test(tests, a_kept_stop_is_told_again);
	tcase_add_test(tests, among_many_none_is_forgotten);
	tcase_add_test(tests, a_thread_that_stops_no_more_is_not_busy);
	tcase_add_test(tests, an_end_is_taken_alone);
	tcase_add_test(tests, a_stop_that_is_not_reported);
	tcase_add_test(tests, a_thread_wrongly_taken_for_interrupted);
	tcase_add_test(tests, kinds_have_names);
	suite_add_tcase(suite, tests);
	return suite;
}
