/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tracee is a forked copy of the test. The copy waits at a pipe until the
 * test has seized it. */
#include "arch/arch.h"
#include "tests/unit/live/tracee.h"

#include "process/attach.h"
#include "process/resume.h"
#include "process/status.h"
#include "process/wait.h"
#include "tests/unit/checks.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A copy that this test has made. Check runs each test in a process of its own,
 * so a test has only its own copies. The descriptor refers to the copy even
 * after the pid was reused. */
struct copy {
	pid_t pid;
	int descriptor;
};

#define COPIES_MOST 16
static struct copy copies[COPIES_MOST];
static unsigned copy_count;

static void
end_copy(const struct copy *copy)
{
	syscall(SYS_pidfd_send_signal, copy->descriptor, SIGKILL, NULL, 0);
}

static void
end_copies(void)
{
	for (unsigned i = 0; i < copy_count; i++)
		end_copy(&copies[i]);
	while (waitpid(-1, NULL, __WALL) > 0)
		;
}

/* Removes the copies that have ended from the list. */
static void
forget_ended(void)
{
	for (unsigned i = copy_count; i-- > 0;) {
		struct pollfd row = { copies[i].descriptor, POLLIN, 0 };

		if (poll(&row, 1, 0) != 1)
			continue;
		close(copies[i].descriptor);
		copies[i] = copies[--copy_count];
	}
}

static void
remember(pid_t pid)
{
	static bool begun;
	int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);

	forget_ended();
	ck_assert_uint_lt(copy_count, COPIES_MOST);
	ck_assert_int_ge(descriptor, 0);
	if (!begun)
		atexit(end_copies);
	begun = true;
	copies[copy_count++] = (struct copy){ pid, descriptor };
}

void
tracee_kill(pid_t pid)
{
	for (unsigned i = 0; i < copy_count; i++) {
		if (copies[i].pid == pid)
			end_copy(&copies[i]);
	}
}

/* Two pipes of the copy that was made last. The copy writes to the first pipe
 * when it has left fork(), which blocks all signals (glibc 2.41). It reads a
 * byte of the second pipe before it calls run. The test continues when the copy
 * waits for this byte. */
static int arrival[2] = { -1, -1 };
static int gate[2] = { -1, -1 };

pid_t
tracee_fork(void (*run)(void))
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid > 0) {
		remember(pid);
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	run();
	_exit(0);
}

static void (*behind_gate)(void);

static void
close_pipe(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

/* A test of tracer/session traces this function by its name, so the compiler
 * must keep it. */
static __attribute__((noipa)) void
wait_at_gate(void)
{
	char byte;

	if (write(arrival[1], "", 1) != 1 || read(gate[0], &byte, 1) != 1)
		_exit(1);
	close_pipe(arrival);
	close_pipe(gate);
	behind_gate();
}

pid_t
tracee_fork_gated(void (*run)(void))
{
	pid_t pid;
	char byte;

	ck_assert_int_eq(pipe(arrival), 0);
	ck_assert_int_eq(pipe(gate), 0);
	behind_gate = run;
	pid = tracee_fork(wait_at_gate);
	ck_assert_int_eq(read(arrival[0], &byte, 1), 1);
	close_pipe(arrival);
	tracee_await_blocked(pid, SYS_read);
	return pid;
}

void
tracee_open_gate(void)
{
	ck_assert_int_eq(write(gate[1], "", 1), 1);
	close_pipe(gate);
}

void
tracee_start(struct tracee *tracee, void (*run)(void))
{
	struct err err = { "" };

	table_init(&tracee->table);
	tracee->pid = tracee_fork_gated(run);
	ck_assert_msg(attach_process(&tracee->table, tracee->pid,
				     arch_of_host()->word, &tracee->process,
				     &err) == 0,
		      "%s", err.text);
	tracee->thread = table_thread(&tracee->table, tracee->pid);
	ck_assert_ptr_nonnull(tracee->thread);
	tracee_open_gate();
}

void
tracee_end(struct tracee *tracee)
{
	struct table *table = &tracee->table;

	tracee_kill(tracee->pid);
	/* The end of a leader is reported after the ends of its other
	 * threads. */
	for (size_t i = 0; i < table->everyone.count; i++) {
		const struct thread *thread = table->everyone.at[i];

		if (thread->process->pid == tracee->pid &&
		    thread->tid != tracee->pid)
			waitpid(thread->tid, NULL, __WALL);
	}
	waitpid(tracee->pid, NULL, __WALL);
	table_release(&tracee->table);
}

struct stop
tracee_stop(struct tracee *tracee)
{
	struct stop stop;
	int r;

	ck_assert_int_eq(thread_interrupt(&tracee->table, tracee->thread), 0);
	/* If memory is scarce, the tracee may wait for a page. */
	do
		r = wait_asked(&tracee->table, tracee->thread, &stop);
	while (r == -EBUSY);
	ck_assert_int_eq(r, 0);
	return stop;
}

struct stop
tracee_await(struct tracee *tracee, enum stop_kind kind)
{
	struct stop stop;

	ck_assert_int_eq(wait_thread(&tracee->table, tracee->thread, &stop), 0);
	ck_assert_str_eq(stop_kind_name(stop.kind), stop_kind_name(kind));
	ck_assert_int_eq(stop.tid, tracee->pid);
	ck_assert_ptr_eq(stop.thread, tracee->thread);
	return stop;
}

void
tracee_resume(struct tracee *tracee, int signal)
{
	ck_assert_int_eq(thread_resume(&tracee->table, tracee->thread, signal),
			 0);
}

void
tracee_await_blocked(pid_t pid, long number)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	struct blocked blocked;

	/* The time limit of Check ends this loop. */
	for (;;) {
		ck_assert_int_eq(status_blocked(arch_of_host(), pid, pid,
						&blocked),
				 0);
		if (!blocked.running && blocked.number == number)
			return;
		nanosleep(&moment, NULL);
	}
}

void
tracee_pause(void)
{
	for (;;)
		pause();
}
