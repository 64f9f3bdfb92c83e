/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/PID/task/TID/syscall tells which thread can be the host: it shows
 * "running", or the number and pc of the system call that the thread blocks in.
 * A running thread gets PTRACE_INTERRUPT. If it has just entered a system call,
 * its registers are changed so that it makes the call again.
 *
 * If no thread runs, a thread that blocks in a system call which the kernel can
 * restart unnoticed is taken (process/restart). Its state is restored exactly:
 * a second interrupt stops it before it executes its own code again, and then
 * it gets the registers of the first stop, with the kernel's own code for an
 * interrupted call. So a signal that has arrived meanwhile ends the call, as it
 * would have without xtrace.
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

/* Stops the first thread that can be the host; NULL if none can. */
static struct thread *
find_host(struct session *session, struct process *process,
	  bool (*can_host)(pid_t tid, const struct blocked *blocked))
{
	struct pids tids = table_tids(&session->table, process);
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
		/*
		 * An exec by another thread may have ended the thread
		 * meanwhile.
		 */
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
	unsigned serial = process->space->serial;
	pid_t pid = process->pid;
	struct thread *thread = find_host(session, process, can_host_running);

	/*
	 * The last thread of the process may have ended while xtrace stopped
	 * it.
	 */
	if (!thread && table_process(&session->table, pid))
		thread = find_host(session, process, can_host_blocked);
	/* Another thread has execed, so the host belongs to another program. */
	if (thread && !session_runs(session, pid, serial)) {
		thread_resume(&session->table, thread, 0);
		return NULL;
	}
	return thread;
}

/*
 * Continues an interrupted system call. The kernel handles the interrupt before
 * any signal (kernel/signal.c, get_signal), and before the thread executes its
 * own code.
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
