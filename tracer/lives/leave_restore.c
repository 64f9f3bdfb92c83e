/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * No trap is planted any more, but some were hit: the kernel may not have
 * reported the stop yet, or the stop waits for us. A thread that blocks in a
 * system call is not in a trap and is not touched. Every other thread is asked
 * to stop. If a SIGTRAP from our trap is reported before or after that stop,
 * xtrace discards the signal and moves the thread back to the site's
 * instruction.
 */
#include "tracer/lives/leave_restore.h"

#include "base/clock.h"
#include "base/log.h"
#include "process/regs.h"
#include "process/remote.h"
#include "process/restart.h"
#include "process/resume.h"
#include "process/siginfo.h"
#include "process/status.h"
#include "process/wait.h"
#include "process/woken.h"
#include "tracer/lives/birth.h"
#include "tracer/lives/leave_wait.h"
#include "tracer/lives/newborn.h"
#include "tracer/report/metering.h"
#include "tracer/sigtrap/sigtrap.h"
#include "tracer/sigtrap/whose.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <time.h>

/* How many stops of a thread to handle at most in one attempt to restore it. */
#define STOPS_MOST 1000
/* How long to wait for one thread before trying the next. */
#define ASK_NS 20000000
/* How often to check whether a lost action is set again. */
#define LOST_TRIES 200
/* How often to check whether a thread has come to its next system call. */
#define NEXT_CALL_TRIES 20

/* Moves the thread back before its trap and undoes what the trap changed. False
 * if the stop is for a SIGTRAP of the program's own, which came in the trap's
 * place or was pending. */
static bool
undo_trap(struct session *session, struct thread *thread)
{
	struct program *program =
		session_program(session, thread->process->space);
	siginfo_t held;

	if (!trap_undo(session, thread, &held))
		return false;
	if (program->sites.survive.code &&
	    sigtrap_after_undo(program, session_record(session, thread)) < 0)
		debug("%d: vanished while it was restored", thread->tid);
	return !held.si_signo || sigtrap_hold_again(program, thread, &held);
}

/*
 * Delivers a SIGTRAP of the program's own. Another thread may have hit a trap
 * before the bytes were restored, and so have reset the action. That trap is
 * undone first, and no further trap can follow.
 */
static void
deliver_own(struct session *session, pid_t tid)
{
	const struct timespec nap = { .tv_nsec = 200000 };
	struct thread *thread = table_thread(&session->table, tid);

	trap_before_signal(session, thread, SIGTRAP);
	for (unsigned i = 0; i < LOST_TRIES && thread; i++) {
		const struct process *process = thread->process;

		if (!sigtrap_lost(session_program(session, process->space),
				  thread))
			break;
		if (!leave_drain(session, process))
			nanosleep(&nap, NULL);
		thread = table_thread(&session->table, tid);
	}
	if (thread)
		thread_resume(&session->table, thread, SIGTRAP);
}

/*
 * At a system call the thread is in no trap. Unless it makes the call from a
 * slot, it is restored, and the interrupt that this stop has consumed is not
 * needed any more: it would disturb the call.
 */
static bool
serve_system_call(struct session *session, struct thread *thread)
{
	const struct program *program =
		session_program(session, thread->process->space);
	const struct regs *regs = thread_regs(&session->table, thread);
	bool ours = !program || !regs ||
		    slots_cover(&program->sites.slots, regs_pc(regs));

	if (!ours)
		thread->ask_again = false;
	thread_resume(&session->table, thread, 0);
	return !ours;
}

/* True if the event's handler ends the virtual mask of the thread. */
static bool
has_own_end(enum stop_kind kind)
{
	return kind == STOP_EXEC || kind == STOP_CLONE || kind == STOP_FORK ||
	       kind == STOP_VFORK;
}

bool
leave_serve_stop(struct session *session, const struct stop *stop)
{
	struct thread *thread = stop->thread;
	bool comes = thread_trap_comes(thread);

	if (thread->given_up && !remote_end(&session->table, thread, stop)) {
		thread_resume_to_syscall(&session->table, thread, 0);
		return false;
	}
	if (!has_own_end(stop->kind))
		virtual_mask_end(session_record(session, thread));
	switch (stop->kind) {
	case STOP_TRAP:
		if (!undo_trap(session, thread)) {
			deliver_own(session, stop->tid);
			return !comes;
		}
		/* If we restored the thread's mask, a SIGTRAP queued behind
		 * this trap stays queued. */
		comes = comes && thread_trap_comes(thread);
		thread_resume(&session->table, thread, 0);
		return !comes;
	case STOP_SIGNAL:
		trap_before_signal(session, thread, stop->signal);
		restart_if_ignored(&session->table, thread, stop->signal);
		thread_resume(&session->table, thread, stop->signal);
		return !comes;
	case STOP_GROUP:
		trap_before_signal(session, thread, 0);
		thread_listen(&session->table, thread);
		return true;
	case STOP_INTERRUPT:
		trap_before_signal(session, thread, 0);
		thread_mend_interrupted(&session->table, thread);
		thread_resume(&session->table, thread, 0);
		return !comes;
	case STOP_CLONE:
	case STOP_FORK:
	case STOP_VFORK:
		birth_of_task(session, stop);
		return !comes;
	case STOP_EXEC:
		birth_exec(session, stop);
		return true;
	case STOP_SYSCALL:
		return serve_system_call(session, thread) && !comes;
	case STOP_EXIT:
		metering_ends(session, session_record(session, thread));
		thread_resume(&session->table, thread, 0);
		return false;
	default:
		thread_resume(&session->table, thread, 0);
		return false;
	}
}

/* Handles the pending stops of this thread. True when the thread is
 * restored. */
static bool
drain(struct session *session, struct thread *thread, bool *ret_gone)
{
	struct stop stop;
	bool right = false;

	while (!right && wait_poll(&session->table, thread->tid, &stop) == 0) {
		if (stop.kind == STOP_GONE) {
			birth_gone(session, &stop);
			*ret_gone = true;
			return true;
		}
		right = leave_serve_stop(session, &stop);
	}
	return right;
}

/* True if the thread may have been woken in its system call and not have run
 * since. Such a thread is interrupted later, or never: as long as it does not
 * run it hits no trap, and a slot or the handler in which it may be stays
 * mapped. */
static bool
may_be_woken(struct thread *thread)
{
	return !thread->asked && woken_look(thread) == WOKEN_PERHAPS;
}

enum asked
leave_ask(struct session *session, struct thread *thread, struct stop *ret_stop)
{
	int r;

	if (may_be_woken(thread))
		return ASKED_WAITS;
	r = thread_interrupt(&session->table, thread);
	if (r == 0)
		r = wait_asked_until(&session->table, thread,
				     clock_now() + ASK_NS, ret_stop);
	if (r == -EBUSY || r == -EAGAIN)
		return ASKED_WAITS;
	if (r == -ETIMEDOUT)
		return ASKED_UNREPORTED;
	if (r < 0)
		return ASKED_GONE;
	if (ret_stop->kind != STOP_GONE)
		return ASKED_STOPPED;
	birth_gone(session, ret_stop);
	return ASKED_GONE;
}

/* Restores a thread that looks as if it blocked in its system call, but has
 * announced a child since the last look, and so has stopped. True when the
 * thread is restored. */
static bool
restore_blocked(struct session *session, const struct thread *thread)
{
	struct stop stop;

	if (wait_poll(&session->table, thread->tid, &stop) < 0)
		return true;
	if (stop.kind != STOP_GONE)
		return leave_serve_stop(session, &stop);
	birth_gone(session, &stop);
	return true;
}

/* Must the thread be stopped to be restored? A thread that blocks in a system
 * call and has a virtual mask is stopped only if its call continues
 * unnoticed. */
static bool
must_be_stopped(struct session *session, struct thread *thread)
{
	return thread->given_up || leave_may_have_trapped(session, thread) ||
	       virtual_mask_may_end(session_record(session, thread));
}

/*
 * ATTEMPT_DONE when the thread is where it would be without xtrace, or has
 * ended. Any stop consumes a pending interrupt (kernel/signal.c, ptrace_stop),
 * so a stop that does not restore the thread is followed by another interrupt.
 */
static enum attempt
restore_thread(struct session *session, pid_t tid)
{
	struct thread *thread = table_thread(&session->table, tid);
	bool gone = false;

	if (!thread || drain(session, thread, &gone) || gone)
		return ATTEMPT_DONE;
	for (unsigned i = 0; i < STOPS_MOST; i++) {
		struct stop stop;

		if (!thread->asked && !must_be_stopped(session, thread)) {
			if (restore_blocked(session, thread))
				return ATTEMPT_DONE;
			continue;
		}
		switch (leave_ask(session, thread, &stop)) {
		case ASKED_STOPPED:
			if (leave_serve_stop(session, &stop))
				return ATTEMPT_DONE;
			break;
		case ASKED_WAITS:
			return thread->given_up ||
					       leave_may_have_trapped(session,
								      thread)
				       ? ATTEMPT_WAITS
				       : ATTEMPT_DONE;
		case ASKED_GONE:
			return ATTEMPT_DONE;
		case ASKED_UNREPORTED:
			return ATTEMPT_FAILED;
		}
	}
	return ATTEMPT_FAILED;
}

/*
 * A thread that was resumed to stop at its next system call gets a moment to
 * do so. An interrupt would reach it within that call, and disturb it.
 */
static void
let_stop(struct session *session, pid_t tid)
{
	const struct timespec nap = { .tv_nsec = 50000 };

	for (unsigned i = 0; i < NEXT_CALL_TRIES; i++) {
		struct thread *thread = table_thread(&session->table, tid);
		bool gone = false;

		if (!thread || !thread->watched ||
		    !leave_may_have_trapped(session, thread) ||
		    drain(session, thread, &gone) || gone)
			return;
		nanosleep(&nap, NULL);
	}
}

void
leave_ask_all(struct session *session, const struct pids *tids, pid_t except)
{
	for (size_t i = 0; i < tids->list.count; i++) {
		struct thread *thread =
			table_thread(&session->table, tids->list.at[i]);

		if (thread)
			woken_begin(thread);
		if (thread && thread->tid != except)
			let_stop(session, thread->tid);
	}
	for (size_t i = 0; i < tids->list.count; i++) {
		struct thread *thread =
			table_thread(&session->table, tids->list.at[i]);

		if (thread && thread->tid != except &&
		    must_be_stopped(session, thread) && !may_be_woken(thread) &&
		    thread_interrupt(&session->table, thread) < 0)
			debug("%d has ended", thread->tid);
	}
}

/*
 * Takes the stops of threads that no event has announced. An exec ends such
 * threads, and waits until their ends were taken.
 */
static bool
hear_unknown(struct session *session, pid_t pid)
{
	struct pids tids = { 0 };
	bool any = false;

	if (status_threads(pid, &tids) < 0)
		return false;
	for (size_t i = 0; i < tids.list.count; i++) {
		pid_t tid = tids.list.at[i];
		struct stop stop;

		if (table_thread(&session->table, tid) ||
		    wait_poll(&session->table, tid, &stop) < 0)
			continue;
		newborn_unknown(session, &stop);
		any = true;
	}
	vec_release(&tids.list);
	return any;
}

static bool
hear_all_unknown(struct session *session)
{
	size_t cursor = 0;
	bool any = false;
	uint64_t pid;

	while (map_next(&session->table.processes, &cursor, &pid, NULL))
		any |= hear_unknown(session, (pid_t)pid);
	return any;
}

bool
leave_drain(struct session *session, const struct process *process)
{
	struct pids tids = table_tids(&session->table, process);
	bool any = false;

	for (size_t i = 0; i < tids.list.count; i++) {
		struct thread *thread =
			table_thread(&session->table, tids.list.at[i]);
		struct stop stop;

		if (!thread || thread->state != THREAD_RUNNING ||
		    wait_poll(&session->table, thread->tid, &stop) < 0)
			continue;
		any = true;
		if (stop.kind == STOP_GONE)
			birth_gone(session, &stop);
		else
			leave_serve_stop(session, &stop);
	}
	vec_release(&tids.list);
	return any || hear_all_unknown(session);
}

/* ---- all of them -----------------------------------------------------------
 */

/* Makes one attempt on each thread of the list. Threads that must be tried
 * again stay in the list. True if a thread was removed from the list. */
static bool
attempt_each(struct session *session, struct pids *left,
	     enum attempt (*attempt)(struct session *session, pid_t tid))
{
	size_t count = left->list.count, waiting = 0;

	for (size_t i = 0; i < count; i++) {
		pid_t tid = left->list.at[i];
		enum attempt came = attempt(session, tid);

		if (came == ATTEMPT_FAILED)
			leave_unknown(session, tid);
		if (came == ATTEMPT_WAITS)
			left->list.at[waiting++] = tid;
	}
	left->list.count = waiting;
	return waiting < count;
}

/* In a program without a SIGTRAP handler, a thread that has trapped would die
 * if xtrace let it go. There is no time limit for such a thread. */
static bool
time_is_over(struct session *session, const struct pids *left)
{
	if (!leave_late(session))
		return false;
	for (size_t i = 0; i < left->list.count; i++) {
		const struct thread *thread =
			table_thread(&session->table, left->list.at[i]);
		const struct program *program =
			thread ? session_program(session,
						 thread->process->space)
			       : NULL;

		if (program && !program->sites.survive.code)
			return false;
	}
	return true;
}

static void
tell_of_round(const struct session *session, const struct pids *left,
	      uint64_t since, uint64_t *told)
{
	char where[STATUS_PLACE];

	if (clock_now() - *told < CLOCK_SECOND)
		return;
	*told = clock_now();
	for (size_t i = 0; i < left->list.count; i++) {
		pid_t tid = left->list.at[i];
		const struct thread *thread =
			table_thread(&session->table, tid);

		if (!thread)
			continue;
		status_place(thread->process->pid, tid, where, sizeof(where));
		debug("%d: waited for it for %" PRIu64 " ms: %s", tid,
		      (*told - since) / 1000000, where);
	}
}

void
leave_each(struct session *session, struct pids *tids,
	   enum attempt (*attempt)(struct session *session, pid_t tid))
{
	const struct timespec nap = { .tv_nsec = 200000 };
	uint64_t since = clock_now(), told = since;

	for (;;) {
		bool any = attempt_each(session, tids, attempt);

		if (!tids->list.count || time_is_over(session, tids))
			break;
		tell_of_round(session, tids, since, &told);
		if (!any && !leave_drain(session, NULL))
			nanosleep(&nap, NULL);
	}
	for (size_t i = 0; i < tids->list.count; i++)
		leave_behind(session, tids->list.at[i]);
}

void
leave_restore_all(struct session *session)
{
	struct pids tids = table_tids(&session->table, NULL);

	leave_ask_all(session, &tids, 0);
	leave_each(session, &tids, restore_thread);
	vec_release(&tids.list);
}
