/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See the header; ptrace(2), PTRACE_GETREGS and PTRACE_POKEUSER. */
#include "process/regs.h"

#include "process/request.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/user.h>

const struct regs *
thread_regs(struct table *table, struct thread *thread)
{
	if (thread->regs_state != REGS_UNKNOWN)
		return &thread->regs;
	table->tally.ptraces++;
	if (request(PTRACE_GETREGS, thread->tid, 0, &thread->regs.gpr) < 0)
		return NULL;
	thread->regs_state = REGS_CLEAN;
	return &thread->regs;
}

const struct vregs *
thread_vregs(struct table *table, struct thread *thread)
{
	if (thread->vregs_known)
		return &thread->vregs;
	table->tally.ptraces++;
	if (request(PTRACE_GETFPREGS, thread->tid, 0, &thread->vregs.fxsave) <
	    0)
		return NULL;
	thread->vregs_known = true;
	return &thread->vregs;
}

void
thread_set_pc(struct thread *thread, addr_t pc)
{
	thread->regs.gpr.rip = pc;
	if (thread->regs_state == REGS_CLEAN)
		thread->regs_state = REGS_PC_DIRTY;
}

void
thread_set_regs(struct thread *thread, const struct regs *regs)
{
	thread->regs = *regs;
	thread->regs_state = REGS_DIRTY;
}

/* include/linux/errno.h: restart unless a handler runs. A close has closed
 * before it waits. */
#define ERESTARTNOHAND 514

void
thread_mend_interrupted(struct table *table, struct thread *thread)
{
	const struct regs *regs = thread_regs(table, thread);
	struct regs mended;

	if (!regs || (int64_t)regs->gpr.orig_rax < 0 ||
	    (int64_t)regs->gpr.rax != -EINTR || regs->gpr.orig_rax == SYS_close)
		return;
	mended = *regs;
	mended.gpr.rax = (uint64_t)-ERESTARTNOHAND;
	thread_set_regs(thread, &mended);
}

int
thread_store_regs(struct table *table, struct thread *thread)
{
	int r;

	if (thread->regs_state == REGS_PC_DIRTY)
		r = request(PTRACE_POKEUSER, thread->tid,
			    offsetof(struct user, regs.rip),
			    (const void *)thread->regs.gpr.rip);
	else if (thread->regs_state == REGS_DIRTY)
		r = request(PTRACE_SETREGS, thread->tid, 0, &thread->regs.gpr);
	else
		return 0;
	table->tally.ptraces++;
	thread->regs_state = REGS_CLEAN;
	return r;
}
