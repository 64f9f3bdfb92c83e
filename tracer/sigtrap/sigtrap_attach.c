/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Actions that are set during the attach. Our action replaces the program's
 * when the guards are planted. Until then nothing reports which threads enter
 * sigaction(). A thread that is within sigaction() at that time sets the
 * program's action over ours. xtrace would not notice, and the next trap of a
 * thread that blocks SIGTRAP would lose the program's action. Two cases:
 *
 * 	the call is found on the thread's	xtrace waits for its return, as
 * 	stack (attach/in_flight)		for a call that it saw begin
 * 	the thread has left the call		when all stacks have been
 * 						read, xtrace reads the action
 * 						once more
 *
 * Only in the first case does xtrace correct the former action that the call
 * returns.
 */
#include "tracer/sigtrap/sigtrap.h"

#include "base/log.h"
#include "process/regs.h"
#include "tracer/remote_calls/inject.h"
#include "tracer/report/report.h"
#include "tracer/sigtrap/guards.h"

#include <errno.h>
#include <signal.h>

static bool
known(const struct hit *hit, unsigned argument)
{
	return !(hit->unknown & 1u << argument);
}

/* If it is unknown for which signal the call sets an action, xtrace compares at
 * its return: either SIGTRAP's action is unchanged, or the call has set it. */
int
sigtrap_in_flight(struct hit *hit, addr_t return_address)
{
	struct program *program = hit->program;
	struct action_call call = {
		.sp = regs_sp(&hit->regs),
		.return_address = return_address,
		.old = known(hit, 2) ? hit_argument(hit, 2) : 0,
	};
	addr_t action = hit_argument(hit, 1);

	if ((known(hit, 0) && hit_argument(hit, 0) != SIGTRAP) ||
	    program->space->pid != hit->record->thread->process->pid)
		return 0;
	call.sets = action || !known(hit, 1);
	call.seen =
		known(hit, 0) && known(hit, 1) && action &&
		reader_u64(program_memory(program), action, &call.handler) == 0;
	debug("%d: within sigaction(), %s", hit->record->thread->tid,
	      call.seen ? "what it sets is known" : "about to set something");
	return sigtrap_await_return(hit, &call);
}

/* If no thread can be the host now, the thread of the next hit is the host. */
int
sigtrap_finish_attach(struct program *program, struct process *process)
{
	struct session *session = program->session;
	const struct regs *regs;
	struct thread *host;
	struct regs found;
	int r;

	if (!program->sigtrap->unclaimed || !program->guards->list.count)
		return 0;
	host = inject_host(session, process);
	regs = host ? thread_regs(&session->table, host) : NULL;
	if (!regs)
		return 0;
	found = *regs;
	r = sigtrap_claim(program, host);
	if (r == -ESRCH)
		return r;
	inject_release(session, host->tid, &found);
	return 0;
}
