/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loop of the tracing thread: it waits for a stop and serves it, until no
 * tracee is left or xtrace is told to leave. It checks the clockwork's flags
 * between two stops, and when a poke ends a wait early.
 */
#include "tracer/run/loop.h"

#include "base/clock.h"
#include "base/log.h"
#include "conf/filter/filter.h"
#include "output/group.h"
#include "output/out.h"
#include "output/tee.h"
#include "process/delay.h"
#include "process/wait.h"
#include "tracer/attach/newcomers.h"
#include "tracer/lives/leave.h"
#include "tracer/lives/unannounced.h"
#include "tracer/model/program.h"
#include "tracer/plan/sets.h"
#include "tracer/plan/unmatched.h"
#include "tracer/queries/awaited.h"
#include "tracer/queries/open_queries.h"
#include "tracer/queries/probes.h"
#include "tracer/queries/quiet.h"
#include "tracer/queries/request_frames.h"
#include "tracer/queries/requests.h"
#include "tracer/queries/transactions.h"
#include "tracer/report/completion.h"
#include "tracer/report/hot_sites.h"
#include "tracer/report/left_out.h"
#include "tracer/report/metering.h"
#include "tracer/report/where.h"
#include "tracer/run/dispatch.h"
#include "tracer/run/heap_end.h"
#include "tracer/run/rooms.h"
#include "tracer/allocs/allocs.h"
#include "tracer/sampler/all_stacks.h"
#include "tracer/sampler/sampler.h"
#include "tracer/scripts/script_calls.h"
#include "tracer/system_calls/system_calls.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* If calls made by other modules than the program are selected, their lines
 * name the caller. */
static bool
wants_callers(const struct options *options)
{
	if (options->libraries.count)
		return true;
	for (size_t i = 0; i < options->imports.count; i++) {
		const struct filter_module other = { .label = "other.so" };

		if (filter_wants_module(options->imports.at[i], &other))
			return true;
	}
	return false;
}

/* Are durations shown, or compared? Lines show none without -T. */
static bool
wants_durations(const struct session *session)
{
	const struct options *options = session->options;
	bool wanted = options->histogram || options->alloc ||
		      options->look.durations || options->look.min_duration ||
		      options->stack_min_time || session->condition;

	for (size_t i = 0; i < FORMATS; i++)
		wanted |= options->formats[i].wanted;
	return wanted && !options->wall;
}

/* True if only the number and the duration of calls are wanted. */
static bool
only_sums(const struct session *session)
{
	const struct options *options = session->options;

	return metering_possible(session) && tee_takes_sums(session->tee) &&
	       !session->wants.values && !options->sample &&
	       !options->system_calls && !options->limit && !options->wall &&
	       !options->requests && !options->frames &&
	       !options->look.min_duration;
}

void
session_init(struct session *session)
{
	table_init(&session->table);
	session->table.hurry = &session->clockwork->leave;
	session->left_out = left_out_new(session);
	session->table.lag.wanted =
		wants_durations(session) || session->left_out;
	session->table.lag_calls.wanted = session->table.lag.wanted;
	session->system_calls = system_calls_new(session->options);
	session->table.system_calls = session->system_calls != NULL;
	session->rooms = &rooms;
	session->requests = open_requests_new();
	if (session->options->transactions)
		session->transactions = open_transactions_new();
	session->completion = completion_new();
	session->unmatched = unmatched_new();
	session->hot_sites = hot_sites_new();
	session->quiet = quiet_new();
	session->scripts = scripts_new(session->options);
	session->sampler = sampler_new(session);
	session->allocs = allocs_new(session);
	session->heap_ends = heap_ends_new(session);
	session->wants.ends =
		session->condition || session->options->outcome != OUTCOME_ANY;
	session->wants.values = session->wants.ends || session->sets ||
				session->options->measured ||
				session->options->paths.count ||
				tee_reads_values(session->tee);
	session->wants.sums = only_sums(session);
	session->wants.sum_times =
		session->wants.sums && tee_wants_times(session->tee);
	session->wants.least = tee_skips_brief(session->tee)
				       ? session->options->look.min_duration
				       : 0;
	session->wants.selected = metering_selects(session);
	if (session_has_meters(session))
		metering_begin(session);
	session->wants.sql = tee_reads_sql(session->tee);
	session->wants.servers = tee_wants_servers(session->tee);
	session->wants.callers =
		group_has(session->options->look.group_by, "caller");
	session->wants.whole_texts = tee_reads_whole_texts(session->tee) ||
				     session->options->look.whole_queries;
	if (session->sets) {
		session->memory = memory_new();
		session->memory->cut = session->left_out != NULL;
	}
	for (size_t i = 0; i < session->options->locations.count; i++)
		vec_push(&session->filters, session->options->locations.at[i]);
	if (sets_filter(session->sets))
		vec_push(&session->filters, sets_filter(session->sets));
	session->wants.caller_shown = wants_callers(session->options);
}

static void
tick(struct session *session)
{
	awaited_tick(session);
	open_queries_tick(session);
	quiet_tick(session);
	requests_tick(session);
	metering_tick(session);
	tee_tick(session->tee);
	unannounced_tick(session);
	sampler_tick(session);
	newcomers_take(session);
	allocs_tick(session);
	left_out_tick(session);
	for (struct out **out = session->outs; *out; out++)
		out_flush(*out, false);
}

/* Makes a new page for the console. Called between two stops, so it holds no
 * thread whose stop was seen. */
static void
draw(struct session *session)
{
	if (!tee_draws(session->tee))
		return;
	session->now = 0;
	open_queries_tell(session);
	tee_draw(session->tee);
	if (tee_wants_stacks(session->tee)) {
		all_stacks_take(session);
		tee_draw(session->tee);
	}
	clockwork_show(session->clockwork);
}

/* Does what the clockwork's flags ask for. False when xtrace is to leave. */
static bool
look_at_flags(struct session *session)
{
	struct clockwork *clockwork = session->clockwork;

	if (atomic_load_explicit(&clockwork->tick, memory_order_relaxed) &&
	    atomic_exchange(&clockwork->tick, false))
		tick(session);
	if (atomic_load_explicit(&clockwork->arrival, memory_order_relaxed) &&
	    atomic_exchange(&clockwork->arrival, false))
		newcomers_take(session);
	if (atomic_load_explicit(&clockwork->draw, memory_order_relaxed) &&
	    atomic_exchange(&clockwork->draw, false))
		draw(session);
	if (atomic_load_explicit(&clockwork->reopen, memory_order_relaxed) &&
	    atomic_exchange(&clockwork->reopen, false)) {
		for (struct out **out = session->outs; *out; out++)
			out_reopen(*out);
	}
	return !atomic_load_explicit(&clockwork->leave, memory_order_relaxed);
}

/* Does a trial stop of the thread follow? Nothing may disturb it. */
static bool
in_trial(const struct session *session, pid_t tid)
{
	const struct thread *thread = table_thread(&session->table, tid);

	return thread && thread->state == THREAD_RUNNING &&
	       thread->held.run == HELD_TRIES;
}

/* Waits for a stop, like wait_any(). If no process is traced, but one may come
 * (--follow-new), it waits for a signal from the main thread. wait_any() is
 * called even if the table is empty: a process that ended while we attached to
 * it is not in the table, but its parent cannot wait for it until we have
 * waited for it. */
static int
wait_next(struct session *session, struct stop *ret_stop)
{
	int r = wait_any(&session->table, ret_stop);

	if (r == -ECHILD && session->newcomers)
		return poll(NULL, 0, -1) < 0 ? -errno : -EINTR;
	return r;
}

/* When a room has work to do that no stop brings, or a delay is over; 0: never.
 * They share one timer. */
static uint64_t
next_work(const struct session *session)
{
	const uint64_t times[] = {
		sampler_next(session),	     all_stacks_next(session),
		allocs_next(session),	     left_out_next(session),
		delay_next(&session->table),
	};
	uint64_t next = 0;

	for (size_t i = 0; i < array_size(times); i++)
		if (times[i] && (!next || times[i] < next))
			next = times[i];
	return next;
}

static void
wake_at(struct session *session, uint64_t when)
{
	if (clockwork_wake_at(session->clockwork, when) < 0)
		debug("no timer");
}

void
session_run(struct session *session)
{
	pid_t served = 0;

	session->newcomers =
		newcomers_new(session->options, session->clockwork);
	left_out_begin(session);
	while (look_at_flags(session) &&
	       (session->newcomers || !table_empty(&session->table))) {
		struct stop stop;
		int r;

		if (report_incomplete(session) && !in_trial(session, served))
			report_complete(session);
		sampler_work(session);
		all_stacks_work(session);
		allocs_work(session);
		left_out_work(session);
		wake_at(session, next_work(session));
		r = wait_next(session, &stop);
		session->now = 0;
		if (r == -ECHILD)
			break;
		if (r < 0)
			continue;
		served = stop.tid;
		dispatch(session, &stop);
	}
	wake_at(session, 0);
	report_complete(session);
	sampler_end(session);
	allocs_end(session);
	left_out_end(session);
	session_leave(session);
	allocs_say_unwatched(session);
	heap_ends_tell(session);
	unmatched_say_never(session);
	where_say_unmatched(session);
	request_frames_say_unmatched(session);
}

void
session_release(struct session *session)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&session->records, &cursor, NULL, &item))
		session_drop_record(session, item);
	/* The rooms look for the records of a program that ends. */
	map_clear(&session->records);
	cursor = 0;
	while (map_next(&session->programs, &cursor, NULL, &item))
		program_free(item);
	map_release(&session->programs);
	map_release(&session->newborn);
	vec_release(&session->filters);
	unmatched_free(session->unmatched);
	hot_sites_free(session->hot_sites);
	free(session->quiet);
	free(session->requests);
	open_transactions_free(session->transactions);
	strmap_release(&session->said);
	memory_free(session->memory);
	call_pool_release(&session->pool);
	system_calls_free(session->system_calls);
	newcomers_free(session->newcomers);
	scripts_free(session->scripts);
	sampler_free(session->sampler);
	all_stacks_free(session->all_stacks);
	allocs_free(session->allocs);
	left_out_free(session->left_out);
	heap_ends_free(session->heap_ends);
	completion_free(session->completion);
	table_release(&session->table);
}
