/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocators often map more than they need, and unmap a part at once, to get an
 * aligned piece. So the last growth of a thread is kept back until the thread
 * grows again, or for a second: what the thread unmaps of it is subtracted.
 *
 * The weight of a growth (budget_seen()) depends on how long threads were held
 * in its window, which is known only at the window's end. Until then the
 * growths of the window are kept, too.
 *
 * Each gap is told to the sinks (EVENT_UNWATCHED) with the change of the
 * program's memory in it, because nothing else is known of it. The growths of
 * the next window are extrapolated to the gap. No window follows the gap in
 * which the program ends or xtrace leaves, so nothing is extrapolated to it.
 */
#include "tracer/allocs/allocs.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "output/tables/unwatched.h"
#include "output/tee.h"
#include "tracer/allocs/gap.h"
#include "tracer/model/budget.h"
#include "tracer/model/calls.h"
#include "tracer/model/say.h"
#include "tracer/plan/plan.h"

#include <stdlib.h>
#include <unistd.h>

#define KEPT_BACK_NS CLOCK_SECOND

/* The time in ns that a stop costs the thread besides the time in which xtrace
 * works for it. */
#define STOP_NS 15000

/* What a stop costs at most, as the budget counts. A stop takes longer if files
 * are read for the names of its frames, which happens once for each file. */
#define COST_MOST 1000000

struct kept {
	struct call *call; /* has the frames */
	struct grown growth;
	pid_t pid, tid;
	uint64_t when;
	uint64_t window;
	double seen; /* the result of budget_seen(); 0: its window is open */
};

/* For how long a thread was held at the traps in this window. */
struct alloc_thread {
	pid_t tid;
	uint64_t held, cost; /* cost: with at most COST_MOST for each stop */
};

struct allocs {
	struct session *session;
	struct budget budget;
	bool over;	  /* xtrace leaves: nothing is watched now */
	uint64_t window;  /* number of the current window */
	double last_seen; /* budget_seen() of the last window */
	struct unwatched unwatched;
	vec_of(struct kept) kept; /* by time */
	vec_of(struct alloc_thread) watched;
};

struct alloc_program {
	vec_of(addr_t) traps;
	struct gap gap;
	bool untold; /* no gap is told: the program is not traced, or ended */
};

struct allocs *
allocs_new(struct session *session)
{
	struct allocs *allocs;
	uint64_t now = clock_now();

	if (session->options->alloc == 0)
		return NULL;
	allocs = xcalloc(1, sizeof(*allocs));
	allocs->session = session;
	/* With 100 percent there is no break. */
	session->table.announces_exits = session->options->alloc < 100;
	budget_init(&allocs->budget, session->options->alloc, now,
		    now ^ (uint64_t)getpid() << 32);
	return allocs;
}

void
allocs_free(struct allocs *allocs)
{
	if (!allocs)
		return;
	vec_release(&allocs->kept);
	vec_release(&allocs->watched);
	free(allocs);
}

/* ---- telling ---------------------------------------------------------------
 */

static void
tell(struct session *session, const struct kept *kept)
{
	struct event_call call = kept->call->event;
	const struct event event = {
		.kind = EVENT_GROWTH,
		.when = kept->when,
		.track = kept->when,
		.pid = kept->pid,
		.tid = kept->tid,
		.call = &call,
		.weight = kept->growth.bytes,
		.seen = kept->seen,
		.window = kept->window,
		.text = kept->growth.kind,
	};

	if (kept->growth.bytes > 0)
		report_event(session, &event);
}

static void
release(struct session *session, const struct kept *kept)
{
	plan_unref(report_open(kept->call)->tracepoint->plan);
	call_pool_give(&session->pool, kept->call);
}

/* Is this growth the last one of its thread? */
static bool
is_last(const struct allocs *allocs, size_t at)
{
	for (size_t i = at + 1; i < allocs->kept.count; i++)
		if (allocs->kept.at[i].tid == allocs->kept.at[at].tid)
			return false;
	return true;
}

/* Tells the sinks the growths that need not be kept any longer, or all growths
 * if `all` is set. */
static void
tell_kept(struct allocs *allocs, bool all)
{
	uint64_t now = clock_now();
	size_t left = 0;

	for (size_t i = 0; i < allocs->kept.count; i++) {
		struct kept *kept = &allocs->kept.at[i];

		if (!all && (kept->seen <= 0 ||
			     (clock_between(kept->when, now) < KEPT_BACK_NS &&
			      is_last(allocs, i)))) {
			allocs->kept.at[left++] = *kept;
			continue;
		}
		tell(allocs->session, kept);
		release(allocs->session, kept);
	}
	allocs->kept.count = left;
}

enum gap_end { GAP_WINDOW, GAP_LEFT, GAP_PROGRAM_ENDED };

/* If the program is in a gap, ends the gap and tells it to the sinks. `end` is
 * the reason: a window begins, xtrace leaves, or the program has ended. */
static void
end_gap(struct allocs *allocs, struct program *program, enum gap_end end)
{
	struct alloc_program *own = program->allocs;
	uint64_t now = clock_now();
	pid_t pid = program->space->pid;
	struct event event = {
		.kind = EVENT_UNWATCHED,
		.when = now,
		.track = now,
		.pid = pid,
		.tid = pid,
		.extrapolated = end == GAP_WINDOW,
	};

	if (!own || !own->gap.open)
		return;
	own->gap.open = false;
	if (own->untold)
		return;
	event.weight = clock_between(own->gap.since, now);
	event.change =
		gap_change(&own->gap, end == GAP_PROGRAM_ENDED ? 0 : pid);
	unwatched_take(&allocs->unwatched, &event);
	report_event(allocs->session, &event);
}

/* ---- windows ---------------------------------------------------------------
 */

static struct alloc_thread *
watched_of(struct allocs *allocs, pid_t tid)
{
	struct alloc_thread fresh = { .tid = tid };

	for (size_t i = 0; i < allocs->watched.count; i++)
		if (allocs->watched.at[i].tid == tid)
			return &allocs->watched.at[i];
	vec_push(&allocs->watched, fresh);
	return &allocs->watched.at[allocs->watched.count - 1];
}

/* Lifts or plants the traps of a program. */
static void
plant(struct program *program, bool plants)
{
	struct alloc_program *own = program->allocs;

	for (size_t i = 0; own && i < own->traps.count; i++) {
		struct site *site =
			sites_find(&program->sites, own->traps.at[i]);

		if (site && !plants)
			sites_disown(&program->sites, site, SITE_OWNER_CALL);
		else if (site &&
			 sites_own(&program->sites, site, SITE_OWNER_CALL) < 0)
			debug("a trap cannot be planted again");
	}
}

/* Lifts the traps of all programs because a break begins, or plants them
 * because a window begins. */
static void
plant_all(struct allocs *allocs, bool plants)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&allocs->session->programs, &cursor, NULL, &item)) {
		struct program *program = item;
		struct alloc_program *own = program->allocs;

		plant(program, plants);
		if (!own)
			continue;
		/* A window sees nothing of a program that is ending, so the
		 * gap of such a program stays open. */
		if (plants && own->gap.open && own->gap.after < 0)
			end_gap(allocs, program, GAP_WINDOW);
		if (!plants && !own->gap.open)
			gap_begin(&own->gap, program->space->pid, clock_now());
	}
}

/* Judges the growths of the window that is open. Returns its cost. */
static uint64_t
close_window(struct allocs *allocs, uint64_t now)
{
	uint64_t cost = 0;

	for (size_t i = 0; i < allocs->watched.count; i++)
		cost += allocs->watched.at[i].cost;
	for (size_t i = 0; i < allocs->kept.count; i++) {
		struct kept *kept = &allocs->kept.at[i];

		if (kept->seen <= 0)
			kept->seen = budget_seen(
				&allocs->budget, now,
				watched_of(allocs, kept->tid)->held);
	}
	allocs->last_seen = budget_seen(&allocs->budget, now, 0);
	vec_clear(&allocs->watched);
	allocs->window++;
	return cost;
}

static void
end_window(struct allocs *allocs, uint64_t now)
{
	uint64_t cost = close_window(allocs, now);

	budget_end_window(&allocs->budget, now, cost);
	tell_kept(allocs, false);
	if (allocs->budget.watches)
		return;
	plant_all(allocs, false);
}

void
allocs_work(struct session *session)
{
	struct allocs *allocs = session->allocs;
	uint64_t now;

	if (!allocs || allocs->budget.watches)
		return;
	now = clock_now();
	if (now < allocs->budget.until)
		return;
	budget_end_break(&allocs->budget, now);
	plant_all(allocs, true);
}

uint64_t
allocs_next(const struct session *session)
{
	const struct allocs *allocs = session->allocs;

	return allocs && !allocs->budget.watches ? allocs->budget.until : 0;
}

void
allocs_tick(struct session *session)
{
	struct allocs *allocs = session->allocs;
	uint64_t now = clock_now();

	if (!allocs)
		return;
	if (allocs->budget.watches && now >= allocs->budget.until)
		end_window(allocs, now);
	tell_kept(allocs, false);
}

void
allocs_end(struct session *session)
{
	struct allocs *allocs = session->allocs;
	size_t cursor = 0;
	void *item;

	if (!allocs)
		return;
	if (allocs->budget.watches)
		close_window(allocs, clock_now());
	tell_kept(allocs, true);
	while (map_next(&session->programs, &cursor, NULL, &item))
		end_gap(allocs, item, GAP_LEFT);
	allocs->over = true;
}

void
allocs_say_unwatched(const struct session *session)
{
	const struct allocs *allocs = session->allocs;
	struct str text;

	for (int last = 0; allocs && last < 2; last++) {
		const struct unwatched_sum *sum = &allocs->unwatched.sums[last];

		if (sum->gaps == 0 || tee_tells_gaps(session->tee))
			continue;
		str_init(&text);
		unwatched_add_text(&text, sum, last);
		say("%s", str_text(&text));
		str_release(&text);
	}
}

void
allocs_process_exits(struct session *session, struct thread *thread)
{
	struct process *process = thread->process;
	struct program *program = session_program(session, process->space);

	/* A vfork child uses the memory of its parent. */
	if (program && program->allocs && process->pid == process->space->pid)
		gap_process_exits(&program->allocs->gap, thread->tid);
}

/* ---- for the traps ---------------------------------------------------------
 */

void
allocs_own(struct program *program, addr_t address)
{
	vec_push(&program->allocs->traps, address);
}

bool
allocs_watch(const struct hit *hit)
{
	struct allocs *allocs = hit->session->allocs;
	uint64_t now = clock_now();

	if (hit->record->silent || allocs->over)
		return false;
	if (allocs->budget.watches && now >= allocs->budget.until)
		end_window(allocs, now);
	if (!allocs->budget.watches) {
		/* In a break, only a program that has begun since the break
		 * began has traps. They are lifted here. */
		plant_all(allocs, false);
		return false;
	}
	return true;
}

void
allocs_spent(struct session *session, const struct thread *thread)
{
	struct alloc_thread *watched = watched_of(session->allocs, thread->tid);
	uint64_t spent =
		clock_between(thread->held.seen, clock_now()) + STOP_NS;

	watched->held += spent;
	watched->cost += spent < COST_MOST ? spent : COST_MOST;
}

void
allocs_keep(struct session *session, struct thread_record *record,
	    struct call *call, const struct grown *growth)
{
	struct allocs *allocs = session->allocs;
	const struct thread *thread = record->thread;
	struct kept kept = { .call = call,
			     .growth = *growth,
			     .pid = thread->process->pid,
			     .tid = thread->tid,
			     .when = session_now(session),
			     .window = allocs->window };

	/* The call has begun in a window that is closed. */
	if (!allocs->budget.watches || allocs->over) {
		kept.window--;
		kept.seen = allocs->last_seen;
	}
	call->taken = true;
	vec_push(&allocs->kept, kept);
}

static struct kept *
last_of(struct allocs *allocs, pid_t tid)
{
	for (size_t i = allocs->kept.count; i-- > 0;)
		if (allocs->kept.at[i].tid == tid)
			return &allocs->kept.at[i];
	return NULL;
}

void
allocs_unmapped(struct session *session, pid_t tid, addr_t at, uint64_t length)
{
	struct kept *last = last_of(session->allocs, tid);
	uint64_t from, to;

	if (!last || at + length < at)
		return;
	from = at > last->growth.at ? at : last->growth.at;
	to = last->growth.at + last->growth.length;
	if (at + length < to)
		to = at + length;
	if (from >= to)
		return;
	last->growth.bytes -=
		to - from < last->growth.bytes ? to - from : last->growth.bytes;
}

void
allocs_shrunk(struct session *session, pid_t tid, uint64_t bytes)
{
	struct kept *last = last_of(session->allocs, tid);

	if (last && last->growth.at + last->growth.length > bytes)
		allocs_unmapped(session, tid,
				last->growth.at + last->growth.length - bytes,
				bytes);
}

/* ---- programs --------------------------------------------------------------
 */

static void
allocs_born(struct program *program)
{
	struct allocs *allocs = program->session->allocs;

	if (!allocs)
		return;
	program->allocs = xcalloc(1, sizeof(*program->allocs));
	if (!allocs->budget.watches)
		gap_begin(&program->allocs->gap, program->space->pid,
			  clock_now());
}

static void
allocs_copied(struct program *child, const struct program *parent)
{
	const struct session *session = child->session;

	allocs_born(child);
	for (size_t i = 0; parent->allocs && i < parent->allocs->traps.count;
	     i++)
		allocs_own(child, parent->allocs->traps.at[i]);
	/* Without -f the child is let go. */
	if (child->allocs)
		child->allocs->untold = !session->options->follow;
}

/* The kept growths are told before the program is freed, because the names of
 * their frames belong to the program. */
static void
allocs_ends(struct program *program, enum call_end how)
{
	struct allocs *allocs = program->session->allocs;
	uint64_t now = clock_now();

	if (!allocs)
		return;
	(void)how;
	end_gap(allocs, program, GAP_PROGRAM_ENDED);
	if (program->allocs)
		program->allocs->untold = true;
	if (allocs->budget.watches && !allocs->over)
		end_window(allocs, now);
	tell_kept(allocs, true);
}

static void
allocs_gone(struct program *program)
{
	if (!program->allocs)
		return;
	vec_release(&program->allocs->traps);
	free(program->allocs);
	program->allocs = NULL;
}

const struct life allocs_life = {
	.born = allocs_born,
	.copied = allocs_copied,
	.ends = allocs_ends,
	.gone = allocs_gone,
};
