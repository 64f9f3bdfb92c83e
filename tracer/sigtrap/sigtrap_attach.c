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
 *
 * Likewise no guard sees a call of pthread_sigmask() that a thread has entered
 * before its guard was planted. Such a call is short, so xtrace waits for its
 * end. A thread that blocks in the kernel shows its pc in /proc. Any other
 * thread may have been preempted inside the function, and is stopped.
 */
#include "tracer/sigtrap/sigtrap.h"

#include "base/clock.h"
#include "base/log.h"
#include "process/regs.h"
#include "process/restart.h"
#include "process/resume.h"
#include "process/status.h"
#include "process/wait.h"
#include "process/woken.h"
#include "tracer/remote_calls/await.h"
#include "tracer/remote_calls/inject.h"
#include "tracer/report/report.h"
#include "tracer/sigtrap/guards.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

/* How long to wait for the end of one pthread_sigmask(). */
#define MASK_NS 1000000000

static bool
known(const struct hit *hit, unsigned argument)
{
	return !(hit->unknown & 1u << argument);
}

/* It may be unknown for which signal a call of sigaction() sets an action. Then
 * xtrace looks at the action of SIGTRAP when the call returns: either the
 * action is unchanged, or the call has set it. */
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
	call.seen = known(hit, 0) && known(hit, 1) && action &&
		    reader_word(program_memory(program), action,
				program_word(program), &call.handler) == 0;
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

/* Stops the thread, which may be preempted. True if it is outside of
 * pthread_sigmask(), and its mask was read; or if it cannot be stopped. */
static bool
seen_outside(struct session *session, pid_t tid)
{
	struct thread *thread;
	struct program *program;
	const struct regs *regs;
	bool inside;

	if (await_stop(session, tid) != AWAITED_STOPPED)
		return true;
	thread = table_thread(&session->table, tid);
	program = session_program(session, thread->process->space);
	regs = thread_regs(&session->table, thread);
	inside = program && regs && guards_in_mask(program, regs_pc(regs));
	if (program && !inside)
		sigtrap_read_mask(program, thread);
	thread_mend_interrupted(&session->table, thread);
	thread_resume(&session->table, thread, 0);
	return !inside;
}

static bool
sets_mask(const struct program *program, const struct blocked *blocked)
{
	return blocked->number == SYS_rt_sigprocmask ||
	       (blocked->number < 0 && guards_in_mask(program, blocked->pc));
}

static bool
is_outside(struct session *session, pid_t tid)
{
	struct thread *thread = table_thread(&session->table, tid);
	struct program *program =
		thread ? session_program(session, thread->process->space)
		       : NULL;
	struct blocked blocked;

	if (!program || thread->state != THREAD_RUNNING ||
	    woken_blocked(&session->table, thread, &blocked) < 0)
		return true;
	/* The stop of an interrupted thread is awaited in any case, or the
	 * thread would be held until xtrace waits for it again. */
	if (blocked.running || thread->asked)
		return seen_outside(session, tid);
	if (sets_mask(program, &blocked))
		return false;
	sigtrap_read_mask(program, thread);
	return true;
}

static void
leave_out(struct pids *tids, pid_t tid)
{
	size_t kept = 0;

	for (size_t i = 0; i < tids->list.count; i++)
		if (tids->list.at[i] != tid)
			tids->list.at[kept++] = tids->list.at[i];
	tids->list.count = kept;
}

int
sigtrap_await_masks(struct session *session, const struct process *process,
		    pid_t except)
{
	const struct timespec nap = { .tv_nsec = 200000 };
	struct pids tids = table_tids(&session->table, process);
	unsigned serial = process->space->serial;
	uint64_t until = clock_now() + MASK_NS;
	pid_t pid = process->pid;

	leave_out(&tids, except);
	woken_ask_running(&session->table, &tids, 0);
	for (size_t i = 0; i < tids.list.count; i++) {
		pid_t tid = tids.list.at[i];

		while (session_runs(session, pid, serial) &&
		       !is_outside(session, tid)) {
			if (clock_now() >= until ||
			    wait_late(&session->table)) {
				debug("%d: its mask is not known", tid);
				break;
			}
			/* A thread that has hit the guard at pthread_sigmask()
			 * waits until its stop is served. */
			if (!await_poll(session, tid))
				nanosleep(&nap, NULL);
		}
	}
	vec_release(&tids.list);
	return session_runs(session, pid, serial) ? 0 : -ESRCH;
}
