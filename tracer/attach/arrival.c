/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that runs, or that blocks in a call which can be restarted unseen
 * (process/restart), is interrupted. For any other thread a trap is planted
 * behind the system call in which the thread blocks, so that the thread stops
 * when it returns from the call. The traps are lifted when all threads of the
 * process have stopped. A thread that leaves its call by a signal's handler
 * stops for the signal.
 */
#include "tracer/attach/arrival.h"

#include "base/log.h"
#include "process/restart.h"
#include "process/resume.h"
#include "process/status.h"
#include "process/woken.h"

#include <errno.h>

/* May a trap be planted now? In a program that handles SIGTRAP, a trap before
 * our handler is set could reset the program's own action. */
static bool
may_trap(const struct program *program)
{
	struct status status;

	return program->sites.survive.code ||
	       (status_read(program->space->pid, &status) == 0 &&
		!(status.caught & TRAP_BIT));
}

static void
await_return(struct program *program, const struct thread *thread, addr_t pc)
{
	struct site *site;
	const char *why;

	if (!may_trap(program) ||
	    sites_plant_one(&program->sites, pc, SITE_OWNER_ARRIVAL, NULL,
			    &site, &why) < 0) {
		debug("%d: its system calls are seen after its next stop",
		      thread->tid);
		return;
	}
	vec_push(&program->arrivals, pc);
}

static void
arrive(struct program *program, struct thread *thread)
{
	struct session *session = program->session;
	struct blocked blocked;

	if (thread->watched || thread->unwatched ||
	    thread->state != THREAD_RUNNING ||
	    woken_blocked(&session->table, thread, &blocked) < 0)
		return;
	if (!blocked.running && blocked.number >= 0 &&
	    !restart_unseen(thread->tid, &blocked))
		await_return(program, thread, blocked.pc);
	else if (thread_interrupt(&session->table, thread) < 0)
		debug("%d has ended", thread->tid);
}

void
arrival_begin(struct program *program, const struct process *process)
{
	struct session *session = program->session;
	struct pids tids;

	if (!session->table.system_calls)
		return;
	tids = table_tids(&session->table, process);
	woken_ask_running(&session->table, &tids, 0);
	for (size_t i = 0; i < tids.list.count; i++) {
		struct thread *thread =
			table_thread(&session->table, tids.list.at[i]);

		if (thread)
			arrive(program, thread);
	}
	vec_release(&tids.list);
}

static bool
all_watched(const struct program *program)
{
	const struct table *table = &program->session->table;

	for (size_t i = 0; i < table->everyone.count; i++) {
		const struct thread *thread = table->everyone.at[i];

		if (thread->process->space == program->space &&
		    thread->state == THREAD_RUNNING && !thread->watched &&
		    !thread->unwatched)
			return false;
	}
	return true;
}

void
arrival_hit(struct program *program, struct site *site)
{
	struct sites *sites = &program->sites;

	if (!all_watched(program))
		return;
	sites_disown(sites, site, SITE_OWNER_ARRIVAL);
	for (size_t i = 0; i < program->arrivals.count; i++) {
		struct site *other = sites_find(sites, program->arrivals.at[i]);

		if (other)
			sites_disown(sites, other, SITE_OWNER_ARRIVAL);
	}
	vec_release(&program->arrivals);
}
