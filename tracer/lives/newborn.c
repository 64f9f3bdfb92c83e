/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A newborn stays at its first stop until its parent's event tells what it is.
 * The stop has been received with wait(2), so it is not reported again.
 */
#include "tracer/lives/newborn.h"

#include "process/status.h"
#include "process/wait.h"

#include <unistd.h>

void
newborn_unknown(struct session *session, const struct stop *stop)
{
	if (stop->kind == STOP_GONE) {
		newborn_set_mark(session, stop->tid, MARK_GONE);
		return;
	}
	wait_reap(&session->table, stop->tid);
	newborn_set_mark(session, stop->tid, MARK_HELD);
}

enum newborn
newborn_take(struct session *session, pid_t tid)
{
	enum newborn_mark mark = newborn_mark(session, tid);
	struct status status;

	map_remove(&session->newborn, (uint64_t)tid);
	if (mark == MARK_HELD || mark == MARK_HELD_LONG)
		return NEWBORN_HELD;
	if (mark == MARK_GONE || mark == MARK_GONE_LONG)
		return NEWBORN_GONE;
	/* The newborn has ended or was let go, and another thread may have its
	 * tid now. */
	if (mark == MARK_PAST &&
	    (status_read(tid, &status) < 0 || status.tracer != gettid()))
		return NEWBORN_GONE;
	return NEWBORN_RUNS;
}
