/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes can be traced, and attaching to them. */
#include "process/attach.h"
#include "tests/unit/live/tracee.h"
#include "tests/unit/process/suites.h"

#include "process/resume.h"
#include "process/space.h"
#include "process/wait.h"

#include <errno.h>
#include <linux/kcmp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 5000000

static struct tracee tracee;

static void
complains(pid_t pid, int error, const char *sentence)
{
	struct err err = { "" };

	ck_assert_int_eq(attach_check(pid, arch_of_host()->word, &err), error);
	ck_assert_str_eq(err.text, sentence);
}

static void
end_at_once(void)
{
}

START_TEST(processes_that_can_be_traced)
{
	pid_t zombie = tracee_fork(end_at_once), living;
	char sentence[128];
	siginfo_t info;

	living = tracee_fork(tracee_pause);
	complains(living, 0, "");
	complains(NOBODY, -ESRCH, "no process 5000000");
	snprintf(sentence, sizeof(sentence), "process %d is this xtrace itself",
		 getpid());
	complains(getpid(), -EPERM, sentence);
	ck_assert_int_eq(waitid(P_PID, (id_t)zombie, &info, WEXITED | WNOWAIT),
			 0);
	snprintf(sentence, sizeof(sentence), "process %d has ended (a zombie)",
		 zombie);
	complains(zombie, -ESRCH, sentence);
	tracee_start(&tracee, tracee_pause);
	snprintf(sentence, sizeof(sentence),
		 "process %d is already traced, by unit-process (%d)",
		 tracee.pid, getpid());
	complains(tracee.pid, -EBUSY, sentence);
	tracee_end(&tracee);
}
END_TEST

START_TEST(an_ended_process_cannot_be_attached)
{
	struct process *process;
	struct err err = { "" };

	table_init(&tracee.table);
	ck_assert_int_eq(attach_process(&tracee.table, NOBODY,
					arch_of_host()->word, &process, &err),
			 -ESRCH);
	ck_assert_str_eq(err.text, "process 5000000: No such process");
	ck_assert_ptr_null(table_process(&tracee.table, NOBODY));
	table_release(&tracee.table);
}
END_TEST

/* As if the process had called exec since attach_check(): its program is not of
 * the kind that was checked. */
START_TEST(a_program_of_another_kind_is_let_go)
{
	pid_t pid = tracee_fork(tracee_pause);
	struct process *process;
	struct err err = { "" };
	char sentence[128];

	snprintf(sentence, sizeof(sentence),
		 "process %d is a 64-bit program, but this run of xtrace "
		 "traces 32-bit programs",
		 pid);
	table_init(&tracee.table);
	ck_assert_int_eq(attach_process(&tracee.table, pid, sizeof(uint32_t),
					&process, &err),
			 -ENOTSUP);
	ck_assert_str_eq(err.text, sentence);
	ck_assert_ptr_null(table_process(&tracee.table, pid));
	table_release(&tracee.table);
	tracee_kill(pid);
}
END_TEST

/* A process that traces another process. */
static pid_t the_other;
static int ready[2];

static void
trace_the_other(void)
{
	struct process *process;
	struct err err = { "" };

	table_init(&tracee.table);
	if (attach_process(&tracee.table, the_other, arch_of_host()->word,
			   &process, &err) == 0 &&
	    write(ready[1], "", 1) == 1)
		tracee_pause();
}

START_TEST(a_traced_process_cannot_be_attached)
{
	pid_t pid = tracee_fork(tracee_pause), other;
	struct process *process;
	struct err err = { "" };
	char sentence[256];
	char byte;

	the_other = pid;
	ck_assert_int_eq(pipe(ready), 0);
	other = tracee_fork(trace_the_other);
	close(ready[1]);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	table_init(&tracee.table);
	ck_assert_int_eq(attach_process(&tracee.table, pid,
					arch_of_host()->word, &process, &err),
			 -EPERM);
	snprintf(sentence, sizeof(sentence),
		 "process %d: not permitted to trace it: ", pid);
	ck_assert_msg(!strncmp(err.text, sentence, strlen(sentence)), "%s",
		      err.text);
	ck_assert_ptr_null(table_process(&tracee.table, pid));
	table_release(&tracee.table);
	tracee_kill(other);
}
END_TEST

/* ---- threads ---------------------------------------------------------------
 */

#define STACK_SIZE 16384
static char stacks[3][STACK_SIZE] __attribute__((aligned(16)));

static int
wait_for_ever(void *argument)
{
	(void)argument;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	tracee_pause();
	return 0;
}

static void
three_threads(void)
{
	for (int i = 0; i < 2; i++)
		clone(wait_for_ever, stacks[i] + STACK_SIZE,
		      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
			      CLONE_THREAD | CLONE_SYSVSEM,
		      NULL);
	tracee_pause();
}

START_TEST(all_threads_are_seized)
{
	pid_t pid = tracee_fork(three_threads);
	struct process *process;
	struct err err = { "" };
	struct stop stop;

	tracee_await_blocked(pid, SYS_pause);
	table_init(&tracee.table);
	ck_assert_int_eq(attach_process(&tracee.table, pid,
					arch_of_host()->word, &process, &err),
			 0);
	ck_assert_uint_eq(process->thread_count, 3);
	ck_assert_ptr_eq(process_speaker(&tracee.table, process),
			 table_thread(&tracee.table, pid));
	ck_assert_int_ge(process->space->memory, 0);
	/* No thread was stopped by the attach. */
	ck_assert_int_eq(wait_poll(&tracee.table, pid, &stop), -EAGAIN);
	tracee.pid = pid;
	tracee_end(&tracee);
}
END_TEST

START_TEST(one_thread_alone)
{
	pid_t pid = tracee_fork(tracee_pause);
	struct process *process;
	struct thread *thread;
	struct err err = { "" };
	struct stop stop;

	table_init(&tracee.table);
	process = process_add(&tracee.table, pid,
			      space_new(pid, &tracee.table.tally));
	process_hold(process);
	ck_assert_int_eq(attach_thread(&tracee.table, process, pid, &thread,
				       &err),
			 0);
	ck_assert_int_eq(thread_interrupt(&tracee.table, thread), 0);
	ck_assert_int_eq(wait_asked(&tracee.table, thread, &stop), 0);
	ck_assert_int_eq(thread_detach(&tracee.table, thread, 0), 0);
	ck_assert_int_eq(attach_thread(&tracee.table, process, NOBODY, &thread,
				       &err),
			 -ESRCH);
	tracee.pid = pid;
	tracee_end(&tracee);
}
END_TEST

/* ---- who shares memory -----------------------------------------------------
 */

static void
with_sharers(void)
{
	/* The first child shares the tracee's memory. The second child has a
	 * copy of the memory. */
	clone(wait_for_ever, stacks[0] + STACK_SIZE,
	      CLONE_VM | CLONE_SIGHAND | SIGCHLD, NULL);
	if (fork() == 0)
		wait_for_ever(NULL);
	tracee_pause();
}

static bool
kernel_compares(void)
{
	return syscall(SYS_kcmp, getpid(), getpid(), KCMP_VM, 0, 0) == 0;
}

START_TEST(sharers_are_seized_too)
{
	struct pids children = { 0 }, sharers = { 0 };
	pid_t pid = tracee_fork(with_sharers), shares = 0, copy = 0;
	struct err err = { "" };

	tracee_await_blocked(pid, SYS_pause);
	status_children(pid, &children);
	ck_assert_uint_eq(children.list.count, 2);
	for (size_t i = 0; i < 2; i++) {
		/*
		 * The child has asked to be killed when its parent ends, and
		 * now sleeps.
		 */
		tracee_await_blocked(children.list.at[i], SYS_pause);
		if (attach_same_space(pid, children.list.at[i]))
			shares = children.list.at[i];
		else
			copy = children.list.at[i];
	}
	if (kernel_compares()) {
		ck_assert_int_gt(shares, 0);
		ck_assert_int_gt(copy, 0);
		ck_assert(attach_same_actions(pid, shares));
		ck_assert(!attach_same_actions(pid, copy));
	}
	table_init(&tracee.table);
	ck_assert_int_eq(attach_process(&tracee.table, pid,
					arch_of_host()->word, &tracee.process,
					&err),
			 0);
	attach_sharers(&tracee.table, tracee.process, &sharers);
	ck_assert_uint_eq(sharers.list.count, kernel_compares() ? 1 : 0);
	if (sharers.list.count) {
		ck_assert_int_eq(sharers.list.at[0], shares);
		ck_assert_ptr_eq(table_process(&tracee.table, shares)->space,
				 tracee.process->space);
	}
	vec_release(&children.list);
	vec_release(&sharers.list);
	tracee.pid = pid;
	tracee_end(&tracee);
}
END_TEST

/* attach_poked() has no effect if no thread is being seized. */
START_TEST(a_poke_that_comes_late)
{
	attach_poked();
}
END_TEST

Suite *
attach_suite(void)
{
	Suite *suite = suite_create("process/attach");
	TCase *tests = tcase_create("attach");

	tcase_add_test(tests, processes_that_can_be_traced);
	tcase_add_test(tests, an_ended_process_cannot_be_attached);
	tcase_add_test(tests, a_program_of_another_kind_is_let_go);
	tcase_add_test(tests, a_traced_process_cannot_be_attached);
	tcase_add_test(tests, all_threads_are_seized);
	tcase_add_test(tests, one_thread_alone);
	tcase_add_test(tests, sharers_are_seized_too);
	tcase_add_test(tests, a_poke_that_comes_late);
	suite_add_tcase(suite, tests);
	return suite;
}
