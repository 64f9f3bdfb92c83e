/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each kind of stop is served by the room that knows it (run/dispatch). That
 * room is above this one, so it is called through session->rooms.
 *
 * A served stop also consumes our interrupt (ptrace(2), PTRACE_INTERRUPT). So
 * the thread is interrupted again after each served stop.
 */
#include "tracer/remote_calls/await.h"

#include "base/log.h"
#include "process/resume.h"
#include "process/wait.h"
#include "tracer/model/rooms.h"

#include <assert.h>

/* How many stops of other kinds may precede the requested one. */
#define STOPS_MOST 100

void
await_serve(struct session *session, const struct stop *stop)
{
	session->rooms->serve(session, stop);
}

/* The serial of the thread's space; 0 if the thread has ended. */
static unsigned
serial_of(const struct session *session, pid_t tid)
{
	const struct thread *thread = table_thread(&session->table, tid);

	return thread ? thread->process->space->serial : 0;
}

enum awaited
await_stop(struct session *session, pid_t tid)
{
	unsigned serial = serial_of(session, tid);

	for (unsigned i = 0; i < STOPS_MOST; i++) {
		struct thread *thread = table_thread(&session->table, tid);
		struct stop stop;

		if (!thread || thread_interrupt(&session->table, thread) < 0 ||
		    wait_asked(&session->table, thread, &stop) < 0)
			return AWAITED_GONE;
		if (stop.kind == STOP_INTERRUPT) {
			assert(thread->state == THREAD_STOPPED);
			return AWAITED_STOPPED;
		}
		await_serve(session, &stop);
		if (stop.kind == STOP_GROUP ||
		    !table_thread(&session->table, tid))
			return AWAITED_GONE;
		if (serial_of(session, tid) != serial)
			return AWAITED_EXECED;
	}
	debug("%d: stops for everything except our interrupt", tid);
	return AWAITED_GONE;
}

bool
await_poll(struct session *session, pid_t tid)
{
	const struct thread *thread = table_thread(&session->table, tid);
	struct stop stop;

	if (!thread || thread->state != THREAD_RUNNING ||
	    wait_poll(&session->table, tid, &stop) < 0)
		return false;
	await_serve(session, &stop);
	return true;
}
