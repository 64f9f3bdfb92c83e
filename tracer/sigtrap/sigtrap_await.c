/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A SIGTRAP of the program's own meets the action that is set when its thread
 * takes it. If a thread that blocks SIGTRAP hits one of our traps, that action
 * is lost until xtrace has handled the trap (see tracer/sigtrap/sigtrap.c); and
 * the C library blocks all signals for short times. So xtrace proceeds in three
 * steps. It stops the other threads that run, which handles the traps that they
 * are in. It checks the action. It resumes no thread before this thread is in
 * our handler.
 *
 * A thread that blocks in a system call is not stopped. If a signal wakes it,
 * it waits at the stop of that signal. One case remains: it wakes without a
 * signal and traps at that time, while it blocks SIGTRAP.
 */
#include "tracer/sigtrap/sigtrap_parts.h"

#include "base/log.h"
#include "process/regs.h"
#include "process/restart.h"
#include "process/resume.h"
#include "process/status.h"
#include "process/wait.h"
#include "tracer/remote_calls/await.h"
#include "tracer/remote_calls/inject.h"

#include <time.h>

/* How often to check for the action to be set again, at most a millisecond
 * apart. */
#define LOST_TRIES 200

/* Does it matter to the program which action is set? */
static bool
action_matters(struct program *program, struct thread *thread)
{
	return program && program->sites.survive.code &&
	       sigtrap_wanted(program) &&
	       !session_record(program->session, thread)->sigtrap->apart;
}

static bool
is_lost(const struct thread *thread)
{
	struct status status;

	return status_read(thread->tid, &status) == 0 &&
	       !(status.caught & TRAP_BIT);
}

bool
sigtrap_lost(struct program *program, struct thread *thread)
{
	return action_matters(program, thread) && is_lost(thread);
}

/* The tid of another thread that has trapped and may have lost the action, or
 * 0. xtrace checks that thread at its stop. */
static pid_t
find_loser(struct program *program, const struct thread *except)
{
	struct session *session = program->session;
	const struct table *table = &session->table;
	struct status status;

	for (size_t i = 0; i < table->everyone.count; i++) {
		struct thread *thread = table->everyone.at[i];
		struct thread_record *record = session_record(session, thread);

		if (thread == except || thread->state != THREAD_RUNNING ||
		    thread->process != except->process ||
		    record->sigtrap->apart ||
		    status_read(thread->tid, &status) < 0 ||
		    !sigtrap_unserved(&session->table, thread->tid, &status))
			continue;
		sigtrap_mask_changed(record);
		return thread->tid;
	}
	return 0;
}

/* ---- holding ---------------------------------------------------------------
 */

/*
 * True if the thread runs, or is in a trap that wait(2) has not reported yet. A
 * thread that was resumed at the exit of a system call, and does not have a CPU
 * yet, looks as if it blocked in that call; but its state is R.
 */
static bool
is_in_code(const struct table *table, pid_t pid, pid_t tid)
{
	const struct thread *thread = table_thread(table, tid);
	struct blocked blocked;
	struct status status;

	if (!thread || thread->state != THREAD_RUNNING ||
	    status_blocked(thread->process->space->arch, pid, tid, &blocked) <
		    0)
		return false;
	return blocked.running || blocked.number < 0 ||
	       (status_read(tid, &status) == 0 && status.state == 'R');
}

/* Stops the threads of the process that run, and adds them to `held`. In a
 * later call these are the threads that have begun to run meanwhile. */
static void
hold_others(struct session *session, const struct process *process,
	    struct pids *held)
{
	struct pids tids = table_tids(&session->table, process);
	pid_t pid = process->pid;

	for (size_t i = 0; i < tids.list.count; i++) {
		pid_t tid = tids.list.at[i];
		struct thread *thread;

		if (!is_in_code(&session->table, pid, tid))
			continue;
		thread = inject_stop(session, tid);
		if (!thread)
			continue;
		thread_mend_interrupted(&session->table, thread);
		vec_push(&held->list, tid);
	}
	vec_release(&tids.list);
}

static struct thread *
still_held(struct session *session, pid_t tid)
{
	struct thread *thread = table_thread(&session->table, tid);

	return thread && thread->state == THREAD_STOPPED ? thread : NULL;
}

static void
let_go(struct session *session, struct pids *held)
{
	for (size_t i = 0; i < held->list.count; i++) {
		struct thread *thread = still_held(session, held->list.at[i]);

		if (thread)
			thread_resume(&session->table, thread, 0);
	}
	vec_release(&held->list);
}

/* ---- the action ------------------------------------------------------------
 */

static void
restore_by(struct session *session, struct program *program,
	   struct thread *host)
{
	if (sigtrap_restore(program, session_record(session, host)) < 0)
		debug("%d vanished while it was the host", host->tid);
}

/* Makes another thread set our action again, because no trap is left whose
 * handling would do so. */
static void
restore_by_other(struct session *session, struct program *program,
		 struct process *process, const struct pids *held)
{
	const struct regs *regs;
	struct thread *host;
	struct regs found;

	for (size_t i = 0; i < held->list.count; i++) {
		host = still_held(session, held->list.at[i]);
		if (host) {
			restore_by(session, program, host);
			return;
		}
	}
	host = inject_host(session, process);
	regs = host ? thread_regs(&session->table, host) : NULL;
	if (!regs)
		return;
	found = *regs;
	restore_by(session, program, host);
	inject_release(session, host->tid, &found);
}

/*
 * Waits a moment for our action to be set again, and handles the trap of a
 * thread that has lost it. Afterwards `thread` may have ended.
 */
static void
seek_action(struct session *session, struct program *program,
	    struct thread *thread, const struct pids *held)
{
	const struct timespec nap = { .tv_nsec = 200000 };
	pid_t other = find_loser(program, thread);

	if (!other)
		restore_by_other(session, program, thread->process, held);
	else if (!await_poll(session, other))
		nanosleep(&nap, NULL);
}

/* Waits until our action is set, and holds the other threads that run. False if
 * the thread has ended. */
static bool
await_action(struct session *session, pid_t tid, struct pids *held)
{
	for (unsigned i = 0; i < LOST_TRIES; i++) {
		struct thread *thread = still_held(session, tid);
		struct program *program;

		if (!thread)
			return false;
		program = session_program(session, thread->process->space);
		if (!action_matters(program, thread))
			return true;
		hold_others(session, thread->process, held);
		thread = still_held(session, tid);
		if (!thread || !is_lost(thread))
			return thread != NULL;
		seek_action(session, program, thread, held);
	}
	return still_held(session, tid) != NULL;
}

/* May another thread lose the action before this thread is in its handler? A
 * thread that blocks in a system call may be woken by a signal. xtrace does not
 * handle the stop of that signal until this thread is in its handler. */
static bool
may_be_overtaken(struct session *session, const struct pids *held, pid_t tid)
{
	struct thread *thread = table_thread(&session->table, tid);

	return held->list.count ||
	       (thread && thread->process->thread_count > 1 &&
		action_matters(session_program(session, thread->process->space),
			       thread));
}

void
sigtrap_deliver(struct session *session, pid_t tid)
{
	struct pids held = { 0 };
	struct thread *thread;

	if (await_action(session, tid, &held)) {
		bool waits = may_be_overtaken(session, &held, tid);

		thread = table_thread(&session->table, tid);
		thread_resume(&session->table, thread, SIGTRAP);
		/* The thread is stopped once more: at this stop it is in its
		 * handler, and the other threads may be resumed. */
		thread = waits ? inject_stop(session, tid) : NULL;
		if (thread) {
			thread_mend_interrupted(&session->table, thread);
			thread_resume(&session->table, thread, 0);
		}
	}
	let_go(session, &held);
}
