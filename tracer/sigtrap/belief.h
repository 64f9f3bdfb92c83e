/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A belief is what xtrace holds of one thread: does it block SIGTRAP? A trap in
 * a thread that does makes the kernel reset the program's action and unblock
 * the signal, so the mask cannot be read at the hit (see
 * tracer/sigtrap/sigtrap.c). Here is what each piece of evidence makes of a
 * belief, as a table; no process is read or changed.
 */
#ifndef TRACER_SIGTRAP_BELIEF_H
#define TRACER_SIGTRAP_BELIEF_H

#include <stdbool.h>

enum belief {
	/* It does not block SIGTRAP. */
	BELIEF_OPEN,
	/* The same, because it has just said so to pthread_sigmask(): until it
	 * has made that call, SigBlk in /proc says otherwise. */
	BELIEF_OPENING,
	/* The same, though SigBlk once said otherwise: it may have been in the
	 * program's SIGTRAP handler then. */
	BELIEF_DOUBTED,
	/* It blocks SIGTRAP: SigBlk said so, and the program has a handler, in
	 * which the thread may have been. */
	BELIEF_SEEN,
	/* It blocks SIGTRAP. */
	BELIEF_BLOCKS,
	BELIEFS
};

enum evidence {
	/* What it asks of pthread_sigmask(): to block SIGTRAP, to unblock it,
	 * or something of other signals. */
	EVIDENCE_ASKS_BLOCK,
	EVIDENCE_ASKS_OPEN,
	EVIDENCE_ASKS_OTHERS,
	/* It hits a site, so that call has been made. */
	EVIDENCE_HIT,
	/* SigBlk before any trap: not blocked; blocked; blocked, in a program
	 * with a SIGTRAP handler. */
	EVIDENCE_READ_OPEN,
	EVIDENCE_READ_BLOCKED,
	EVIDENCE_READ_CATCHES,
	/* SigBlk when another thread's loss was looked into, and it has not
	 * trapped: as above. */
	EVIDENCE_GLIMPSED_BLOCKED,
	EVIDENCE_GLIMPSED_CATCHES,
	/* A SIGTRAP that was sent to it has waited. */
	EVIDENCE_WAITED,
	/* There is no doubt: our action stands and was not lost since the last
	 * look, or the thread is in a handler whose mask is known, ... */
	EVIDENCE_SURELY_OPEN,
	EVIDENCE_SURELY_BLOCKED,
	/* The action is gone, or was put back since the last look. At this hit
	 * SigBlk says that SIGTRAP is blocked; or all other signals are; or
	 * neither, and another thread cannot, may, or must have lost it. */
	EVIDENCE_LOST_SHOWN,
	EVIDENCE_LOST_ALL,
	EVIDENCE_LOST_ALONE,
	EVIDENCE_LOST_PERHAPS,
	EVIDENCE_LOST_BY_OTHER,
	EVIDENCES
};

/* What is to be done with the stopped thread. */
enum belief_action {
	BELIEF_NOTHING,
	BELIEF_BLOCK, /* SIGTRAP is blocked in it again */
	BELIEF_COUNT, /* nothing, and it is counted as not known whose */
};

struct conclusion {
	enum belief belief;
	enum belief_action action;
};

struct conclusion belief_conclude(enum belief belief, enum evidence evidence);

static inline bool
belief_blocks(enum belief belief)
{
	return belief == BELIEF_SEEN || belief == BELIEF_BLOCKS;
}

/* What is left of it when the thread has a mask of its own for a while: in a
 * handler, in a child. */
enum belief belief_outside(enum belief belief);
enum belief belief_inherited(enum belief belief);

/* ---- a look ----------------------------------------------------------------
 */

/* What /proc/TID/status says at a hit. */
struct glance {
	bool stands;  /* our action is there */
	bool blocked; /* SIGTRAP */
	bool all;     /* all other signals are blocked */
	bool shaken;  /* the action was lost since the thread's last look */
};

/* May other threads have lost the action? From least to most. */
enum others { OTHERS_NONE, OTHERS_PERHAPS, OTHERS_SURELY };

/* Is an answer about the other threads needed? It costs. */
bool belief_asks_others(enum belief belief, const struct glance *glance);
/* others: whatever, if it is not needed. */
enum evidence belief_evidence(const struct glance *glance, enum others others);

/* Another thread; trapped: since the action was last seen to stand. all: it
 * blocks all other signals. */
enum others belief_suspect(enum belief belief, bool trapped, bool all);

/* ---- since when ------------------------------------------------------------
 */

/*
 * Looks at the action of one program. A mark is current until the next look
 * that any of its threads takes: a thread has hit a site and was not looked at;
 * a thread that had such a mark has ended (a ghost).
 */
struct standing {
	unsigned looks;
	unsigned losses; /* how often the action was lost */
	unsigned ghost;	 /* a mark */
};

static inline unsigned
standing_mark(const struct standing *standing)
{
	return standing->looks + 1;
}

/* 0 is a mark that never was. */
static inline bool
standing_current(const struct standing *standing, unsigned mark)
{
	return mark == standing_mark(standing);
}

/* ---- how often -------------------------------------------------------------
 */

/* To look costs as much as a stop, so a thread is trusted after some looks that
 * found nothing. All 0 is a thread that is in doubt. */
struct pace {
	unsigned clean;	  /* looks in a row that found nothing changed */
	unsigned skipped; /* hits since the last look */
	unsigned rest;	  /* how many of them until the next */
};

/* A hit: is it time to look? */
bool pace_due(struct pace *pace, enum belief belief);

static inline void
pace_doubt(struct pace *pace)
{
	pace->clean = pace->rest = 0;
}

#endif
