/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaving, the threads: each is put where it would be without us, when the
 * bytes are back.
 */
#ifndef TRACER_LIVES_LEAVE_SETTLE_H
#define TRACER_LIVES_LEAVE_SETTLE_H

#include "process/stop.h"
#include "tracer/model/session.h"

/* Tids of threads, which may go while they are seen to. */
struct tids {
	vec_of(pid_t) list;
};

/* Of one process, or of all (NULL). */
void leave_threads(struct session *session, const struct process *process,
		   struct tids *ret_tids);

/* False where a thread did not come to rest. */
must_check bool leave_settle(struct session *session);

/*
 * One stop while leaving; the thread is sent on. True when nothing more of ours
 * can come from it: no trap stands any more, and a SIGTRAP that is queued is
 * delivered before any other signal.
 */
bool leave_settle_stop(struct session *session, const struct stop *stop);

/* Stops that have come since: a thread that a signal has stopped looks as if it
 * blocked. True when there was one. */
bool leave_drain(struct session *session, const struct process *process);

/* It runs, or stands in a trap, or forks. */
bool leave_may_have_trapped(const struct thread *thread);

/*
 * Asks the thread to stop. One that goes into a system call just then may not
 * come out before others have: a vfork's parent waits for the child. And one
 * may stand where nothing tells of its stop (see wait_asked()).
 */
enum asked { ASKED_STOPPED, ASKED_BLOCKS, ASKED_GONE, ASKED_STANDS };
enum asked leave_ask(struct session *session, struct thread *thread,
		     struct stop *ret_stop);

/*
 * All at once, but for one: one that waits for a CPU stops as soon as it has
 * it, and where there are many such, to ask one after the other is to let all
 * the others run for a while each time.
 */
void leave_ask_all(struct session *session, const struct tids *tids, pid_t but);

#endif
