/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of tracer/sigtrap share. */
#ifndef TRACER_SIGTRAP_SIGTRAP_PARTS_H
#define TRACER_SIGTRAP_SIGTRAP_PARTS_H

#include "process/status.h"
#include "process/wait.h"
#include "tracer/model/session.h"
#include "tracer/sigtrap/sigtrap.h"

#include <signal.h>

/* Notes evidence that needs no action on the thread. */
static inline void
sigtrap_learn(struct sigtrap *sigtrap, enum evidence evidence)
{
	sigtrap->belief = belief_conclude(sigtrap->belief, evidence).belief;
}

/*
 * True if the thread has trapped, and xtrace has not handled the trap yet. A
 * trap unblocks SIGTRAP. So a pending SIGTRAP that is blocked does not come
 * from a trap: it was sent.
 */
static inline bool
sigtrap_unserved(struct table *table, pid_t tid, const struct status *status)
{
	return (status->pending & TRAP_BIT && !(status->blocked & TRAP_BIT)) ||
	       wait_trapped(table, tid);
}

/* Does the mask block every signal that can be blocked, apart from SIGTRAP? */
static inline bool
sigtrap_blocks_the_rest(uint64_t mask)
{
	const uint64_t others = UINT64_C(0x7fffffff) & ~SIGNAL_BIT(SIGKILL) &
				~SIGNAL_BIT(SIGSTOP) & ~TRAP_BIT;

	return (mask & others) == others;
}

/*
 * For the program the thread blocks all signals from now on, SIGTRAP among
 * them. Often that lasts for a moment only, and the thread sets its former mask
 * without being seen; so the belief until then is not the belief afterwards.
 */
static inline void
sigtrap_begin_all(struct sigtrap *sigtrap, enum belief after)
{
	if (!sigtrap->blocks_all)
		sigtrap->after_all = after;
	sigtrap->blocks_all = true;
	sigtrap_learn(sigtrap, EVIDENCE_SURELY_BLOCKED);
}

/* The belief of a thread whose mask in the kernel is `blocked`. */
static inline enum belief
sigtrap_belief(const struct sigtrap *sigtrap, uint64_t blocked)
{
	return sigtrap->blocks_all && !sigtrap_blocks_the_rest(blocked)
		       ? sigtrap->after_all
		       : sigtrap->belief;
}

/* Notes that the thread runs with this mask in the kernel. */
static inline void
sigtrap_found_mask(struct sigtrap *sigtrap, uint64_t blocked)
{
	sigtrap->belief = sigtrap_belief(sigtrap, blocked);
	sigtrap->blocks_all =
		sigtrap->blocks_all && sigtrap_blocks_the_rest(blocked);
	virtual_mask_found(&sigtrap->mask, blocked);
}

/* Blocks SIGTRAP in the stopped thread again, or gives it a virtual mask. 0 or
 * -ESRCH. */
must_check int sigtrap_put_back_mask(struct program *program,
				     struct thread_record *record);

#endif
