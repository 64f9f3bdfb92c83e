/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The C library blocks all signals for short times; this says nothing about the
 * program's mask. The kernel blocks SIGTRAP while the program's handler for it
 * runs. ppoll(2) and similar calls replace the mask while they wait.
 */
#include "tracer/sigtrap/shown_mask.h"

#include "arch/arch.h"
#include "process/status.h"
#include "tracer/sigtrap/sigtrap_parts.h"

#include <signal.h>

/* Has the program a SIGTRAP handler, so that a thread may be in it? */
static bool
has_handler(const struct program *program, const struct status *status)
{
	const struct survive *survive = &program->sites.survive;
	uint64_t handler = survive->header.program.handler;

	if (!survive->code)
		return status->caught & TRAP_BIT;
	return handler != (uint64_t)(uintptr_t)SIG_IGN &&
	       handler != (uint64_t)(uintptr_t)SIG_DFL;
}

static bool
waits_with_mask(const struct thread *thread)
{
	const struct arch *arch = thread->process->space->arch;
	struct blocked blocked;

	return status_blocked(arch, thread->process->pid, thread->tid,
			      &blocked) == 0 &&
	       arch->system_call->waits_masked(blocked.number,
					       blocked.arguments);
}

/* True if the thread does not block SIGTRAP now: a system call with a mask of
 * its own may have ended since the status was read. */
static bool
shows_another_now(const struct thread *thread)
{
	struct status now;

	return status_read(thread->tid, &now) < 0 || !(now.blocked & TRAP_BIT);
}

enum shown_mask
shown_mask(const struct program *program, const struct thread *thread,
	   const struct status *status)
{
	if (!(status->blocked & TRAP_BIT) ||
	    sigtrap_blocks_the_rest(status->blocked))
		return SHOWN_OPEN;
	return has_handler(program, status) || waits_with_mask(thread) ||
			       shows_another_now(thread)
		       ? SHOWN_PERHAPS
		       : SHOWN_BLOCKED;
}
