/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel blocks SIGTRAP while the program's handler for it runs. Our
 * handler passes signals on to the program's handler with SIGTRAP unblocked,
 * because one of our traps in that handler must find our handler if xtrace is
 * killed. So another SIGTRAP of the program's own would enter the program's
 * handler again, and signals that come faster than the handler returns would
 * fill its stack. xtrace holds such a signal: it blocks SIGTRAP in the thread
 * until the handler returns (sigreturn(2) restores the earlier mask), and makes
 * the thread send the signal to itself again.
 *
 * The mask tells whether the thread is in its handler. xtrace is sure only if
 * three things are true: the program's own action, whose mask we know, blocks
 * all other signals; the thread blocks all signals except SIGTRAP; and it had
 * another mask when a SIGTRAP was delivered to it. A handler with a smaller
 * mask cannot be distinguished from code that runs after it. There xtrace
 * delivers the SIGTRAP, because a signal held by mistake would never arrive.
 */
#include "tracer/sigtrap/sigtrap_parts.h"

#include "base/log.h"
#include "process/siginfo.h"
#include "tracer/sigtrap/sigtrap.h"

static bool
blocks_itself(const struct inside_action *action)
{
	return !(action->flags & SA_NODEFER) &&
	       sigtrap_blocks_the_rest(action->mask);
}

/* Is this the mask of the program's handler? */
static bool
in_handler(struct program *program, const struct sigtrap *sigtrap,
	   uint64_t mask)
{
	struct inside_action action;

	return !(mask & TRAP_BIT) && sigtrap_blocks_the_rest(mask) &&
	       !sigtrap->all_before && sigtrap_wanted(program) &&
	       action_of_program(&program->sites, &action) == 0 &&
	       blocks_itself(&action);
}

bool
sigtrap_hold_virtual(struct thread_record *record)
{
	struct virtual_mask *mask = &record->sigtrap->mask;
	siginfo_t info;

	if (!mask->on || thread_siginfo(record->thread, &info) < 0)
		return false;
	/* A thread dies of a SIGTRAP that it blocks and that an instruction of
	 * the program has raised, so such a SIGTRAP must not wait: the virtual
	 * mask ends, and our handler lets the thread die. */
	if (info.si_code > 0) {
		mask->on = false;
		return false;
	}
	if (!virtual_mask_end(record))
		return false;
	debug("%d: a SIGTRAP waits that it blocks", record->thread->tid);
	sigtrap_learn(record->sigtrap, EVIDENCE_SURELY_BLOCKED);
	return true;
}

bool
sigtrap_hold_nested(struct program *program, struct thread_record *record)
{
	struct sigtrap *sigtrap = record->sigtrap;
	struct thread *thread = record->thread;
	siginfo_t info;
	uint64_t mask;
	int r;

	if (!program || !program->sites.survive.code || sigtrap->apart ||
	    thread_signal_mask(thread, &mask) < 0)
		return false;
	/* The held signal has arrived, so the thread does not block it. */
	if (!(mask & TRAP_BIT) && sigtrap->resent)
		sigtrap_learn(sigtrap, EVIDENCE_SURELY_OPEN);
	/* A SIGTRAP that an instruction of the program has raised must not
	 * wait. */
	if (!in_handler(program, sigtrap, mask) ||
	    thread_siginfo(thread, &info) < 0 || info.si_code > 0) {
		sigtrap->all_before = sigtrap_blocks_the_rest(mask);
		sigtrap->resent = false;
		return false;
	}
	r = thread_set_signal_mask(thread, mask | TRAP_BIT);
	if (r == 0)
		r = action_send_again(&program->sites, thread, &info);
	if (r < 0 && thread_set_signal_mask(thread, mask) < 0)
		debug("%d vanished at its SIGTRAP", thread->tid);
	if (r < 0)
		return false;
	debug("%d: a SIGTRAP waits for the return of its handler", thread->tid);
	sigtrap_learn(sigtrap, EVIDENCE_SURELY_BLOCKED);
	sigtrap->resent = true;
	return true;
}
