/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A newborn is a thread whose first stop may come before its parent's event.
 */
#ifndef TRACER_NEWBORN_H
#define TRACER_NEWBORN_H

#include "tracer/session.h"

enum newborn {
	NEWBORN_RUNS, /* its first stop is to come */
	NEWBORN_HELD, /* at that stop, which was taken */
	NEWBORN_GONE, /* ended, or let go */
};

/* A stop of a thread that no event has announced yet. */
void newborn_unknown(struct session *session, const struct stop *stop);
/* Its parent's event has come: what has become of it? It is a newborn no more.
 */
enum newborn newborn_take(struct session *session, pid_t tid);
/* Once a second or so: those of which no event tells go on. */
void newborn_tick(struct session *session);
/* The last thing, when all who are known are left: those of whom nobody has
 * told have no traps either. */
void newborn_leave(struct session *session);

#endif
