/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each item has windows and breaks of its own (tracer/model/budget.h). The part
 * of the time that an item may cost is computed again each second, and when a
 * window ends (tracer/report/shares.h).
 *
 * A window that a break follows ends at a hit of the item. The trap at which
 * the thread has stopped is removed, and every other trap of the item when a
 * thread runs into it. A trap stays while one of its functions is looked at.
 * The traps at the return addresses of calls stay, so the ends of calls that
 * have begun are seen. When the break is over, the removed traps are planted
 * again.
 *
 * The functions of queries are left out together, both the functions of the
 * client's library and the functions that send and receive. If only some of
 * them were left out, the times and the rows of queries would be wrong. Their
 * window ends when no query is open. If some query is open for too long, the
 * window ends nevertheless, and the open queries are told as unfinished. What
 * was kept of statements and connections is then forgotten, because it may be
 * wrong after the break (life->cut).
 *
 * What a stop has cost a thread is known at the thread's next stop
 * (process/held.h). It belongs to the item of the stop before.
 */
#include "tracer/report/left_out_parts.h"

#include "base/log.h"
#include "tracer/report/metering.h"
#include "tracer/report/report.h"

/* The end of the queries' window waits at most this long until no query is
 * open. */
#define OPEN_NS UINT64_C(20000000)

/* ---- what is told -----------------------------------------------------------
 */

static void
tell_one(struct session *session, const struct event_left_out *what, pid_t pid)
{
	uint64_t now = session_now(session);
	const struct event event = {
		.kind = EVENT_LEFT_OUT,
		.when = now,
		.track = now,
		.pid = pid,
		.tid = pid,
		.left_out = what,
	};

	report_event(session, &event);
}

static struct event_left_out
what_of(const struct budgeted *item, bool last)
{
	uint64_t now = clock_now();

	return (struct event_left_out){
		.name = item->name,
		.out = item->out,
		.last = last,
		.looked = left_out_looked_at(item, now),
		.left = left_out_left_at(item, now),
		.breaks = item->breaks,
	};
}

/* If each process has a file of its own, each file gets an event. */
static void
tell_all(struct left_out *left_out, const struct event_left_out *what)
{
	struct session *session = left_out->session;
	size_t cursor = 0;
	void *program;

	while (map_next(&session->programs, &cursor, NULL, &program)) {
		left_out->pid = ((struct program *)program)->space->pid;
		if (session->options->split)
			tell_one(session, what, left_out->pid);
	}
	if (!session->options->split)
		tell_one(session, what, left_out->pid);
}

/* Tells the sinks that the item is left out, or is not left out any more. */
static void
tell(struct left_out *left_out, const struct budgeted *item, bool last)
{
	const struct event_left_out what = what_of(item, last);

	tell_all(left_out, &what);
}

/* Tells the sinks how the times have grown, because some sinks show them while
 * xtrace runs. An item that is not called any more has no other event. */
static void
tell_sums(struct left_out *left_out, const struct budgeted *item)
{
	struct event_left_out what = what_of(item, false);

	what.sums = true;
	left_out->session->now = 0;
	tell_all(left_out, &what);
}

/* ---- windows ----------------------------------------------------------------
 */

static void
cut_queries(struct session *session)
{
	size_t cursor = 0;
	void *program;

	while (map_next(&session->programs, &cursor, NULL, &program))
		for (const struct life *const *life = session->rooms->lives;
		     *life; life++)
			if ((*life)->cut)
				(*life)->cut(program);
}

static void
find_next(struct left_out *left_out)
{
	left_out->next = 0;
	for (size_t i = 0; i < left_out->items.count; i++) {
		const struct budgeted *item = left_out->items.at[i];

		if (item->out && (left_out->next == 0 ||
				  item->budget.until < left_out->next))
			left_out->next = item->budget.until;
	}
}

static void
end_window(struct left_out *left_out, struct budgeted *item, uint64_t now)
{
	struct session *session = left_out->session;

	left_out_set_budget(left_out, item, now);
	item->looked += now - item->budget.since;
	budget_end_window(&item->budget, now, item->cost);
	item->cost = 0;
	if (item->budget.watches)
		return;
	if (item->queries)
		cut_queries(session);
	item->out = true;
	item->breaks++;
	find_next(left_out);
	tell(left_out, item, false);
}

static bool
window_is_over(const struct session *session, const struct budgeted *item,
	       uint64_t now)
{
	const struct budget *budget = &item->budget;

	if (now <= budget->since ||
	    (now < budget->until && item->cost < budget->window))
		return false;
	return !item->queries || now >= budget->until + OPEN_NS ||
	       !session->rooms->queries_open(session);
}

static void
plant_again(struct budgeted *item)
{
	for (size_t i = 0; i < item->lifted.count; i++) {
		const struct lifted *lifted = &item->lifted.at[i];
		struct sites *sites = &lifted->program->sites;
		struct site *site = sites_find(sites, lifted->address);

		if (!site || !site->user || site_owned(site, SITE_OWNER_CALL))
			continue;
		if (sites_own(sites, site, SITE_OWNER_CALL) < 0)
			debug("a trap cannot be planted again");
	}
	vec_clear(&item->lifted);
}

static void
end_break(struct left_out *left_out, struct budgeted *item, uint64_t now)
{
	item->left += now - item->budget.since;
	budget_end_break(&item->budget, now);
	item->out = false;
	item->cost = 0;
	if (item->queries)
		cut_queries(left_out->session);
	tell(left_out, item, false);
	plant_again(item);
}

void
left_out_work(struct session *session)
{
	struct left_out *left_out = session->left_out;
	uint64_t now;

	if (!left_out || left_out->next == 0)
		return;
	now = clock_now();
	if (now < left_out->next)
		return;
	session->now = 0;
	for (size_t i = 0; i < left_out->items.count; i++) {
		struct budgeted *item = left_out->items.at[i];

		if (item->out && now >= item->budget.until)
			end_break(left_out, item, now);
	}
	find_next(left_out);
}

uint64_t
left_out_next(const struct session *session)
{
	return session->left_out ? session->left_out->next : 0;
}

/* Is a thread of the process about to run into a trap once more? If that trap
 * were removed, the thread's next hit of it would be taken for a repetition,
 * and the call would not be shown. The next hit removes the trap. */
static bool
in_trial(const struct hit *hit)
{
	const struct process *process = hit->record->thread->process;

	list_each(link, after, &process->threads)
		if (list_item(link, struct thread, sibling)->held.run ==
		    HELD_TRIES)
			return true;
	return false;
}

/* The traps of the site are removed until one of its items is looked at
 * again. */
static void
lift(struct hit *hit)
{
	const struct lifted lifted = { hit->program, hit->site->address };

	for (struct tracepoint *tracepoint = hit->site->user; tracepoint;
	     tracepoint = tracepoint->next)
		vec_push(&tracepoint->budgeted->lifted, lifted);
	sites_disown(&hit->program->sites, hit->site, SITE_OWNER_CALL);
}

bool
left_out_lifts(struct hit *hit)
{
	struct left_out *left_out = hit->session->left_out;
	uint64_t now;
	bool all = true;

	if (!left_out || !left_out->begun || hit->before || !hit->site->user ||
	    metering_may_come(hit))
		return false;
	now = clock_now();
	for (struct tracepoint *tracepoint = hit->site->user; tracepoint;
	     tracepoint = tracepoint->next) {
		struct budgeted *item = left_out_item(left_out, tracepoint);

		if (item && !item->out &&
		    window_is_over(hit->session, item, now))
			end_window(left_out, item, now);
		all &= item && item->out;
	}
	if (all && !in_trial(hit))
		lift(hit);
	return all;
}

/* ---- each second ------------------------------------------------------------
 */

/* Is the item's window long, and so cheap that no break follows it? Such an
 * item is hit seldom, so the end of its window does not wait for a hit. */
static bool
is_cheap(const struct left_out *left_out, const struct budgeted *item,
	 uint64_t now)
{
	uint64_t length = now - item->budget.since;

	return length >= RECENT_NS &&
	       (double)item->cost <= left_out->level * (double)length;
}

void
left_out_tick(struct session *session)
{
	struct left_out *left_out = session->left_out;
	uint64_t now = clock_now();

	if (!left_out || !left_out->begun)
		return;
	left_out_take_time(left_out, now);
	left_out_find_level(left_out, now);
	for (size_t i = 0; i < left_out->items.count; i++) {
		struct budgeted *item = left_out->items.at[i];

		if (!item->out && is_cheap(left_out, item, now))
			end_window(left_out, item, now);
		if (item->breaks > 0)
			tell_sums(left_out, item);
	}
}

void
left_out_end(struct session *session)
{
	struct left_out *left_out = session->left_out;

	if (!left_out || !left_out->begun)
		return;
	left_out_take_time(left_out, clock_now());
	for (size_t i = 0; i < left_out->items.count; i++)
		if (left_out->items.at[i]->breaks > 0)
			tell(left_out, left_out->items.at[i], true);
}

void
left_out_process_ends(struct session *session, pid_t pid)
{
	struct left_out *left_out = session->left_out;

	for (size_t i = 0; left_out && i < left_out->items.count; i++) {
		const struct event_left_out what =
			what_of(left_out->items.at[i], true);

		if (session->options->split && what.breaks > 0)
			tell_one(session, &what, pid);
	}
}

/* ---- lives ------------------------------------------------------------------
 */

static void
left_out_copied(struct program *child, const struct program *parent)
{
	struct left_out *left_out = child->session->left_out;

	for (size_t i = 0; left_out && i < left_out->items.count; i++) {
		struct budgeted *item = left_out->items.at[i];
		size_t count = item->lifted.count;

		for (size_t at = 0; at < count; at++) {
			struct lifted copy = item->lifted.at[at];

			if (copy.program != parent)
				continue;
			copy.program = child;
			vec_push(&item->lifted, copy);
		}
	}
}

static void
left_out_gone(struct program *program)
{
	struct left_out *left_out = program->session->left_out;

	for (size_t i = 0; left_out && i < left_out->items.count; i++) {
		struct budgeted *item = left_out->items.at[i];
		size_t kept = 0;

		for (size_t at = 0; at < item->lifted.count; at++)
			if (item->lifted.at[at].program != program)
				item->lifted.at[kept++] = item->lifted.at[at];
		item->lifted.count = kept;
	}
}

static void
left_out_thread_ends(struct program *program,
		     const struct thread_record *record)
{
	struct left_out *left_out = program->session->left_out;
	uint64_t cost;

	if (!left_out || !left_out->begun)
		return;
	cost = record->thread->held.spent - record->cost.charged;
	left_out_charge(left_out, record->cost.to, cost);
	if (record->cost.recent + cost > left_out->most)
		left_out->most = record->cost.recent + cost;
}

const struct life left_out_life = {
	.copied = left_out_copied,
	.gone = left_out_gone,
	.thread_ends = left_out_thread_ends,
};
