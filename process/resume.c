/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resumes threads with PTRACE_CONT and similar requests. If a thread was killed
 * while stopped, all requests return ESRCH, and wait reports its end.
 */
#include "process/resume.h"

#include "base/clock.h"
#include "process/delay.h"
#include "process/regs.h"
#include "process/request.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

/* True if the thread has a stop that is kept, see wait_keep(). */
static bool
is_kept(const struct table *table, const struct thread *thread)
{
	for (size_t i = 0; i < table->kept.count; i++)
		if (table->kept.at[i].tid == thread->tid)
			return true;
	return false;
}

/* The ptrace(2) request that makes a thread run its own code, with or without
 * stops at its system calls. */
static long
onward(const struct table *table, struct thread *thread)
{
	thread->watched = table->system_calls && !thread->unwatched;
	return thread->watched ? PTRACE_SYSCALL : PTRACE_CONT;
}

/*
 * Any stop consumes a pending interrupt (kernel/signal.c, ptrace_stop), also
 * the one at the end of a system call that this interrupt has ended. Now that
 * the thread is stopped, a new interrupt comes before its own next instruction.
 */
static void
interrupt_again(struct table *table, struct thread *thread)
{
	if (!thread->ask_again)
		return;
	thread->ask_again = false;
	table->tally.ptraces++;
	thread->asked = request(PTRACE_INTERRUPT, thread->tid, 0, NULL) == 0;
}

/* Returns the time of the resume. If held_wants_delay() says so, reads how long
 * the thread has waited for a CPU: held_seen() may need it at the next stop. */
static uint64_t
before_resume(struct table *table, struct thread *thread)
{
	uint64_t now = clock_now(), delay;

	if (!held_wants_delay(&thread->held, &table->lag, now))
		return now;
	if (delays_read(&table->delays, thread->process->pid, thread->tid,
			&table->tally, &delay) < 0)
		held_waited_unknown(&thread->held, now);
	else
		held_waited(&thread->held, now, delay);
	return clock_now();
}

static int
send_on(struct table *table, struct thread *thread, long how, int signal,
	enum held_run run)
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
	held_resumed(&thread->held, before_resume(table, thread), run);
	r = request(how, thread->tid, 0, (const void *)(long)signal);
	return r < 0 ? r : stored;
}

int
thread_resume(struct table *table, struct thread *thread, int signal)
{
	const struct regs *regs =
		signal == SIGTRAP ? thread_regs(table, thread) : NULL;

	thread->state = THREAD_RUNNING;
	thread->handed_sp = regs ? regs_sp(regs) : 0;
	/* The handler of the signal may block SIGTRAP, so a SIGTRAP that is
	 * queued may come later. */
	if (signal)
		thread->trap_comes = false;
	interrupt_again(table, thread);
	return send_on(table, thread, onward(table, thread), signal,
		       HELD_WORKS);
}

int
thread_resume_to_own_call(struct table *table, struct thread *thread)
{
	thread->state = THREAD_RUNNING;
	thread->handed_sp = 0;
	thread->watched = true;
	interrupt_again(table, thread);
	return send_on(table, thread, PTRACE_SYSCALL, 0, HELD_WORKS);
}

int
thread_resume_to_trap(struct table *table, struct thread *thread, addr_t trap)
{
	thread_set_pc(thread, trap);
	thread->state = THREAD_RUNNING;
	return send_on(table, thread, onward(table, thread), 0, HELD_TRIES);
}

int
thread_resume_to_interrupt(struct table *table, struct thread *thread)
{
	thread->ask_again = true;
	interrupt_again(table, thread);
	thread->state = THREAD_RUNNING;
	return send_on(table, thread, onward(table, thread), 0, HELD_TRIES);
}

int
thread_resume_to_syscall(struct table *table, struct thread *thread, int signal)
{
	thread->state = THREAD_RUNNING;
	return send_on(table, thread, PTRACE_SYSCALL, signal, HELD_SERVES);
}

int
thread_listen(struct table *table, struct thread *thread)
{
	thread->state = THREAD_LISTENING;
	thread->trap_comes = false;
	return send_on(table, thread, PTRACE_LISTEN, 0, HELD_PAUSES);
}

int
thread_detach(struct table *table, struct thread *thread, int signal)
{
	thread->state = THREAD_RUNNING;
	return send_on(table, thread, PTRACE_DETACH, signal, HELD_WORKS);
}

int
thread_interrupt(struct table *table, struct thread *thread)
{
	int r;

	/*
	 * A second interrupt would still be pending after the first stop. It
	 * would also come before any signal: on a busy machine, a thread that
	 * is interrupted again before it gets a CPU would never reach its trap.
	 */
	if (thread->asked || thread->trap_comes)
		return 0;
	/* The thread is delayed: it is stopped already, and its stop is
	 * reported as soon as xtrace waits for this thread. */
	if (delay_waits(table, thread->tid)) {
		thread->asked = true;
		return 0;
	}
	table->tally.ptraces++;
	r = request(PTRACE_INTERRUPT, thread->tid, 0, NULL);
	thread->asked = r == 0;
	return r;
}
