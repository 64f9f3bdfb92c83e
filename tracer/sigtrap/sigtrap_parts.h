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
 * The thread has trapped, and xtrace has not handled the trap yet. A trap
 * unblocks SIGTRAP. So a pending SIGTRAP that is blocked does not come from a
 * trap: it was sent.
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

/* Blocks SIGTRAP in the stopped thread again, or gives it a virtual mask. 0 or
 * -ESRCH. */
must_check int sigtrap_put_back_mask(struct program *program,
				     struct thread_record *record);

#endif
