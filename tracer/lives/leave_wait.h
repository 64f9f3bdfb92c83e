/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What leaving waits for, and for how long. A thread that does not come to rest
 * in time may be inside of what we mapped, so that stays mapped, and the user
 * is told.
 */
#ifndef TRACER_LIVES_LEAVE_WAIT_H
#define TRACER_LIVES_LEAVE_WAIT_H

#include "tracer/model/session.h"

/* From now on no wait for a thread lasts beyond the time in which the threads
 * must come to rest; some more time is for what follows. */
void leave_wait_begin(struct session *session);
void leave_wait_clean(struct session *session);
/* That time is over. */
bool leave_late(struct session *session);

/* May the thread stand in a trap, be in a slot, or bear a child that has
 * traps? */
bool leave_may_have_trapped(struct session *session,
			    const struct thread *thread);
/* May it be in our handler, or about to enter it? */
bool leave_may_be_in_handler(struct session *session,
			     const struct thread *thread);

/* A thread in that memory that waits uninterruptibly (state D), or is in a call
 * that was given up; or NULL. */
const struct thread *leave_held(const struct session *session,
				const struct space *space);

/* Nothing is known of the thread: what we mapped in its program stays. */
void leave_unknown(struct session *session, pid_t tid);
/* The time is over, and the thread is not at rest: the same, where it may be
 * inside of what we mapped. The user is told, once. */
void leave_behind(struct session *session, pid_t tid);

#endif
