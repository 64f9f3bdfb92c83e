/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel decides at the beginning of a clone whether the new task is
 * traced (kernel/fork.c, kernel_clone), but the task appears in /proc only near
 * the end. If a thread was in a clone when xtrace seized it, no event tells of
 * the new task, and the list of threads may have been read too early. Nobody
 * would trace that task: it would die of the first trap that it hits while it
 * blocks SIGTRAP, or while our action is lost.
 *
 * So before any trap is planted, xtrace makes sure that every clone of that
 * time is over. A thread that blocks in another system call is in no clone. A
 * thread that runs may be in one: it is stopped, and a stop comes only at the
 * end of the clone. Then the threads are listed again. A thread that blocks in
 * a clone is waited for, unless its child is known: a parent of vfork(2) waits
 * for its child.
 */
#include "tracer/attach/latecomers.h"

#include "arch/arch.h"
#include "base/clock.h"
#include "base/log.h"
#include "process/attach.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/space.h"
#include "process/status.h"
#include "process/wait.h"
#include "process/woken.h"
#include "tracer/remote_calls/await.h"
#include "tracer/report/report.h"
#include "tracer/sigtrap/sigtrap.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

/* How long to wait for the end of a clone. It takes microseconds if the kernel
 * has memory for the new task. */
#define CLONE_NS CLOCK_SECOND

void
latecomers_sharers(struct session *session, struct process *process)
{
	struct pids pids = { 0 };

	attach_sharers(&session->table, process, &pids);
	for (size_t i = 0; i < pids.list.count; i++) {
		struct process *sharer =
			table_process(&session->table, pids.list.at[i]);

		list_each(link, after, &sharer->threads) {
			struct thread *thread =
				list_item(link, struct thread, sibling);

			session_set_silent(session_record(session, thread),
					   !session->options->follow);
			/*
			 * A process that shares the memory got its own copy of
			 * the signal actions when it was born.
			 */
			session_record(session, thread)->sigtrap->apart = true;
			session_record(session, thread)->sigtrap->own = true;
			if (session->options->follow &&
			    thread->tid == sharer->pid)
				report_program(session, EVENT_START, thread);
		}
	}
	vec_release(&pids.list);
}

static bool
clones(const struct thread *thread, long number)
{
	return number == thread->process->space->arch->system_call->clone ||
	       number == SYS_clone3 || number == SYS_fork ||
	       number == SYS_vfork;
}

enum cloning { CLONING_NOT, CLONING_PERHAPS, CLONING };

/* May the thread be in a clone that began before it was seized? */
static enum cloning
is_cloning(struct session *session, struct process *process, pid_t tid)
{
	struct thread *thread = table_thread(&session->table, tid);
	struct blocked blocked;
	struct status status;

	if (!thread || thread->state != THREAD_RUNNING ||
	    woken_blocked(&session->table, thread, &blocked) < 0)
		return CLONING_NOT;
	if (blocked.running)
		return CLONING_PERHAPS;
	/* The stop of an interrupted thread is awaited in any case, or the
	 * thread would be held until xtrace waits for it again. */
	if (!clones(thread, blocked.number))
		return thread->asked ? CLONING_PERHAPS : CLONING_NOT;
	/* A thread that a signal has stopped is at the end of its call. */
	if (status_read(tid, &status) < 0 || status.state == 'T')
		return CLONING_NOT;
	if (status.state == 't' && thread->asked)
		return CLONING_PERHAPS;
	latecomers_sharers(session, process);
	return process->space->users > 1 ? CLONING_NOT : CLONING;
}

/* Waits until the thread is in no clone that began before it was seized.
 * Returns 0, or -ESRCH at an exec and at the end of the process. */
static int
await_end(struct session *session, struct process *process, pid_t tid)
{
	const struct timespec nap = { .tv_nsec = 200000 };
	uint64_t until = clock_now() + CLONE_NS;
	unsigned serial = process->space->serial;
	pid_t pid = process->pid;

	while (session_runs(session, pid, serial)) {
		enum cloning cloning = is_cloning(session, process, tid);
		struct thread *thread;

		if (cloning == CLONING_NOT)
			return 0;
		if (cloning == CLONING_PERHAPS &&
		    await_stop(session, tid) == AWAITED_STOPPED) {
			thread = table_thread(&session->table, tid);
			thread_mend_interrupted(&session->table, thread);
			thread_resume(&session->table, thread, 0);
			return 0;
		}
		if (!await_poll(session, tid))
			nanosleep(&nap, NULL);
		if (clock_now() < until && !wait_late(&session->table))
			continue;
		debug("%d: its clone does not end", tid);
		return session_runs(session, pid, serial) ? 0 : -ESRCH;
	}
	return -ESRCH;
}

/* Returns the threads of the process that are not in `seen`, and adds them to
 * `seen`. */
static struct pids
unseen(struct session *session, const struct process *process, struct map *seen)
{
	struct pids all = table_tids(&session->table, process);
	struct pids tids = { 0 };

	for (size_t i = 0; i < all.list.count; i++) {
		uint64_t tid = (uint64_t)all.list.at[i];

		if (map_get(seen, tid))
			continue;
		map_put(seen, tid, seen);
		vec_push(&tids.list, all.list.at[i]);
	}
	vec_release(&all.list);
	return tids;
}

int
latecomers_seize(struct session *session, struct process *process)
{
	unsigned fresh = 1, found = 0;
	struct map seen;
	int r = 0;

	map_init(&seen);
	while (r == 0 && fresh > 0) {
		struct pids tids = unseen(session, process, &seen);

		woken_ask_running(&session->table, &tids, 0);
		for (size_t i = 0; i < tids.list.count && r == 0; i++)
			r = await_end(session, process, tids.list.at[i]);
		vec_release(&tids.list);
		if (r < 0)
			break;
		latecomers_sharers(session, process);
		fresh = attach_untraced(&session->table, process);
		found += fresh;
	}
	map_release(&seen);
	if (found)
		debug("%d: %u threads were being created", process->pid, found);
	return r < 0 ? r : found > 0;
}
