/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Actions that are set while we attach. Ours takes the place of the program's
 * when the guards stand, and until then nobody sees who enters sigaction(). Who
 * is within it at that moment sets the program's action over ours; that would
 * not be known, and be lost by the next trap of a thread that blocks SIGTRAP.
 *
 *	found on its stack	its return is waited for, as of a call that was
 *	(tracer/in_flight)	seen to begin
 *	out of it by then	when all stacks have been looked at, the action
 *				is looked at once more
 *
 * What it had to tell of the action before it tells rightly in the first case
 * only.
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

/* Where it is not known which signal's action is set, none of SIGTRAP's will be
 * found when it returns, or the one that it has set. */
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
	    program->space->pid != hit->actor->thread->process->pid)
		return 0;
	call.sets = action || !known(hit, 1);
	call.seen =
		known(hit, 0) && known(hit, 1) && action &&
		reader_u64(program_memory(program), action, &call.handler) == 0;
	debug("%d: within sigaction(), %s", hit->actor->thread->tid,
	      call.seen ? "what it sets is known" : "about to set something");
	return sigtrap_await_return(hit, &call);
}

/* Where nobody lends himself the next hit does it. */
int
sigtrap_settle(struct program *program, struct process *process)
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
