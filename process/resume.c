/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTRACE_CONT and its kin. A thread that was killed while stopped answers
 * ESRCH to everything; its end comes through wait.
 */
#include "process/resume.h"

#include "process/regs.h"
#include "process/request.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

/* It stands where nobody has been told of, see wait_keep(). */
static bool
is_kept(const struct table *table, const struct thread *thread)
{
	for (size_t i = 0; i < table->kept.count; i++)
		if (table->kept.at[i].tid == thread->tid)
			return true;
	return false;
}

static int
send_on(struct table *table, struct thread *thread, long how, int signal)
{
	int stored, r;

	if (is_kept(table, thread)) {
		thread->state = THREAD_STOPPED;
		return -ESRCH;
	}
	stored = thread_store_regs(table, thread);
	thread->regs_state = REGS_UNKNOWN;
	thread->vregs_known = false;
	table->tally.ptraces++;
	r = request(how, thread->tid, 0, (const void *)(long)signal);
	return r < 0 ? r : stored;
}

int
thread_resume(struct table *table, struct thread *thread, int signal)
{
	thread->state = THREAD_RUNNING;
	thread->handed = signal == SIGTRAP;
	/* Its handler may block SIGTRAP. */
	if (signal)
		thread->trap_comes = false;
	return send_on(table, thread, PTRACE_CONT, signal);
}

int
thread_resume_to_syscall(struct table *table, struct thread *thread, int signal)
{
	thread->state = THREAD_RUNNING;
	return send_on(table, thread, PTRACE_SYSCALL, signal);
}

int
thread_listen(struct table *table, struct thread *thread)
{
	thread->state = THREAD_LISTENING;
	thread->trap_comes = false;
	return send_on(table, thread, PTRACE_LISTEN, 0);
}

int
thread_detach(struct table *table, struct thread *thread, int signal)
{
	thread->state = THREAD_RUNNING;
	return send_on(table, thread, PTRACE_DETACH, signal);
}

int
thread_interrupt(struct table *table, struct thread *thread)
{
	int r;

	/*
	 * A second one would be pending still when the first has come. And it
	 * is taken before any signal is: on a busy machine a thread that is
	 * asked again each time before it has a CPU would never get to its
	 * trap.
	 */
	if (thread->asked || thread->trap_comes)
		return 0;
	table->tally.ptraces++;
	r = request(PTRACE_INTERRUPT, thread->tid, 0, NULL);
	thread->asked = r == 0;
	return r;
}
