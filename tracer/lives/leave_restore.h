/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaving: after the bytes are restored, each thread is moved to where it would
 * be without xtrace.
 */
#ifndef TRACER_LIVES_LEAVE_RESTORE_H
#define TRACER_LIVES_LEAVE_RESTORE_H

#include "process/status.h"
#include "process/stop.h"
#include "tracer/model/session.h"

/* Moves each thread to where it would be without xtrace. If a thread cannot be
 * restored in time, its program keeps xtrace's mappings (program->stays). */
void leave_restore_all(struct session *session);

/* The result of one attempt to restore a thread. */
enum attempt {
	ATTEMPT_DONE,  /* restored, or ended */
	ATTEMPT_WAITS, /* not restored yet: try again */
	ATTEMPT_FAILED /* the thread's state is unknown, and stays so */
};

/*
 * Makes attempts on all the threads until each is restored or the time is over
 * (tracer/lives/leave_wait.h). Meanwhile the stops of all threads are served.
 * Afterwards tids has the threads that were left behind.
 */
void leave_each(struct session *session, struct pids *tids,
		enum attempt (*attempt)(struct session *session, pid_t tid));

/*
 * Handles one stop while xtrace leaves, and resumes the thread. True when none
 * of our traps can be reported for it any more: no trap is planted, and a
 * queued SIGTRAP is delivered before any other signal.
 */
bool leave_serve_stop(struct session *session, const struct stop *stop);

/* Handles the stops that have come meanwhile, because a thread that a signal
 * has stopped looks as if it blocked. True if there was one. */
bool leave_drain(struct session *session, const struct process *process);

/*
 * Asks the thread to stop, and waits for a short time. ASKED_WAITS: the thread
 * waits uninterruptibly or for a CPU, or it was not asked, because it may have
 * been woken in a system call. ASKED_UNREPORTED: the thread is stopped although
 * wait(2) reports no stop, see wait_asked().
 */
enum asked { ASKED_STOPPED, ASKED_WAITS, ASKED_GONE, ASKED_UNREPORTED };
enum asked leave_ask(struct session *session, struct thread *thread,
		     struct stop *ret_stop);

/*
 * Interrupts all threads at once, except one. A thread that waits for a CPU
 * stops as soon as it gets one. If many threads wait and are interrupted one
 * after the other, all the others run for a while each time.
 */
void leave_ask_all(struct session *session, const struct pids *tids,
		   pid_t except);

#endif
