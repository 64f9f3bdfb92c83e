/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whom to borrow is asked of /proc/PID/task/TID/syscall: "running", or the
 * number and place of the system call that the thread blocks in. A running one
 * gets PTRACE_INTERRUPT; should it have entered a system call just then, its
 * registers are mended so that the call is made again.
 *
 * Where none runs, one is taken that blocks in a call which the kernel goes on
 * with as if nothing had been (process/restart). It is given back in the very
 * state that it was found in: a second interrupt stops it before it is in its
 * own code again, and there it gets the registers of the first stop, with the
 * kernel's own mark that the call was cut short. So a signal that has come
 * meanwhile ends the call, as it would have.
 */
#include "tracer/remote_calls/inject.h"

#include "process/regs.h"
#include "process/restart.h"
#include "process/resume.h"
#include "process/status.h"
#include "process/wait.h"
#include "tracer/remote_calls/await.h"

#include <errno.h>
#include <time.h>

struct thread *
inject_stop(struct session *session, pid_t tid)
{
	return await_stop(session, tid) == AWAITED_STOPPED
		       ? table_thread(&session->table, tid)
		       : NULL;
}

static bool
can_host_running(pid_t tid, const struct blocked *blocked)
{
	(void)tid;
	return blocked->running;
}

static bool
can_host_blocked(pid_t tid, const struct blocked *blocked)
{
	return !blocked->running && restart_unseen(tid, blocked);
}

/* The first thread that lends itself, stopped; or NULL. */
static struct thread *
find_host(struct session *session, struct process *process,
	  bool (*can_host)(pid_t tid, const struct blocked *blocked))
{
	struct pids tids = await_threads(process);
	struct thread *found = NULL;
	pid_t pid = process->pid;

	for (size_t i = 0; i < tids.list.count && !found; i++) {
		pid_t tid = tids.list.at[i];
		struct thread *thread = table_thread(&session->table, tid);
		struct blocked blocked;

		if (!thread || thread->state != THREAD_RUNNING ||
		    status_blocked(pid, tid, &blocked) < 0 ||
		    !can_host(tid, &blocked))
			continue;
		/* Another's exec may have ended it meanwhile. */
		found = inject_stop(session, tid);
		if (found)
			thread_mend_interrupted(&session->table, found);
	}
	vec_release(&tids.list);
	return found;
}

struct thread *
inject_host(struct session *session, struct process *process)
{
	const struct program *program =
		session_program(session, process->space);
	pid_t pid = process->pid;
	struct thread *thread = find_host(session, process, can_host_running);

	/* Its last thread may have ended while it was being stopped. */
	if (!thread && table_process(&session->table, pid))
		thread = find_host(session, process, can_host_blocked);
	/* Another thread's exec has been met, and who lends is another's. */
	if (thread && !session_runs(session, pid, program)) {
		thread_resume(&session->table, thread, 0);
		return NULL;
	}
	return thread;
}

/*
 * A call that was cut short goes on. The
 * interrupt is taken before any signal is (kernel/signal.c, get_signal), and
 * before the thread is in its own code.
 */
void
inject_release(struct session *session, pid_t tid, const struct regs *found)
{
	const struct timespec nap = { .tv_nsec = 200000 };
	struct thread *thread = table_thread(&session->table, tid);
	struct stop stop;
	int r;

	if (!thread)
		return;
	if (thread->process->space->arch->system_call->number(found) >= 0 &&
	    thread_interrupt(&session->table, thread) == 0 &&
	    thread_resume(&session->table, thread, 0) == 0) {
		while ((r = wait_asked(&session->table, thread, &stop)) ==
			       -EBUSY &&
		       !wait_late(&session->table))
			nanosleep(&nap, NULL);
		if (r < 0)
			return;
		if (stop.kind != STOP_INTERRUPT) {
			await_serve(session, &stop);
			return;
		}
		if (thread_regs(&session->table, thread))
			thread_set_regs(thread, found);
	}
	thread_resume(&session->table, thread, 0);
}
