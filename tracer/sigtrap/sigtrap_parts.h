/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of tracer/sigtrap have in common. */
#ifndef TRACER_SIGTRAP_SIGTRAP_PARTS_H
#define TRACER_SIGTRAP_SIGTRAP_PARTS_H

#include "process/status.h"
#include "process/wait.h"
#include "tracer/model/session.h"
#include "tracer/sigtrap/sigtrap.h"

#include <signal.h>

/* Evidence that asks for nothing to be done with the thread. */
static inline void
sigtrap_learn(struct sigtrap *sigtrap, enum evidence evidence)
{
	sigtrap->belief = belief_conclude(sigtrap->belief, evidence).belief;
}

/*
 * The thread has trapped, and that is not dealt with. A SIGTRAP that it blocks
 * is no trap's, which unblocks it: it was sent, and waits.
 */
static inline bool
sigtrap_unserved(struct table *table, pid_t tid, const struct status *status)
{
	return (status->pending & TRAP_BIT && !(status->blocked & TRAP_BIT)) ||
	       wait_trapped(table, tid);
}

/* All that can be blocked is, whatever SIGTRAP is. */
static inline bool
sigtrap_blocks_the_rest(uint64_t mask)
{
	const uint64_t others = UINT64_C(0x7fffffff) & ~SIGNAL_BIT(SIGKILL) &
				~SIGNAL_BIT(SIGSTOP) & ~TRAP_BIT;

	return (mask & others) == others;
}

/* The stopped thread blocks SIGTRAP again. 0 or -ESRCH. */
must_check int sigtrap_put_back_mask(struct program *program,
				     struct thread *thread);

#endif
