/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the stub, and sends the thread into it with one PTRACE_SETREGS. Then
 * reads the results at the system-call stops. After the last result, we restore
 * the thread's registers ourselves and clear the scratch memory.
 *
 *	stopped --SETREGS--> stub --entry stop--> --exit stop--> ... stopped
 *
 * If the thread was in a system call that the kernel would have restarted
 * (-ERESTARTSYS and similar errors, kernel/signal.c), the registers with which
 * it resumes are changed to do the restart. -ERESTART_RESTARTBLOCK continues
 * with restart_syscall(2).
 *
 * All signals are blocked meanwhile, so that they stay queued, in their order
 * and with their siginfo. If we die, the end of the stub unblocks them. SIGSTOP
 * cannot be blocked; it is sent once more at the end. So is an interrupt that
 * was pending when the stub began.
 */
#include "process/remote.h"

#include "base/log.h"
#include "base/xmalloc.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/seccomp.h"
#include "process/siginfo.h"
#include "process/space.h"
#include "process/status.h"
#include "process/system_call.h"
#include "process/wait.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A stub stops for its calls, for SIGSTOP and for PTRACE_INTERRUPT. More stops
 * than this mean that it faults. */
#define STOPS_MOST 1000u

struct injection {
	struct table *table;
	struct thread *thread;
	struct space *space;
	addr_t scratch;
	size_t length;
	uint8_t before[STUB_ROOM];
	struct regs resume;
	uint64_t mask;
	bool stop_again; /* a SIGSTOP came during the stub */
	bool asked;	 /* an interrupt came during the stub */
	unsigned stops;
};

static void
fold_restart(const struct arch_system_call *call, struct regs *regs)
{
	int64_t result = call->result(regs);
	long number = call->number(regs);

	if (number < 0)
		return;
	if (result == -RESTART_RESTARTBLOCK)
		call->again(regs, SYS_restart_syscall);
	else if (system_call_restarts(result))
		call->again(regs, number);
}

/* Sets the registers first, then the mask, because the stub restores the mask
 * in any case. If the program steps itself, it does not step through the stub:
 * all signals are blocked there, so its first step would reset the action. */
static int
enter_stub(struct injection *b, const struct stub_call *calls, size_t count)
{
	uint8_t stub[STUB_ROOM];
	struct regs regs = b->resume;
	int r = thread_signal_mask(b->thread, &b->mask);

	if (r < 0)
		return r;
	b->length = b->space->arch->stub_build(calls, count, &b->resume,
					       b->mask, b->scratch, stub);
	r = space_read_raw(b->space, b->scratch, b->before, b->length);
	if (r == 0)
		r = space_write(b->space, b->scratch, stub, b->length);
	if (r < 0)
		return r;
	regs_set_pc(&regs, b->scratch);
	regs_set_stepping(&regs, false);
	b->space->arch->system_call->set_result(&regs, 0);
	b->space->arch->system_call->leave(&regs);
	thread_set_regs(b->thread, &regs);
	r = thread_store_regs(b->table, b->thread);
	return r < 0 ? r : thread_set_signal_mask(b->thread, UINT64_MAX);
}

/*
 * Restores the mask, then the registers, then the scratch memory. If we die
 * between two of these steps, the thread either has its own registers already,
 * or it runs the end of the stub, which restores the mask and the registers.
 */
static int
leave_stub(struct injection *b)
{
	int r = thread_set_signal_mask(b->thread, b->mask);

	if (r < 0 || !thread_regs(b->table, b->thread))
		return -ESRCH;
	thread_set_regs(b->thread, &b->resume);
	r = thread_store_regs(b->table, b->thread);
	if (r == 0)
		r = space_write(b->space, b->scratch, b->before, b->length);
	if (b->stop_again)
		syscall(SYS_tgkill, b->thread->process->pid, b->thread->tid,
			SIGSTOP);
	/*
	 * The stub has consumed an interrupt that was meant to stop the thread
	 * before its next own instruction. So the thread is interrupted again.
	 */
	if (r == 0 && b->asked)
		r = thread_interrupt(b->table, b->thread);
	return r;
}

/* True at the exit of a system call in the stub. */
static bool
call_done(struct injection *b, const struct stop *stop, int64_t *ret_result)
{
	struct __ptrace_syscall_info info;
	const struct regs *regs = thread_regs(b->table, b->thread);

	/*
	 * If the thread is still at the stub's first byte, this stop
	 * is the exit of its own execve.
	 */
	if (stop->kind != STOP_SYSCALL || !regs ||
	    regs_pc(regs) - b->scratch > b->length ||
	    regs_pc(regs) == b->scratch)
		return false;
	b->table->tally.ptraces++;
	if (ptrace(PTRACE_GET_SYSCALL_INFO, b->thread->tid, sizeof(info),
		   &info) < 0 ||
	    info.op != PTRACE_SYSCALL_INFO_EXIT)
		return false;
	*ret_result = info.exit.rval;
	return true;
}

static void
note_stop(struct injection *b, const struct stop *stop)
{
	/* If another thread of the process takes a SIGSTOP, this thread stops,
	 * too. */
	if ((stop->kind == STOP_SIGNAL && stop->signal == SIGSTOP) ||
	    stop->kind == STOP_GROUP)
		b->stop_again = true;
	else if (stop->kind == STOP_INTERRUPT)
		/* no SIGSTOP has come, or SIGCONT has ended the group-stop */
		b->stop_again = false;
	if (stop->kind == STOP_INTERRUPT)
		b->asked = true;
}

/* Waits for the exit of the stub's next system call. -EFAULT if the stub does
 * not run. */
static int
next_result(struct injection *b, int64_t *ret_result)
{
	for (;;) {
		struct stop stop;
		int r = thread_resume_to_syscall(b->table, b->thread, 0);

		if (r == 0)
			r = wait_thread(b->table, b->thread, &stop);
		if (r < 0)
			return r;
		if (stop.kind == STOP_GONE)
			return -ESRCH;
		/* Another thread called exec: the thread that ran the stub does
		 * not exist any more. */
		if (stop.kind == STOP_EXEC) {
			wait_keep(b->table, &stop);
			return -ESRCH;
		}
		if (++b->stops > STOPS_MOST)
			return -EFAULT;
		note_stop(b, &stop);
		if (call_done(b, &stop, ret_result))
			return 0;
	}
}

static int
run_stub(struct injection *b, size_t count, int64_t *results)
{
	for (size_t i = 0; i < count; i++) {
		int r = next_result(b, &results[i]);

		if (r < 0)
			return r;
		b->table->tally.injected++;
		debug("%d: injected call %zu gives %#lx", b->thread->tid, i,
		      (unsigned long)results[i]);
	}
	return 0;
}

int
remote_allowed(const struct thread *thread, const struct stub_call *calls,
	       size_t count)
{
	/* The last call of every stub, which restores the mask. */
	const struct stub_call last = {
		.number = SYS_rt_sigprocmask,
		.arguments = { SIG_SETMASK, 0, 0, sizeof(uint64_t) },
	};
	const struct arch *arch = thread->process->space->arch;
	struct status status;

	if (status_read(thread->tid, &status) < 0)
		return -ESRCH;
	if (seccomp_allows(thread->tid, status.seccomp, arch, &last, 1) &&
	    seccomp_allows(thread->tid, status.seccomp, arch, calls, count))
		return 0;
	return -EPERM;
}

bool
remote_given_up(const struct table *table, const struct space *space)
{
	for (size_t i = 0; i < table->everyone.count; i++) {
		const struct thread *thread = table->everyone.at[i];

		if (thread->given_up && thread->process->space == space)
			return true;
	}
	return false;
}

int
remote_run(struct table *table, struct thread *thread, addr_t scratch,
	   const struct stub_call *calls, size_t count, int64_t *results)
{
	struct injection b = { .table = table,
			       .thread = thread,
			       .space = thread->process->space,
			       .scratch = scratch };
	const struct regs *regs = thread_regs(table, thread);
	int r = remote_allowed(thread, calls, count);

	assert(thread->state == THREAD_STOPPED);
	/* If wait_late() is true already, xtrace would give the calls up before
	 * they end, so they are not begun. */
	if (r == 0 && (remote_given_up(table, b.space) || wait_late(table)))
		r = -EBUSY;
	if (r < 0 || !regs)
		return r < 0 ? r : -ESRCH;
	/* The thread is still in the code that a killed xtrace has left
	 * (tracer/attach/stale_code). */
	if (regs_pc(regs) - scratch < STUB_ROOM)
		return -EBUSY;
	b.resume = *regs;
	fold_restart(b.space->arch->system_call, &b.resume);
	r = enter_stub(&b, calls, count);
	if (r < 0)
		return r;
	r = run_stub(&b, count, results);
	if (r == 0 || r == -EFAULT) {
		int left = leave_stub(&b);

		r = left < 0 ? left : r;
	}
	if (r == -EAGAIN) {
		debug("%d: an injected call is given up", thread->tid);
		thread->given_up = xmalloc(sizeof(b));
		*thread->given_up = b;
		r = -EBUSY;
	}
	return r;
}

/*
 * Can the thread leave the stub at this stop? It can at an interrupt and at the
 * exit of a system call. At the entry it cannot, because the kernel would make
 * the call with the registers of the program.
 */
static bool
can_leave(struct injection *b, const struct stop *stop)
{
	int64_t unused;

	return stop->kind == STOP_INTERRUPT || call_done(b, stop, &unused);
}

bool
remote_end(struct table *table, struct thread *thread, const struct stop *stop)
{
	struct injection *b = thread->given_up;
	const struct regs *regs = thread_regs(table, thread);
	bool within = regs && regs_pc(regs) - b->scratch <= b->length;
	int r;

	note_stop(b, stop);
	if (stop->kind != STOP_EXEC && within && !can_leave(b, stop))
		return false;
	/* The caller gets this stop, which also ends an interrupt that came
	 * during the stub: the thread is not interrupted again. */
	b->asked = false;
	if (stop->kind == STOP_EXEC)
		r = 0;
	else if (within)
		r = leave_stub(b);
	else
		r = space_write(b->space, b->scratch, b->before, b->length);
	debug("%d: the injected call that was given up is over: %d",
	      thread->tid, r);
	thread->given_up = NULL;
	free(b);
	return true;
}
