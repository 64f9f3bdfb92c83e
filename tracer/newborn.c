/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Until its parent's event tells what it is, a newborn stays at its first stop,
 * reaped so that it is not reported again.
 *
 * Of some nobody tells: CLONE_UNTRACED and CLONE_PTRACE together make a child
 * that is ours without an event (kernel/fork.c, kernel_clone), and a parent
 * that is killed in between has none. So at every tick of the clock the stops
 * of all are heard; who has waited from one tick to the next is taken for what
 * it shares with others, memory and actions. One that shares no memory goes on
 * without us, as children of CLONE_UNTRACED alone do: the handler in its copy
 * carries it. Should the event come after all nothing new is heard by it.
 */
#include "tracer/newborn.h"

#include "base/log.h"
#include "breakpoints/survive.h"
#include "process/resume.h"
#include "process/space.h"
#include "process/status.h"
#include "process/wait.h"
#include "tracer/birth.h"
#include "tracer/dispatch.h"
#include "tracer/leave_settle.h"

#include <unistd.h>

#define debug(...) debug_of(LOG_TRACER, __VA_ARGS__)

/* What is in session->newborn for a tid: those that came since the last tick,
 * the ones from before it, and those of which nothing is awaited any more. */
static char held_mark, gone_mark, held_long_mark, gone_long_mark, past_mark;

void
newborn_unknown(struct session *session, const struct stop *stop)
{
	if (stop->kind == STOP_GONE) {
		map_put(&session->newborn, (uint64_t)stop->tid, &gone_mark);
		return;
	}
	wait_reap(&session->table, stop->tid);
	map_put(&session->newborn, (uint64_t)stop->tid, &held_mark);
}

enum newborn
newborn_take(struct session *session, pid_t tid)
{
	void *mark = map_remove(&session->newborn, (uint64_t)tid);
	struct status status;

	if (mark == &held_mark || mark == &held_long_mark)
		return NEWBORN_HELD;
	if (mark == &gone_mark || mark == &gone_long_mark)
		return NEWBORN_GONE;
	/* The tid may be another's by now. */
	if (mark == &past_mark &&
	    (status_read(tid, &status) < 0 || status.tracer != gettid()))
		return NEWBORN_GONE;
	return NEWBORN_RUNS;
}

/* An event may wait among the stops of many others. */
static void
hear_everyone(struct session *session)
{
	struct tids tids = { 0 };

	leave_threads(session, NULL, &tids);
	for (size_t i = 0; i < tids.list.count; i++) {
		const struct thread *thread =
			table_thread(&session->table, tids.list.at[i]);
		struct stop stop;

		if (!thread || thread->state != THREAD_RUNNING ||
		    wait_poll(&session->table, thread->tid, &stop) < 0)
			continue;
		session->now = 0;
		dispatch(session, &stop);
	}
	vec_release(&tids.list);
}

/* The traps of a copy of somebody's memory. */
static void
lift_copied(struct session *session, pid_t pid)
{
	struct space *space = space_new(pid, &session->table.tally);
	struct survive survive = { 0 };
	struct slots slots = { 0 };

	if (space_open(space, NULL) == 0 &&
	    survive_adopt(&survive, &slots, space))
		debug("%d: its copy has no traps any more", pid);
	survive_release(&survive);
	slots_release(&slots);
	space_unref(space);
}

static void
let_newborn_go(struct session *session, pid_t tid)
{
	struct thread thread = { .tid = tid };

	debug("nobody tells of %d: it is let go", tid);
	lift_copied(session, tid);
	if (thread_detach(&session->table, &thread, 0) < 0)
		debug("%d is gone", tid);
}

static void
grow_older(struct session *session, pid_t tid)
{
	const void *mark = map_get(&session->newborn, (uint64_t)tid);
	void *older = &past_mark;

	if (mark == &held_mark)
		older = &held_long_mark;
	else if (mark == &gone_mark)
		older = &gone_long_mark;
	else if (mark == &held_long_mark && birth_unannounced(session, tid))
		return;
	else if (mark == &held_long_mark)
		let_newborn_go(session, tid);
	if (mark)
		map_put(&session->newborn, (uint64_t)tid, older);
}

/* Ours, since its parent is, and we were not told. */
static void
leave_child(struct session *session, pid_t pid)
{
	struct status status;

	if (table_process(&session->table, pid) ||
	    status_read(pid, &status) < 0 || status.tracer != gettid())
		return;
	debug("nobody has told of %d", pid);
	lift_copied(session, pid);
}

/* Where memory is shared the traps are lifted already, and that is all that is
 * done here. */
void
newborn_leave(struct session *session)
{
	struct pids pids = { 0 };
	size_t cursor = 0;
	uint64_t pid;

	while (map_next(&session->table.processes, &cursor, &pid, NULL))
		status_children((pid_t)pid, &pids);
	for (size_t i = 0; i < pids.list.count; i++)
		leave_child(session, pids.list.at[i]);
	vec_release(&pids.list);
}

void
newborn_tick(struct session *session)
{
	struct tids tids = { 0 };
	size_t cursor = 0;
	uint64_t tid;
	void *mark;

	while (map_next(&session->newborn, &cursor, &tid, &mark))
		if (mark != &past_mark)
			vec_push(&tids.list, (pid_t)tid);
	if (tids.list.count)
		hear_everyone(session);
	for (size_t i = 0; i < tids.list.count; i++)
		grow_older(session, tids.list.at[i]);
	vec_release(&tids.list);
}
