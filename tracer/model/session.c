/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lookups that all rooms of tracer/ need. tracer/attach/begin begins a
 * session; tracer/run/loop is its loop.
 */
#include "tracer/model/session.h"

#include "base/clock.h"
#include "tracer/model/rooms.h"

#include <stdlib.h>

uint64_t
session_now(struct session *session)
{
	if (!session->now)
		session->now = clock_now();
	return session->now;
}

uint64_t
session_own(const struct session *session, const struct thread *thread,
	    uint64_t now)
{
	return session->options->wall ? now : held_own(&thread->held, now);
}

uint64_t
session_track(const struct session *session, struct thread *thread,
	      uint64_t now)
{
	return session->options->wall ? now : held_track(&thread->held, now);
}

void
session_begin_time(const struct session *session, struct thread *thread,
		   uint64_t now, struct event_call *event)
{
	event->began = now;
	event->began_track = session_track(session, thread, now);
	event->began_own = session_own(session, thread, now);
	event->began_unsure = thread->held.unsure;
}

void
session_measure(const struct session *session, struct thread *thread,
		uint64_t now, struct event_call *event)
{
	event->wall = clock_between(event->began, now);
	event->duration = (int64_t)event->wall;
	event->ended_track = event->began_track + event->wall;
	if (session->options->wall)
		return;
	/* It is not known for how long the thread was held. */
	event->uncertainty = event->wall;
	if (!thread)
		return;
	event->duration =
		(int64_t)(session_own(session, thread, now) - event->began_own);
	event->ended_track = session_track(session, thread, now);
	event->uncertainty = held_unsure(&thread->held, event->began_unsure);
}

struct program *
session_program(struct session *session, struct space *space)
{
	return map_get(&session->programs, (uint64_t)(uintptr_t)space);
}

struct thread_record *
session_record(struct session *session, struct thread *thread)
{
	struct thread_record *record =
		map_get(&session->records, (uint64_t)thread->tid);

	if (record)
		return record;
	record = xcalloc(1, sizeof(*record));
	record->thread = thread;
	calls_init(&record->calls, &session->pool, session->rooms->call_over,
		   record);
	for (const struct life *const *life = session->rooms->lives; *life;
	     life++)
		if ((*life)->thread_born)
			(*life)->thread_born(record);
	map_put(&session->records, (uint64_t)thread->tid, record);
	return record;
}

bool
session_repeats(struct session *session, const struct process *process)
{
	list_each(link, after, &process->threads) {
		struct thread *thread = list_item(link, struct thread, sibling);

		if (session_record(session, thread)->rehits.count > 0)
			return true;
	}
	return false;
}

void
session_set_silent(struct thread_record *record, bool silent)
{
	record->silent = silent;
	record->thread->unwatched = silent;
}

void
session_drop_record(struct session *session, struct thread_record *record)
{
	for (const struct life *const *life = session->rooms->lives; *life;
	     life++)
		if ((*life)->thread_gone)
			(*life)->thread_gone(record);
	calls_release(&record->calls);
	free(record);
}

bool
session_runs(const struct session *session, pid_t pid, unsigned serial)
{
	const struct process *process = table_process(&session->table, pid);

	return process && process->space->serial == serial;
}
