/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaving, the threads: each is put where it would be without us, when the
 * bytes are back.
 */
#ifndef TRACER_LIVES_LEAVE_SETTLE_H
#define TRACER_LIVES_LEAVE_SETTLE_H

#include "process/status.h"
#include "process/stop.h"
#include "tracer/model/session.h"

/* Of one process, or of all (NULL). */
void leave_threads(struct session *session, const struct process *process,
		   struct pids *ret_tids);

/* Each thread is put where it would be without us. Programs that have one which
 * does not come to rest keep what we mapped (program->stays). */
void leave_settle(struct session *session);

/* What came of one attempt to bring a thread to rest. */
enum attempt {
	ATTEMPT_DONE,  /* it is at rest, or has ended */
	ATTEMPT_WAITS, /* not yet: try again */
	ATTEMPT_FAILED /* nothing is known of it, and nothing will be */
};

/*
 * Attempts it with each of the threads, again and again until they are at rest
 * or the time is over (tracer/lives/leave_wait.h). Stops of all threads are
 * served meanwhile. tids has those that were left behind.
 */
void leave_each(struct session *session, struct pids *tids,
		enum attempt (*attempt)(struct session *session, pid_t tid));

/*
 * One stop while leaving; the thread is sent on. True when nothing more of ours
 * can come from it: no trap stands any more, and a SIGTRAP that is queued is
 * delivered before any other signal.
 */
bool leave_settle_stop(struct session *session, const struct stop *stop);

/* Stops that have come since: a thread that a signal has stopped looks as if it
 * blocked. True when there was one. */
bool leave_drain(struct session *session, const struct process *process);

/*
 * Asks the thread to stop, and waits for a moment. One may wait uninterruptibly
 * or for a CPU, and one may stand where nothing tells of its stop (see
 * wait_asked()).
 */
enum asked { ASKED_STOPPED, ASKED_WAITS, ASKED_GONE, ASKED_STANDS };
enum asked leave_ask(struct session *session, struct thread *thread,
		     struct stop *ret_stop);

/*
 * All at once, but for one: one that waits for a CPU stops as soon as it has
 * it, and where there are many such, to ask one after the other is to let all
 * the others run for a while each time.
 */
void leave_ask_all(struct session *session, const struct pids *tids, pid_t but);

#endif
