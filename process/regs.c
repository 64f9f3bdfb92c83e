/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fetches and writes registers; arch/regs tells which requests are used. */
#include "process/regs.h"

#include "process/request.h"
#include "process/space.h"
#include "process/system_call.h"

#include <errno.h>
#include <sys/syscall.h>

static int
make_requests(const struct thread *thread, const struct regs_request *requests,
	      unsigned count)
{
	int r = 0;

	for (unsigned i = 0; i < count && r == 0; i++)
		r = request(requests[i].what, thread->tid, requests[i].address,
			    requests[i].data);
	return r;
}

const struct regs *
thread_regs(struct table *table, struct thread *thread)
{
	struct regs_request requests[REGS_REQUESTS_MOST];
	unsigned count;

	if (thread->regs_state != REGS_UNKNOWN)
		return &thread->regs;
	count = regs_fetching(&thread->regs, requests);
	table->tally.ptraces += count;
	if (make_requests(thread, requests, count) < 0)
		return NULL;
	thread->regs_state = REGS_CLEAN;
	return &thread->regs;
}

const struct vregs *
thread_vregs(struct table *table, struct thread *thread)
{
	struct regs_request requests[REGS_REQUESTS_MOST];
	unsigned count;

	if (thread->vregs_known)
		return &thread->vregs;
	count = vregs_fetching(&thread->vregs, requests);
	table->tally.ptraces += count;
	if (make_requests(thread, requests, count) < 0)
		return NULL;
	thread->vregs_known = true;
	return &thread->vregs;
}

void
thread_set_pc(struct thread *thread, addr_t pc)
{
	regs_set_pc(&thread->regs, pc);
	if (thread->regs_state == REGS_CLEAN)
		thread->regs_state = REGS_PC_DIRTY;
}

void
thread_set_regs(struct thread *thread, const struct regs *regs)
{
	thread->regs = *regs;
	thread->regs_state = REGS_DIRTY;
}

/* The kernel's errors for calls that are made again, under conditions, are 512
 * to 516 (include/linux/errno.h); 514: unless a handler runs. */
#define ERESTARTSYS 512
#define ERESTARTNOHAND 514
#define ERESTART_RESTARTBLOCK 516

static const struct arch_system_call *
system_call_of(const struct thread *thread)
{
	return thread->process->space->arch->system_call;
}

bool
thread_interrupted(const struct thread *thread, const struct regs *regs)
{
	const struct arch_system_call *call = system_call_of(thread);

	return call->number(regs) >= 0 && call->result(regs) == -EINTR;
}

bool
thread_blocked_in(const struct thread *thread, const struct regs *regs,
		  struct blocked *ret_blocked)
{
	const struct arch_system_call *call = system_call_of(thread);
	int64_t error = -call->result(regs);

	*ret_blocked = (struct blocked){
		.number = call->number(regs),
		.sp = regs_sp(regs),
		.pc = regs_pc(regs),
	};
	for (unsigned i = 0; i < array_size(ret_blocked->arguments); i++)
		ret_blocked->arguments[i] = call->argument(regs, i);
	return ret_blocked->number >= 0 &&
	       (error == EINTR ||
		(error >= ERESTARTSYS && error <= ERESTART_RESTARTBLOCK));
}

/* close(2) has closed the descriptor before it waits, so it must not be
 * repeated. A 64-bit program that makes it by int 0x80 uses another number. */
static bool
closes(struct table *table, const struct thread *thread,
       const struct regs *regs)
{
	const struct arch *arch = thread_call_arch(table, thread);
	const struct arch_system_call *call =
		arch ? arch->system_call : system_call_of(thread);

	return call->number(regs) == SYS_close;
}

void
thread_mend_interrupted(struct table *table, struct thread *thread)
{
	const struct regs *regs = thread_regs(table, thread);
	struct regs mended;

	if (!regs || !thread_interrupted(thread, regs) ||
	    closes(table, thread, regs))
		return;
	mended = *regs;
	system_call_of(thread)->set_result(&mended, -ERESTARTNOHAND);
	thread_set_regs(thread, &mended);
}

int
thread_store_regs(struct table *table, struct thread *thread)
{
	struct regs_request requests[REGS_REQUESTS_MOST];
	unsigned count;

	if (thread->regs_state == REGS_PC_DIRTY)
		count = regs_storing_pc(&thread->regs, requests);
	else if (thread->regs_state == REGS_DIRTY)
		count = regs_storing(&thread->regs, requests);
	else
		return 0;
	table->tally.ptraces += count;
	thread->regs_state = REGS_CLEAN;
	return make_requests(thread, requests, count);
}
