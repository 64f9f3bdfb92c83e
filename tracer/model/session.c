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

struct program *
session_program(struct session *session, struct space *space)
{
	return map_get(&session->programs, (uint64_t)(uintptr_t)space);
}

struct actor *
session_actor(struct session *session, struct thread *thread)
{
	struct actor *actor = map_get(&session->actors, (uint64_t)thread->tid);

	if (actor)
		return actor;
	actor = xcalloc(1, sizeof(*actor));
	actor->thread = thread;
	calls_init(&actor->calls, &session->pool, session->rooms->call_over,
		   actor);
	for (const struct life *const *life = session->rooms->lives; *life;
	     life++)
		if ((*life)->thread_born)
			(*life)->thread_born(actor);
	map_put(&session->actors, (uint64_t)thread->tid, actor);
	return actor;
}

void
session_drop_actor(struct session *session, struct actor *actor)
{
	for (const struct life *const *life = session->rooms->lives; *life;
	     life++)
		if ((*life)->thread_gone)
			(*life)->thread_gone(actor);
	calls_release(&actor->calls);
	free(actor);
}

bool
session_runs(struct session *session, pid_t pid, const struct program *program)
{
	const struct process *process = table_process(&session->table, pid);

	return process && session_program(session, process->space) == program;
}
