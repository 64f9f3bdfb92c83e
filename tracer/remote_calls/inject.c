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
#include "process/woken.h"
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

/* How far apart the tests are whether a thread that may be woken has run. */
#define NAP_NS 50000
#define LONG_NAP_NS 1000000

/* Can a thread be the host: not, later, or now? */
enum host { HOST_NOT, HOST_LATER, HOST_NOW };

static enum host
can_host_running(struct thread *thread)
{
	switch (woken_look(thread)) {
	case WOKEN_RUNS:
		return HOST_NOW;
	case WOKEN_PERHAPS:
		return HOST_LATER;
	case WOKEN_NOT:
		break;
	}
	return HOST_NOT;
}

/* Is the thread in a stop that has not been served, at a signal for
 * example? */
static enum host
can_host_stopped(struct thread *thread)
{
	struct status status;

	return status_read(thread->tid, &status) == 0 && status.state == 't'
		       ? HOST_NOW
		       : HOST_NOT;
}

static enum host
can_host_at_once(struct thread *thread)
{
	struct blocked blocked;

	return status_blocked(thread->process->space->arch,
			      thread->process->pid, thread->tid,
			      &blocked) == 0 &&
			       blocked.running
		       ? HOST_NOW
		       : HOST_NOT;
}

static enum host
can_host_blocked(struct thread *thread)
{
	struct blocked blocked;

	return status_blocked(thread->process->space->arch,
			      thread->process->pid, thread->tid,
			      &blocked) == 0 &&
			       !blocked.running &&
			       restart_unseen(thread->tid, &blocked)
		       ? HOST_NOW
		       : HOST_NOT;
}

/* Stops the first thread that can be the host; NULL if none can now. Sets
 * *ret_later if one may be able later. */
static struct thread *
find_host(struct session *session, struct process *process,
	  enum host (*can_host)(struct thread *thread), bool *ret_later)
{
	struct pids tids = table_tids(&session->table, process);
	struct thread *found = NULL;

	for (size_t i = 0; i < tids.list.count && !found; i++) {
		pid_t tid = tids.list.at[i];
		struct thread *thread = table_thread(&session->table, tid);
		enum host host = HOST_NOT;

		if (thread && thread->state == THREAD_RUNNING)
			host = can_host(thread);
		*ret_later = *ret_later || host == HOST_LATER;
		if (host != HOST_NOW)
			continue;
		/*
		 * inject_stop() fails if an exec by another thread has ended
		 * the thread meanwhile.
		 */
		found = inject_stop(session, tid);
		if (found)
			thread_mend_interrupted(&session->table, found);
	}
	vec_release(&tids.list);
	return found;
}

static struct thread *
find_any_host(struct session *session, pid_t pid)
{
	struct timespec nap = { .tv_nsec = NAP_NS };
	struct thread *found = NULL;
	struct process *process;
	bool later;

	/*
	 * The process is looked up before each use, because its last thread may
	 * end while xtrace stops it.
	 */
	while (!wait_late(&session->table)) {
		later = false;
		process = table_process(&session->table, pid);
		/* While xtrace leaves, a running thread is taken at once: if it
		 * hits traps all the time, it is never seen to have run. */
		if (process && session->leaving)
			found = find_host(session, process, can_host_at_once,
					  &later);
		if (found)
			break;
		process = table_process(&session->table, pid);
		if (process)
			found = find_host(session, process, can_host_running,
					  &later);
		process = table_process(&session->table, pid);
		if (!found && process && !later)
			found = find_host(session, process, can_host_blocked,
					  &later);
		/* A thread whose stop was not served can be the host, except
		 * while xtrace leaves: then xtrace serves such stops itself. */
		process = table_process(&session->table, pid);
		if (!found && process && !later && !session->leaving)
			found = find_host(session, process, can_host_stopped,
					  &later);
		if (found || !later)
			break;
		nanosleep(&nap, NULL);
		if (nap.tv_nsec < LONG_NAP_NS)
			nap.tv_nsec *= 2;
	}
	return found;
}

struct thread *
inject_host(struct session *session, struct process *process)
{
	unsigned serial = process->space->serial;
	pid_t pid = process->pid;
	struct thread *thread;

	list_each(link, after, &process->threads)
		woken_begin(list_item(link, struct thread, sibling));
	thread = find_any_host(session, pid);
	/* If another thread has execed, the host belongs to another program. */
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
