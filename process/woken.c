/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel counts the time that a thread was on a CPU
 * (/proc/PID/task/TID/schedstat). If this time has grown by more than a system
 * call needs to return after it was woken, the thread is not in the call of the
 * first look any more, unless it blocks there again. If it has entered another
 * call and was woken in that, the call began after the first look, so a restart
 * with the whole time limit costs at most the time since then.
 *
 * The kernel adds the time of a thread that is on a CPU only at ticks; a
 * reading of its process's clock adds it at once (kernel/sched/core.c,
 * task_sched_runtime).
 *
 * Without CONFIG_SCHED_INFO, or with the counting switched off, the kernel does
 * not tell this time. Then a thread that seems to run is interrupted at once.
 */
#include "process/woken.h"

#include "base/log.h"
#include "process/activity.h"
#include "process/restart.h"
#include "process/resume.h"
#include "process/wait.h"
#include "process/space.h"

#include <errno.h>
#include <time.h>

/* A call returns within some microseconds after it was woken. */
#define RETURN_NS 50000

/* After so many tries a debug message names a thread that waits, and the
 * tries become rarer. */
#define TRIES_TOLD 100
#define LONG_NAP_NS 1000000

/* Reads how long the thread has run. Returns 0, or -errno if the kernel does
 * not count this. */
static int
read_cpu(const struct thread *thread, uint64_t *ret_cpu)
{
	struct activity_times times = { 0 };
	struct activity activity;
	struct timespec unused;
	clockid_t clock;
	int r;

	if (clock_getcpuclockid(thread->process->pid, &clock) == 0 &&
	    clock_gettime(clock, &unused) < 0)
		debug("the clock of %d is not read", thread->process->pid);
	activity_init(&activity, thread->process->pid, thread->tid);
	r = activity_times(&activity, &times);
	activity_release(&activity);
	if (r == 0)
		*ret_cpu = times.cpu;
	return r;
}

void
woken_begin(struct thread *thread)
{
	thread->looked_at = false;
}

enum woken
woken_look(struct thread *thread)
{
	struct blocked blocked;
	uint64_t cpu = 0;

	if (thread->state != THREAD_RUNNING ||
	    status_blocked(thread->process->space->arch, thread->process->pid,
			   thread->tid, &blocked) < 0 ||
	    !blocked.running) {
		thread->looked_at = false;
		return WOKEN_NOT;
	}
	if (read_cpu(thread, &cpu) < 0 || !cpu)
		return WOKEN_RUNS;
	if (!thread->looked_at) {
		thread->looked_at = true;
		thread->looked_cpu = cpu;
		return WOKEN_PERHAPS;
	}
	if (cpu - thread->looked_cpu < RETURN_NS)
		return WOKEN_PERHAPS;
	thread->looked_at = false;
	return WOKEN_RUNS;
}

/* Interrupts the thread if it runs its own code. Returns true if this cannot be
 * said yet: the thread may have been woken and wait for a CPU. */
static bool
ask(struct table *table, struct thread *thread)
{
	if (thread->asked)
		return false;
	switch (woken_look(thread)) {
	case WOKEN_RUNS:
		if (thread_interrupt(table, thread) < 0)
			debug("%d has ended", thread->tid);
		return false;
	case WOKEN_PERHAPS:
		return true;
	case WOKEN_NOT:
		break;
	}
	return false;
}

/* Interrupts the threads of the list that run their own code. Keeps in the list
 * the threads of which this cannot be said yet. */
static void
ask_each(struct table *table, struct pids *tids)
{
	size_t kept = 0;

	for (size_t i = 0; i < tids->list.count; i++) {
		pid_t tid = tids->list.at[i];
		struct thread *thread = table_thread(table, tid);

		if (thread && ask(table, thread))
			tids->list.at[kept++] = tid;
	}
	tids->list.count = kept;
}

void
woken_ask_running(struct table *table, const struct pids *tids, size_t first)
{
	struct timespec nap = { .tv_nsec = RETURN_NS };
	struct pids left = { 0 };
	unsigned tries = 0;

	for (size_t i = first; i < tids->list.count; i++) {
		struct thread *thread = table_thread(table, tids->list.at[i]);

		if (!thread)
			continue;
		woken_begin(thread);
		vec_push(&left.list, thread->tid);
	}
	for (;;) {
		ask_each(table, &left);
		if (!left.list.count || wait_late(table))
			break;
		if (++tries == TRIES_TOLD) {
			debug("%d waits for a CPU", left.list.at[0]);
			nap.tv_nsec = LONG_NAP_NS;
		}
		nanosleep(&nap, NULL);
	}
	vec_release(&left.list);
}

int
woken_blocked(struct table *table, struct thread *thread,
	      struct blocked *ret_blocked)
{
	struct pids one = { 0 };
	int r;

	vec_push(&one.list, thread->tid);
	do {
		r = status_blocked(thread->process->space->arch,
				   thread->process->pid, thread->tid,
				   ret_blocked);
		if (r < 0 || !ret_blocked->running || thread->asked)
			break;
		woken_ask_running(table, &one, 0);
		/* The thread ran when it was interrupted. By now it may have
		 * stopped, which /proc would show like a thread that blocks. */
	} while (!thread->asked && !wait_late(table));
	vec_release(&one.list);
	return r == 0 && ret_blocked->running && !thread->asked ? -EAGAIN : r;
}

int
woken_may_stop(struct table *table, struct thread *thread)
{
	struct blocked blocked;
	int r = woken_blocked(table, thread, &blocked);

	if (r < 0 || blocked.running || thread->asked)
		return r;
	return restart_unseen(thread->tid, &blocked) ? 0 : -EAGAIN;
}
