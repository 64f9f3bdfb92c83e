/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A belief is xtrace's assumption about one thread: does it block SIGTRAP? If a
 * thread that blocks SIGTRAP hits a trap, the kernel resets the program's
 * action and unblocks the signal. The mask can therefore not be read at the hit
 * (see tracer/sigtrap/sigtrap.c). This file says, as a table, how each piece of
 * evidence changes a belief. It reads and changes no process.
 */
#ifndef TRACER_SIGTRAP_BELIEF_H
#define TRACER_SIGTRAP_BELIEF_H

#include <stdbool.h>

enum belief {
	/* The thread does not block SIGTRAP. */
	BELIEF_OPEN,
	/* The thread has just asked pthread_sigmask() to unblock SIGTRAP. Until
	 * that call has made its system call, SigBlk in /proc still shows
	 * SIGTRAP. */
	BELIEF_OPENING,
	/* The thread does not block SIGTRAP. SigBlk once showed it as
	 * blocked, but that mask may have been another (SHOWN_PERHAPS in
	 * tracer/sigtrap/shown_mask.h). */
	BELIEF_EXCUSED,
	/* The thread blocks SIGTRAP according to SigBlk, which may have shown
	 * another mask. */
	BELIEF_SEEN,
	/* The thread blocks SIGTRAP. */
	BELIEF_BLOCKS,
	BELIEFS
};

enum evidence {
	/* What the thread asks of pthread_sigmask(): to block SIGTRAP, to
	 * unblock it, or to change other signals only. */
	EVIDENCE_ASKS_BLOCK,
	EVIDENCE_ASKS_OPEN,
	EVIDENCE_ASKS_OTHERS,
	/* The thread hits a site, so its call of pthread_sigmask() has been
	 * made. */
	EVIDENCE_HIT,
	/* What SigBlk shows before any trap: not blocked; blocked; blocked, but
	 * perhaps only for a while. */
	EVIDENCE_READ_OPEN,
	EVIDENCE_READ_BLOCKED,
	EVIDENCE_READ_PERHAPS,
	/* What SigBlk shows of a thread that has not trapped, when xtrace
	 * examines why another thread lost the action: blocked; blocked, but
	 * perhaps only for a while. */
	EVIDENCE_OBSERVED_BLOCKED,
	EVIDENCE_OBSERVED_PERHAPS,
	/* A SIGTRAP that was sent to the thread stayed pending. */
	EVIDENCE_WAITED,
	/* xtrace knows for certain whether the thread blocks SIGTRAP. For
	 * example, our action is set and was not lost since the last
	 * observation, or the thread is in a handler whose mask is known. */
	EVIDENCE_SURELY_OPEN,
	EVIDENCE_SURELY_BLOCKED,
	/* Our action is lost, or was restored since the last observation. At
	 * this hit SigBlk shows SIGTRAP as blocked; or all other signals; or
	 * neither of them. In the last case another thread cannot, may, or must
	 * have lost the action. */
	EVIDENCE_LOST_SHOWN,
	EVIDENCE_LOST_ALL,
	EVIDENCE_LOST_ALONE,
	EVIDENCE_LOST_PERHAPS,
	EVIDENCE_LOST_BY_OTHER,
	EVIDENCES
};

/* What xtrace does with the stopped thread. */
enum belief_action {
	BELIEF_NOTHING,
	BELIEF_BLOCK, /* blocks SIGTRAP in the thread again */
	BELIEF_COUNT, /* nothing, but counts the loss as unexplained */
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

/* The belief that remains when the thread temporarily has another mask (in a
 * signal handler), and the belief about a new child. */
enum belief belief_outside(enum belief belief);
enum belief belief_inherited(enum belief belief);

/* ---- an observation --------------------------------------------------------
 */

/* What /proc/TID/status says at a hit. */
struct glance {
	bool is_set;  /* our action is set */
	bool blocked; /* SIGTRAP is blocked */
	bool all;     /* all other signals are blocked */
	bool shaken;  /* the action was lost since the last observation */
};

/* May other threads have lost the action? From least to most likely. */
enum others { OTHERS_NONE, OTHERS_PERHAPS, OTHERS_SURELY };

/* Does belief_evidence() need to know whether other threads may have lost the
 * action? To find that out costs system calls. */
bool belief_asks_others(enum belief belief, const struct glance *glance);
/* others may be any value if belief_asks_others() is false. */
enum evidence belief_evidence(const struct glance *glance, enum others others);

/* How likely another thread, with this belief, has lost the action. trapped: it
 * has trapped since the action was last seen to be set. all: it blocks all
 * other signals. */
enum others belief_suspect(enum belief belief, bool trapped, bool all);

/* ---- since when ------------------------------------------------------------
 */

/*
 * The observations of one program's action. A mark is the number of an
 * observation. It is current until the next observation of any thread of the
 * program. A thread gets a mark when it hits a site without an observation.
 */
struct standing {
	unsigned observations;
	unsigned losses; /* how often the action was lost */
	unsigned ended;	 /* standing_mark() when a thread last ended */
};

static inline unsigned
standing_mark(const struct standing *standing)
{
	return standing->observations + 1;
}

/* Mark 0 is never current. */
static inline bool
standing_current(const struct standing *standing, unsigned mark)
{
	return mark == standing_mark(standing);
}

/* ---- how often -------------------------------------------------------------
 */

/* An observation costs as much as a stop, so a thread is trusted after some
 * observations that found nothing. In a thread that is not trusted, all members
 * are 0. */
struct pace {
	unsigned clean;	  /* observations in a row that found nothing changed */
	unsigned skipped; /* hits since the last observation */
	unsigned rest;	  /* how many hits to skip until the next observation */
};

/* Called at each hit of a thread. True if an observation of the thread is due.
 */
bool pace_due(struct pace *pace, enum belief belief);

static inline void
pace_restart(struct pace *pace)
{
	pace->clean = pace->rest = 0;
}

#endif
