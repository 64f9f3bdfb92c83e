/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * If a thread can be stopped without disturbing it (remote_calls/inject), it is
 * the host of the system calls that map the slots and the handler area, and
 * everything is planted at once.
 *
 * If all threads block in system calls that an interrupt would end, xtrace
 * plants a tripwire behind the system call instruction in which each of them
 * blocks. The first thread that runs hits its tripwire, and xtrace plants
 * everything before it resumes the thread, so no traced call is missed. A
 * thread that leaves its system call through a signal handler does not hit the
 * tripwire; its next stop ends the waiting as well. Until then no handler area
 * protects these traps if xtrace is killed; only the watcher does. So tripwires
 * are the last resort.
 *
 * A program that catches SIGTRAP gets no tripwires, because such a trap might
 * reset the program's action before xtrace knows it. Its pending traps are
 * planted at once, and get their slots when they are hit.
 */
#include "tracer/attach/plant.h"

#include "base/clock.h"
#include "base/log.h"
#include "breakpoints/action.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/status.h"
#include "process/wait.h"
#include "tracer/loader/modules.h"
#include "tracer/plan/plan.h"
#include "tracer/remote_calls/await.h"
#include "tracer/remote_calls/inject.h"
#include "tracer/sigtrap/guards.h"
#include "tracer/sigtrap/sigtrap.h"

#include <errno.h>
#include <signal.h>

/* How often to read the threads' states before xtrace treats the process as a
 * stopped one. */
#define TRIES_MOST 1000

static void
count_held(struct tally *tally, uint64_t since)
{
	uint64_t held = clock_now() - since;

	tally->held_ns += held;
	if (held > tally->held_most_ns)
		tally->held_most_ns = held;
}

static bool
has_tripwire(const struct program *program, addr_t pc)
{
	const struct site *site = sites_find(&program->sites, pc);

	return site && site_owned(site, SITE_OWNER_TRIPWIRE) && site->planted;
}

/* True if the program has an action for SIGTRAP that we do not know yet. A trap
 * would reset it if the thread blocks SIGTRAP, as the C library does around
 * clone(2). */
static bool
would_lose_action(const struct program *program)
{
	struct status status;

	return !program->sites.survive.code &&
	       status_read(program->space->pid, &status) == 0 &&
	       status.caught & TRAP_BIT;
}

/*
 * 0 if the thread blocks and was seen to block after its tripwire was planted;
 * 1 if this is not sure yet; -ESRCH.
 */
static int
lay_tripwire(struct program *program, const struct process *process,
	     const struct thread *thread)
{
	struct blocked blocked;
	struct site *site;
	const char *why;
	int r;

	if (thread->state == THREAD_LISTENING ||
	    status_blocked(process->space->arch, process->pid, thread->tid,
			   &blocked) < 0)
		return 0;
	if (blocked.running || blocked.number < 0)
		return 1;
	if (has_tripwire(program, blocked.pc))
		return 0;
	if (would_lose_action(program))
		return 1;
	r = sites_plant_one(&program->sites, blocked.pc, SITE_OWNER_TRIPWIRE,
			    NULL, &site, &why);
	if (r == 0)
		vec_push(&program->planned->tripwires, site);
	return r == -ESRCH ? r : 1;
}

/* Returns how many threads may still miss their tripwires, or -ESRCH. */
static int
lay_tripwires(struct program *program, struct process *process)
{
	int uncovered = 0;

	list_each(link, after, &process->threads) {
		int r = lay_tripwire(program, process,
				     list_item(link, struct thread, sibling));

		if (r < 0)
			return r;
		uncovered += r;
	}
	return uncovered;
}

/* Handles the stops that wait for us. A thread in such a stop neither runs nor
 * is in a system call. */
static void
serve_stops(struct session *session, const struct process *process)
{
	struct pids tids = table_tids(&session->table, process);

	for (size_t i = 0; i < tids.list.count; i++)
		await_poll(session, tids.list.at[i]);
	vec_release(&tids.list);
}

/*
 * A stopped thread to be the host, or NULL. With NULL, either every thread will
 * hit a tripwire when it returns from its system call (*ret_uncovered is 0), or
 * a thread neither runs nor is in a system call: the process is stopped.
 * Between two tries a thread may return from one call and enter the next, so
 * the threads are read again until nothing has changed.
 */
static struct thread *
host_or_tripwires(struct program *program, struct process *process,
		  int *ret_uncovered)
{
	struct session *session = program->session;
	struct thread *thread = NULL;
	unsigned serial = process->space->serial;
	pid_t pid = process->pid;

	*ret_uncovered = 1;
	for (unsigned i = 0; i < TRIES_MOST && !thread && *ret_uncovered > 0;
	     i++) {
		thread = inject_host(session, process);
		if (!thread && table_process(&session->table, pid))
			serve_stops(session, process);
		if (!session_runs(session, pid, serial)) {
			thread = table_thread(&session->table, pid);
			if (thread && thread->state == THREAD_STOPPED)
				thread_resume(&session->table, thread, 0);
			*ret_uncovered = 0;
			return NULL;
		}
		*ret_uncovered = thread ? 0 : lay_tripwires(program, process);
	}
	debug("%d: %s, %d threads without a tripwire", pid,
	      thread ? "a host is stopped" : "tripwires are planted",
	      *ret_uncovered);
	return thread;
}

/* Lifts the tripwires, because xtrace waits for none of them any more. */
static void
lift_tripwires(struct program *program)
{
	slots_drop_survey(&program->sites.slots);
	for (size_t i = 0; i < program->planned->tripwires.count; i++)
		sites_disown(&program->sites, program->planned->tripwires.at[i],
			     SITE_OWNER_TRIPWIRE);
	vec_release(&program->planned->tripwires);
}

/* True if an earlier xtrace has left a handler area, and our handler is set. It
 * is not set if, for example, that xtrace was killed while it was leaving. */
static bool
has_handler_area(const struct program *program)
{
	struct status status;

	return program->sites.survive.code &&
	       status_read(program->space->pid, &status) == 0 &&
	       status.caught & TRAP_BIT;
}

/* Slots reserved for the calls in flight of each module, for a time without a
 * host. */
#define SLOTS_EACH 8

/*
 * Reserves slots for the pending traps, the loader's trap and some more. The
 * loader's trap is planted first, because it may add pending traps.
 */
static int
reserve_all(struct program *program, struct thread *thread)
{
	const struct modmap *map = &program->modules;
	struct planting planting = { .address = program->loader.brk_to_be };
	vec_of(struct planting) all = { 0 };
	int r = 0;

	if (planting.address)
		r = sites_reserve(&program->sites, &planting, 1, thread);
	if (r == 0 || thread)
		r = modules_attached(program, thread);
	for (size_t i = 0; i < program->planned->pending.count; i++)
		vec_push(&all, program->planned->pending.at[i]);
	for (size_t i = 0; i < SLOTS_EACH * map->modules.count; i++) {
		planting.address = map->modules.at[i / SLOTS_EACH]->start;
		vec_push(&all, planting);
	}
	if (r == 0 && all.count)
		r = sites_reserve(&program->sites, all.at, all.count, thread);
	vec_release(&all);
	return r;
}

static int
plant_without(struct program *program)
{
	int r = modules_attached(program, NULL);

	return r < 0 ? r : plan_pending(program, NULL);
}

/* Makes the slots of all pending traps, with system calls that the thread
 * executes. */
static int
reserve_by(struct program *program, struct thread *thread)
{
	int r = 0;

	if (!has_handler_area(program) && program->sites.survive.code)
		r = action_restore(&program->sites, thread);
	return r < 0 ? r : reserve_all(program, thread);
}

/* Plants the pending traps when the masks of all threads are known. outside:
 * see sigtrap_await_masks(). */
static int
plant_guarded(struct program *program, const struct process *process,
	      pid_t outside)
{
	int r;

	if (!program->guards->list.count)
		return plan_pending(program, NULL);
	r = sigtrap_await_masks(program->session, process, outside);
	if (r < 0)
		return r;
	sigtrap_read_again(program);
	return plan_pending(program, NULL);
}

/* Plants the pending traps without a host, because the handler area that an
 * earlier xtrace has left has room for all slots. */
static int
plant_by_area(struct program *program, const struct process *process)
{
	int r = guards_plant(program, NULL);

	return r < 0 ? r : plant_guarded(program, process, 0);
}

/* Without slots the pending traps are planted all the same; each gets its slot
 * at its first hit. */
int
inject_and_plant(struct program *program, struct process *process)
{
	struct session *session = program->session;
	unsigned serial = process->space->serial;
	pid_t pid = process->pid;
	const struct regs *regs;
	struct thread *thread;
	struct regs found;
	uint64_t since;
	pid_t tid;
	int r, uncovered;

	if (program->planned->pending.count == 0 &&
	    !program->loader.brk_to_be) {
		program->planned->waiting = false;
		return 0;
	}
	/* If the program has a handler area, all traps must have slots: a trap
	 * without one would kill the program if xtrace is killed. */
	if (has_handler_area(program) && reserve_all(program, NULL) == 0)
		return plant_by_area(program, process);
	/* Reading the mappings takes long, so no thread is stopped yet. */
	slots_survey(&program->sites.slots, pid);
	since = clock_now();
	thread = host_or_tripwires(program, process, &uncovered);
	if (!thread && uncovered == 0)
		return 0;
	if (!thread) {
		lift_tripwires(program);
		return plant_without(program);
	}
	regs = thread_regs(&session->table, thread);
	if (!regs)
		return -ESRCH;
	found = *regs;
	r = reserve_by(program, thread);
	/* -ESRCH: the whole process ends or execs, not only the host. */
	if (r == -ESRCH) {
		lift_tripwires(program);
		return r;
	}
	if (r < 0)
		debug("%d: no slots at attach: %d", pid, r);
	if (r == 0 && guards_plant(program, thread) < 0)
		return -ESRCH;
	/* If the host is in no system call, it may be within sigaction(), and
	 * so set an action over ours that no guard sees. */
	if (program->space->arch->system_call->number(&found) < 0)
		program->sigtrap->unclaimed = true;
	tid = thread->tid;
	inject_release(session, tid, &found);
	count_held(&session->table.tally, since);
	/* Another thread may have execed during the search for a host. */
	if (!session_runs(session, pid, serial))
		return -ESRCH;
	lift_tripwires(program);
	return plant_guarded(program, process,
			     guards_in_mask(program, regs_pc(&found)) ? 0
								      : tid);
}

int
inject_at_tripwire(struct program *program, struct thread *thread)
{
	uint64_t since = clock_now();
	int r = 0;

	/* Other threads, too, may have trapped before our action was set, so
	 * the action counts as lost. */
	if (program->planned->waiting)
		program->sigtrap->standing.losses++;
	if (program->planned->waiting)
		r = modules_attached(program, thread);
	if (r == 0 && program->planned->waiting)
		r = plan_pending(program, thread);
	lift_tripwires(program);
	count_held(&program->session->table.tally, since);
	return r;
}
