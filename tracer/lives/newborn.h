/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A newborn is a thread whose first stop may come before its parent's event.
 */
#ifndef TRACER_LIVES_NEWBORN_H
#define TRACER_LIVES_NEWBORN_H

#include "tracer/model/session.h"

enum newborn {
	NEWBORN_RUNS, /* the newborn's first stop has not come yet */
	NEWBORN_HELD, /* the newborn is at its first stop, which was received */
	NEWBORN_GONE, /* the newborn has ended, or xtrace has let it go */
};

/* Notes the stop of a thread that no event has announced yet. */
void newborn_unknown(struct session *session, const struct stop *stop);
/* Called when the parent's event has come. Returns the newborn's state and
 * removes the newborn from session->newborn. */
enum newborn newborn_take(struct session *session, pid_t tid);

/* What session->newborn stores for a tid. */
enum newborn_mark {
	MARK_NONE,
	MARK_HELD, /* the newborn's first stop came since the last tick */
	/* the newborn's first stop came since the last tick, and it has
	 * ended */
	MARK_GONE,
	MARK_HELD_LONG, /* the newborn's first stop came before the last tick */
	/* the newborn's first stop came before the last tick, and it has
	 * ended */
	MARK_GONE_LONG,
	MARK_PAST, /* xtrace waits for no stop of this tid any more */
};

static inline enum newborn_mark
newborn_mark(const struct session *session, pid_t tid)
{
	return (enum newborn_mark)(uintptr_t)map_get(&session->newborn,
						     (uint64_t)tid);
}

static inline void
newborn_set_mark(struct session *session, pid_t tid, enum newborn_mark mark)
{
	map_put(&session->newborn, (uint64_t)tid, (void *)(uintptr_t)mark);
}

#endif
