/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls as calls of the trace (-S): a call begins at the stop at its
 * entry, within the function that makes it, and ends at the stop at its end.
 */
#ifndef TRACER_SYSTEM_CALLS_SYSTEM_CALLS_H
#define TRACER_SYSTEM_CALLS_SYSTEM_CALLS_H

#include "process/stop.h"
#include "tracer/model/rooms.h"
#include "tracer/model/session.h"

/* Returns NULL without -S. */
struct system_calls *system_calls_new(const struct options *options);
void system_calls_free(struct system_calls *calls);

/* Is the stop the end of a delay, so that it was handled when the delay began?
 * True only once for each delay. */
bool system_calls_delayed(struct session *session, const struct stop *stop);
/* Handles a STOP_SYSCALL, and resumes the thread. */
void system_calls_stop(struct session *session, const struct stop *stop);

/*
 * Called at each stop of a thread. If the thread was in a call that an
 * interrupt of xtrace has ended, and the stop proves that the call is not
 * continued, the end of the call is told.
 */
void system_calls_end_held(struct session *session, const struct stop *stop);

/* Called when a call of TRACEPOINT_SYSTEM_CALL has ended: completes the call
 * and reports it. */
void system_call_over(struct session *session, struct thread_record *record,
		      struct call *call, enum call_end how);

extern const struct life system_calls_life;

#endif
