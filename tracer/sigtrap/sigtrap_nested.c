/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel blocks SIGTRAP while a handler of the program's for it runs. Our
 * handler passes on to it with SIGTRAP unblocked, because a trap of ours in the
 * program's handler must find ours if xtrace is killed. So another SIGTRAP of
 * the program's own would enter its handler again, and signals that come faster
 * than the handler returns would fill its stack. Such a signal is held: SIGTRAP
 * is blocked in the thread until its handler returns (sigreturn(2) restores the
 * mask from before), and the thread sends the signal to itself once more.
 *
 * That the thread is in its handler is known by its mask. Only a handler that
 * blocks all other signals makes one of all signals but SIGTRAP: the program's
 * own action, whose mask we know, and a thread whose mask was another when a
 * SIGTRAP was delivered to it. A handler with a smaller mask cannot be told
 * from code that runs after it: there a SIGTRAP is let through, because one
 * that was held by mistake would never come.
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

/* Is the mask that of the program's handler? */
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
sigtrap_hold_nested(struct program *program, struct actor *actor)
{
	struct sigtrap *sigtrap = actor->sigtrap;
	struct thread *thread = actor->thread;
	siginfo_t info;
	uint64_t mask;
	int r;

	if (!program || !program->sites.survive.code || sigtrap->apart ||
	    thread_signal_mask(thread, &mask) < 0)
		return false;
	/* The one that was held has come, so its thread does not block it. */
	if (!(mask & TRAP_BIT) && sigtrap->resent)
		sigtrap_learn(sigtrap, EVIDENCE_SURELY_OPEN);
	/* A trap of the program's own cannot wait. */
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
