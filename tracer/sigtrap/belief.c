/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A row is evidence; a column is the belief before it. "." keeps the belief;
 * "+" blocks SIGTRAP in the thread again; "?" counts the loss as unexplained.
 *
 * 	                  OPEN      OPENING   EXCUSED   SEEN      BLOCKS
 * 	asks block        BLOCKS    BLOCKS    BLOCKS    BLOCKS    .
 * 	asks open         OPENING   .         OPENING   OPENING   OPENING
 * 	asks others       OPENING   .         .         .         .
 * 	hit               .         OPEN      .         .         .
 * 	read open         .         .         OPEN      OPEN      OPEN
 * 	read blocked      BLOCKS    BLOCKS    BLOCKS    BLOCKS    .
 * 	read perhaps      SEEN      SEEN      SEEN      .         SEEN
 * 	observed blocked  BLOCKS    .         BLOCKS    .         .
 * 	observed perhaps  SEEN      .         SEEN      .         .
 * 	waited            .         .         .         BLOCKS    .
 * 	surely open       .         .         OPEN      OPEN      OPEN
 * 	surely blocked    BLOCKS    BLOCKS    BLOCKS    BLOCKS    .
 * 	lost, shown       .         .         .         .         .
 * 	lost, all         . +       . +       . +       . +       . +
 * 	lost, alone       BLOCKS +  BLOCKS +  SEEN +    . +       . +
 * 	lost, perhaps     . ?       . ?       . ?       . +       . +
 * 	lost by other     .         .         .         EXCUSED   . +
 *
 * In the last three rows the belief and the evidence may disagree. If xtrace
 * blocks SIGTRAP in a thread that did not block it, the next SIGTRAP of the
 * program's own kills the program, and the thread's next trap loses the action
 * again. So SIGTRAP is blocked only if the belief is BLOCKS, or if no other
 * thread can have lost the action. The belief SEEN is dropped if another thread
 * must have lost the action.
 */
#include "tracer/sigtrap/belief.h"

#include <assert.h>

/* A thread is trusted again after this many observations that found nothing. */
#define CLEAN_ENOUGH 16
/* How many hits of a trusted thread pass between two observations, at
 * first; the number doubles each time. */
#define HITS_FIRST 64
#define HITS_LAST 4096

#define TO(belief)                              \
	{                                       \
		BELIEF_##belief, BELIEF_NOTHING \
	}
#define TO_BLOCK(belief)                      \
	{                                     \
		BELIEF_##belief, BELIEF_BLOCK \
	}
#define TO_COUNT(belief)                      \
	{                                     \
		BELIEF_##belief, BELIEF_COUNT \
	}

static const struct conclusion table[EVIDENCES][BELIEFS] = {
	[EVIDENCE_ASKS_BLOCK] = { TO(BLOCKS), TO(BLOCKS), TO(BLOCKS),
				  TO(BLOCKS), TO(BLOCKS) },
	[EVIDENCE_ASKS_OPEN] = { TO(OPENING), TO(OPENING), TO(OPENING),
				 TO(OPENING), TO(OPENING) },
	[EVIDENCE_ASKS_OTHERS] = { TO(OPENING), TO(OPENING), TO(EXCUSED),
				   TO(SEEN), TO(BLOCKS) },
	[EVIDENCE_HIT] = { TO(OPEN), TO(OPEN), TO(EXCUSED), TO(SEEN),
			   TO(BLOCKS) },
	[EVIDENCE_READ_OPEN] = { TO(OPEN), TO(OPENING), TO(OPEN), TO(OPEN),
				 TO(OPEN) },
	[EVIDENCE_READ_BLOCKED] = { TO(BLOCKS), TO(BLOCKS), TO(BLOCKS),
				    TO(BLOCKS), TO(BLOCKS) },
	[EVIDENCE_READ_PERHAPS] = { TO(SEEN), TO(SEEN), TO(SEEN), TO(SEEN),
				    TO(SEEN) },
	[EVIDENCE_OBSERVED_BLOCKED] = { TO(BLOCKS), TO(OPENING), TO(BLOCKS),
					TO(SEEN), TO(BLOCKS) },
	[EVIDENCE_OBSERVED_PERHAPS] = { TO(SEEN), TO(OPENING), TO(SEEN),
					TO(SEEN), TO(BLOCKS) },
	[EVIDENCE_WAITED] = { TO(OPEN), TO(OPENING), TO(EXCUSED), TO(BLOCKS),
			      TO(BLOCKS) },
	[EVIDENCE_SURELY_OPEN] = { TO(OPEN), TO(OPENING), TO(OPEN), TO(OPEN),
				   TO(OPEN) },
	[EVIDENCE_SURELY_BLOCKED] = { TO(BLOCKS), TO(BLOCKS), TO(BLOCKS),
				      TO(BLOCKS), TO(BLOCKS) },
	[EVIDENCE_LOST_SHOWN] = { TO(OPEN), TO(OPENING), TO(EXCUSED), TO(SEEN),
				  TO(BLOCKS) },
	[EVIDENCE_LOST_ALL] = { TO_BLOCK(OPEN), TO_BLOCK(OPENING),
				TO_BLOCK(EXCUSED), TO_BLOCK(SEEN),
				TO_BLOCK(BLOCKS) },
	[EVIDENCE_LOST_ALONE] = { TO_BLOCK(BLOCKS), TO_BLOCK(BLOCKS),
				  TO_BLOCK(SEEN), TO_BLOCK(SEEN),
				  TO_BLOCK(BLOCKS) },
	[EVIDENCE_LOST_PERHAPS] = { TO_COUNT(OPEN), TO_COUNT(OPENING),
				    TO_COUNT(EXCUSED), TO_BLOCK(SEEN),
				    TO_BLOCK(BLOCKS) },
	[EVIDENCE_LOST_BY_OTHER] = { TO(OPEN), TO(OPENING), TO(EXCUSED),
				     TO(EXCUSED), TO_BLOCK(BLOCKS) },
};

struct conclusion
belief_conclude(enum belief belief, enum evidence evidence)
{
	assert(belief < BELIEFS && evidence < EVIDENCES);
	return table[evidence][belief];
}

/* The mask that SigBlk has shown may have been only that of the signal handler,
 * so only BELIEF_BLOCKS is kept. */
enum belief
belief_outside(enum belief belief)
{
	return belief == BELIEF_BLOCKS ? BELIEF_BLOCKS : BELIEF_OPEN;
}

/* A new thread has not called pthread_sigmask() yet, so the belief about it is
 * the parent's as a hit would leave it. */
enum belief
belief_inherited(enum belief belief)
{
	return belief_conclude(belief, EVIDENCE_HIT).belief;
}

static bool
action_was_lost(const struct glance *glance)
{
	return !glance->is_set || glance->shaken;
}

bool
belief_asks_others(enum belief belief, const struct glance *glance)
{
	return !glance->is_set && !glance->blocked && !glance->all &&
	       belief != BELIEF_BLOCKS;
}

enum evidence
belief_evidence(const struct glance *glance, enum others others)
{
	if (!action_was_lost(glance))
		return glance->blocked ? EVIDENCE_SURELY_BLOCKED
				       : EVIDENCE_SURELY_OPEN;
	if (glance->blocked)
		return EVIDENCE_LOST_SHOWN;
	if (glance->all)
		return EVIDENCE_LOST_ALL;
	/* If our action is set again, the thread that restored it handled the
	 * loss. */
	if (glance->is_set || others == OTHERS_SURELY)
		return EVIDENCE_LOST_BY_OTHER;
	return others == OTHERS_NONE ? EVIDENCE_LOST_ALONE
				     : EVIDENCE_LOST_PERHAPS;
}

enum others
belief_suspect(enum belief belief, bool trapped, bool all)
{
	if (!trapped)
		return OTHERS_NONE;
	return belief_blocks(belief) || all ? OTHERS_SURELY : OTHERS_PERHAPS;
}

bool
pace_due(struct pace *pace, enum belief belief)
{
	if (belief_blocks(belief) || pace->clean < CLEAN_ENOUGH)
		return true;
	if (pace->rest < HITS_FIRST)
		pace->rest = HITS_FIRST;
	if (++pace->skipped < pace->rest)
		return false;
	pace->skipped = 0;
	if (pace->rest < HITS_LAST)
		pace->rest *= 2;
	return true;
}
