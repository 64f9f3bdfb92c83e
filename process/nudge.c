/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets the trap flag in the thread's registers instead of using
 * PTRACE_SINGLESTEP. If we die, the kernel undoes PTRACE_SINGLESTEP. Then no
 * SIGTRAP would come, and our handler in the tracee would not restore the
 * thread's mask (docs/SURVIVAL.md). For the same reason the registers are
 * restored at once when the thread stops.
 */
#include "process/nudge.h"

#include "base/log.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/siginfo.h"
#include "process/space.h"
#include "process/status.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>

/* Signals that an instruction can raise. If one is blocked when it is raised,
 * the kernel kills the process. */
#define RAISED                                                           \
	(SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGBUS) | SIGNAL_BIT(SIGILL) | \
	 SIGNAL_BIT(SIGFPE) | SIGNAL_BIT(SIGSYS))

static int
set_stepping(struct table *table, struct thread *thread, bool stepping)
{
	const struct regs *regs = thread_regs(table, thread);
	struct regs changed;

	if (!regs)
		return -ESRCH;
	changed = *regs;
	regs_set_stepping(&changed, stepping);
	thread_set_regs(thread, &changed);
	return thread_store_regs(table, thread);
}

/* Writes the thread's id and mask to the two words at note (process/nudge.h),
 * unless they are in use for another thread. */
static int
write_note(struct thread *thread, addr_t note)
{
	const uint64_t words[] = { (uint64_t)thread->tid, thread->mask };
	struct space *space = thread->process->space;
	uint64_t there;
	int r = note ? space_read_raw(space, note, &there, sizeof(there)) : 0;

	thread->note = 0;
	if (!note || r < 0)
		return r;
	if (there)
		return -EBUSY;
	thread->note = note;
	return space_write(space, note, words, sizeof(words));
}

static void
clear_note(struct thread *thread)
{
	const uint64_t none = 0;

	if (thread->note && space_write(thread->process->space, thread->note,
					&none, sizeof(none)) < 0)
		debug("%d stays noted", thread->tid);
}

/* Is a SIGTRAP pending that the thread blocks? A nudge does not block SIGTRAP,
 * so this signal would be taken before the instruction has run. */
static bool
holds_trap(const struct thread *thread, uint64_t mask)
{
	struct status status;

	return mask & TRAP_BIT && status_read(thread->tid, &status) == 0 &&
	       (status.pending | status.shared) & TRAP_BIT;
}

int
thread_nudge(struct table *table, struct thread *thread, addr_t note)
{
	const struct regs *regs = thread_regs(table, thread);
	uint64_t held;
	int r;

	if (!regs)
		return -ESRCH;
	if (regs_stepping(regs))
		return -EBUSY;
	/* A nudged thread has a temporary mask; the mask that is saved now must
	 * be its own. */
	assert(!thread->nudged);
	r = thread_signal_mask(thread, &thread->mask);
	if (r == 0 && holds_trap(thread, thread->mask))
		r = -EBUSY;
	if (r == 0)
		r = write_note(thread, note);
	if (r < 0)
		return r;
	held = (thread->mask | ~RAISED) & ~TRAP_BIT;
	thread->nudged = true;
	if (set_stepping(table, thread, true) < 0 ||
	    thread_set_signal_mask(thread, held) < 0)
		return -ESRCH;
	return thread_resume(table, thread, 0);
}

void
nudge_over(struct table *table, struct stop *stop)
{
	struct thread *thread = stop->thread;
	siginfo_t info;

	/* An interrupt stop comes before the SIGTRAP of the step, which is
	 * queued by then. If we restored the thread's own mask now, the SIGTRAP
	 * might stay queued until we have left, and then kill the program. */
	if (stop->kind != STOP_GONE && stop->kind != STOP_EXEC &&
	    stop->kind != STOP_TRAP && thread_trap_comes(thread) &&
	    set_stepping(table, thread, false) == 0)
		return;
	thread->nudged = false;
	/* The thread has ended, or an exec has replaced it. */
	if (stop->kind == STOP_GONE || stop->kind == STOP_EXEC) {
		clear_note(thread);
		return;
	}
	if (set_stepping(table, thread, false) < 0 ||
	    thread_set_signal_mask(thread, thread->mask) < 0)
		debug("%d vanished while it was nudged", thread->tid);
	clear_note(thread);
	if (stop->kind == STOP_TRAP && thread_siginfo(thread, &info) == 0 &&
	    info.si_code == TRAP_TRACE)
		stop->kind = STOP_STEP;
}
