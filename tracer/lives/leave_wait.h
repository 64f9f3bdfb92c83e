/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What leaving waits for, and for how long. A thread that is not restored in
 * time may be inside xtrace's mappings. Then the mappings stay, and the user is
 * told.
 */
#ifndef TRACER_LIVES_LEAVE_WAIT_H
#define TRACER_LIVES_LEAVE_WAIT_H

#include "tracer/model/session.h"

/* leave_wait_begin() starts the time limit for restoring the threads;
 * leave_wait_clean() starts another one for the removal of the mappings. */
void leave_wait_begin(struct session *session);
void leave_wait_clean(struct session *session);
/* True if the time limit has passed. */
bool leave_late(struct session *session);

/* May the thread be in a trap or in a slot, or create a child that has
 * traps? */
bool leave_may_have_trapped(struct session *session,
			    const struct thread *thread);
/* May the thread be in our handler, or about to enter it? */
bool leave_may_be_in_handler(struct session *session,
			     const struct thread *thread);

/* A thread of the space that waits uninterruptibly (state D), or whose injected
 * system call xtrace has given up; NULL if there is none. */
const struct thread *leave_held(const struct session *session,
				const struct space *space);

/* Notes that the state of the thread is unknown. Its program keeps xtrace's
 * mappings. */
void leave_unknown(struct session *session, pid_t tid);
/* The time is over, and the thread is not restored. If it may be inside
 * xtrace's mappings, its program keeps them. The user is told once. */
void leave_behind(struct session *session, pid_t tid);

#endif
