/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of threads is read until it has none that is new, because a thread
 * may start others before it stops. While threads are stopped, signals that
 * would end xtrace are blocked. If xtrace is killed then, the kernel lets the
 * threads run; nothing of xtrace is in their memory.
 *
 * During a hold xtrace has a higher priority. Without that, waits for a CPU
 * were most of a hold on a busy machine.
 */
#include "tracer/run/hold.h"

#include "base/clock.h"
#include "process/attach.h"
#include "process/observation.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/slice.h"
#include "process/space.h"
#include "process/wait.h"
#include "process/woken.h"

#include <errno.h>

struct hold_blocked {
	pid_t tid;
	struct observation seen;
};

struct hold_stopped {
	struct thread *thread;
	struct stop stop; /* valid when the thread has stopped */
};

static bool
is_held(const struct hold *hold, pid_t tid)
{
	for (size_t i = 0; i < hold->blocked.count; i++)
		if (hold->blocked.at[i].tid == tid)
			return true;
	for (size_t i = 0; i < hold->stopped.count; i++)
		if (hold->stopped.at[i].thread->tid == tid)
			return true;
	return false;
}

/* Observes the thread if it blocks, or interrupts it. 0 if it has ended. */
static int
hold_thread(struct hold *hold, pid_t tid, struct err *err)
{
	struct hold_blocked blocked = { .tid = tid };
	struct hold_stopped stopped = { 0 };
	struct process *process = hold->process;
	int r = observation_take(process->pid, tid, process->space,
				 &blocked.seen);

	if (r < 0)
		return 0;
	if (blocked.seen.blocked &&
	    !(hold->firm && observation_may_stop(tid, &blocked.seen))) {
		vec_push(&hold->blocked, blocked);
		return 0;
	}
	r = attach_thread(hold->table, process, tid, &stopped.thread, err);
	if (r < 0)
		return r == -ESRCH ? 0 : r;
	vec_push(&hold->stopped, stopped);
	return 0;
}

/* Waits for the stops of the threads from first on. */
static void
stop_threads(struct hold *hold, size_t first)
{
	struct pids tids = { 0 };

	for (size_t i = first; i < hold->stopped.count; i++)
		vec_push(&tids.list, hold->stopped.at[i].thread->tid);
	woken_ask_running(hold->table, &tids, 0);
	vec_release(&tids.list);
	for (size_t i = first; i < hold->stopped.count; i++)
		if (thread_interrupt(hold->table, hold->stopped.at[i].thread) <
		    0)
			hold->stopped.at[i].stop.kind = STOP_GONE;
	for (size_t i = first; i < hold->stopped.count; i++) {
		struct hold_stopped *stopped = &hold->stopped.at[i];

		if (stopped->stop.kind != STOP_GONE &&
		    wait_thread(hold->table, stopped->thread, &stopped->stop) <
			    0)
			stopped->stop.kind = STOP_GONE;
		if (hold->since == 0)
			hold->since = clock_now();
	}
}

/* Holds the threads that are not held yet. Returns how many these are. */
static int
hold_more(struct hold *hold, struct err *err)
{
	size_t before = hold->blocked.count + hold->stopped.count;
	size_t stopped = hold->stopped.count;
	struct pids tids = { 0 };
	int r = status_threads(hold->process->pid, &tids);

	if (r < 0)
		err_set(err, r, "process %d has ended", hold->process->pid);
	for (size_t i = 0; i < tids.list.count && r == 0; i++)
		if (!is_held(hold, tids.list.at[i]))
			r = hold_thread(hold, tids.list.at[i], err);
	vec_release(&tids.list);
	stop_threads(hold, stopped);
	return r < 0 ? r
		     : (int)(hold->blocked.count + hold->stopped.count -
			     before);
}

int
hold_begin(struct hold *hold, struct table *table, struct process *process,
	   bool firm, struct err *err)
{
	uint64_t held;
	sigset_t all;
	int r;

	*hold = (struct hold){ .table = table,
			       .process = process,
			       .firm = firm };
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &hold->signals);
	hold->nice = slice_first();
	do
		r = hold_more(hold, err);
	while (r > 0);
	if (r < 0)
		hold_end(hold, &held);
	return r;
}

/* Lets a stopped thread run, and forgets it. */
static void
let_go(struct hold *hold, const struct hold_stopped *stopped)
{
	struct thread *thread = stopped->thread;
	enum stop_kind kind = stopped->stop.kind;
	bool signal = kind == STOP_SIGNAL || kind == STOP_TRAP;

	if (kind == STOP_INTERRUPT)
		thread_mend_interrupted(hold->table, thread);
	if (kind != STOP_GONE)
		thread_detach(hold->table, thread,
			      signal ? stopped->stop.signal : 0);
	thread_remove(hold->table, thread);
}

bool
hold_end(struct hold *hold, uint64_t *ret_held)
{
	bool held = true;

	/* The blocked threads are checked first: once a thread runs again, it
	 * may wake one of them. */
	for (size_t i = 0; i < hold->blocked.count; i++)
		held = held && observation_holds(hold->process->pid,
						 hold->blocked.at[i].tid,
						 &hold->blocked.at[i].seen);
	for (size_t i = 0; i < hold->stopped.count; i++)
		let_go(hold, &hold->stopped.at[i]);
	*ret_held = hold->since ? clock_between(hold->since, clock_now()) : 0;
	slice_as_before(hold->nice);
	sigprocmask(SIG_SETMASK, &hold->signals, NULL);
	vec_release(&hold->blocked);
	vec_release(&hold->stopped);
	return held;
}
