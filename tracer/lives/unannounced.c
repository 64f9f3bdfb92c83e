/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CLONE_UNTRACED and CLONE_PTRACE together make a child that xtrace traces
 * without an event (kernel/fork.c, kernel_clone). A parent that is killed
 * during a clone sends no event either. So at every tick of the clock the stops
 * of all threads are served. A newborn that has waited from one tick to the
 * next is identified by the memory and actions that it shares with other
 * processes. A newborn that shares no memory is let go, like children of
 * CLONE_UNTRACED alone: the handler area in its copy of the memory keeps it
 * alive. If its event comes after all, nothing is done.
 */
#include "tracer/lives/unannounced.h"

#include "base/log.h"
#include "breakpoints/outlive/survive.h"
#include "process/resume.h"
#include "process/space.h"
#include "process/status.h"
#include "tracer/lives/birth.h"
#include "tracer/lives/leave_restore.h"
#include "tracer/lives/newborn.h"
#include "tracer/remote_calls/await.h"

#include <unistd.h>

/* Serves the pending stops of all threads: one of them may be the event that
 * announces a newborn, and many others may come before it. */
static void
hear_everyone(struct session *session)
{
	struct pids tids = table_tids(&session->table, NULL);

	for (size_t i = 0; i < tids.list.count; i++) {
		session->now = 0;
		await_poll(session, tids.list.at[i]);
	}
	vec_release(&tids.list);
}

/* Lifts the traps in a copy of another process's memory. */
static void
lift_copied(struct session *session, pid_t pid)
{
	struct space *space = space_new(pid, &session->table.tally);
	struct survive survive = { 0 };
	struct slots slots = { 0 };

	space->arch = status_arch(pid);
	if (space->arch && space_open(space, NULL) == 0 &&
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

	debug("%d was not announced: it is let go", tid);
	lift_copied(session, tid);
	if (thread_detach(&session->table, &thread, 0) < 0)
		debug("%d has ended", tid);
}

static void
grow_older(struct session *session, pid_t tid)
{
	enum newborn_mark mark = newborn_mark(session, tid);

	switch (mark) {
	case MARK_NONE:
		return;
	case MARK_HELD:
		newborn_set_mark(session, tid, MARK_HELD_LONG);
		return;
	case MARK_GONE:
		newborn_set_mark(session, tid, MARK_GONE_LONG);
		return;
	case MARK_HELD_LONG:
		if (birth_unannounced(session, tid))
			return;
		let_newborn_go(session, tid);
		break;
	case MARK_GONE_LONG:
	case MARK_PAST:
		break;
	}
	newborn_set_mark(session, tid, MARK_PAST);
}

/* Lifts the traps in the child if xtrace traces it, as it traces the parent,
 * although no event has announced the child. */
static void
leave_child(struct session *session, pid_t pid)
{
	struct status status;

	if (table_process(&session->table, pid) ||
	    status_read(pid, &status) < 0 || status.tracer != gettid())
		return;
	debug("%d was not announced", pid);
	lift_copied(session, pid);
}

/* If a child shares the memory of its parent, its traps are already lifted, and
 * nothing is left to do. */
void
unannounced_leave(struct session *session)
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
unannounced_tick(struct session *session)
{
	struct pids tids = { 0 };
	size_t cursor = 0;
	uint64_t tid;

	while (map_next(&session->newborn, &cursor, &tid, NULL))
		if (newborn_mark(session, (pid_t)tid) != MARK_PAST)
			vec_push(&tids.list, (pid_t)tid);
	if (tids.list.count)
		hear_everyone(session);
	for (size_t i = 0; i < tids.list.count; i++)
		grow_older(session, tids.list.at[i]);
	vec_release(&tids.list);
}
