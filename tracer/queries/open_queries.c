/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An open query is in one of three places:
 *
 *	struct calls	   a call that has not returned. If it belongs to a span
 *			   that counts only the time inside (sqlite3_step), the
 *			   query is the call that began the span
 *	struct spans	   a call that has returned and began a span
 *	struct connection  a query that was read from a connection
 *
 * Nothing is read from the program: the text was captured at the entry.
 * Sometimes only the return of a call decides whether the call is shown: with
 * --if, or if only failures are shown. Such a call is not announced.
 */
#include "tracer/queries/open_queries.h"

#include "tracer/queries/probe_scope.h"
#include "tracer/queries/probes.h"
#include "tracer/queries/sockets.h"
#include "values/fetch.h"

struct open_scan {
	struct session *session;
	uint64_t now;
	int64_t least; /* the time from which a query is announced */
};

/* Shows or hides the arguments that the probe shows whatever the result is.
 * Returns false if there are none. */
static bool
reveal(struct call *call, bool shown)
{
	const struct probe *probe = probes_probing(call)->probe;
	bool any = false;

	for (size_t i = 0; i < probe->count; i++) {
		const struct act *act = &probe->acts[i];
		struct argument *argument;

		if (act->kind != ACT_SHOW || act->condition || act->on_error)
			continue;
		argument = probe_argument(call->event.arguments, act);
		if (argument)
			argument->hidden = !shown;
		any = true;
	}
	return any;
}

/* Announces the query if its call has taken long enough. kept: the arguments
 * that are shown have been chosen already. */
static void
announce(const struct open_scan *scan, struct call *call, int64_t elapsed,
	 bool kept)
{
	struct probing *probing = probes_probing(call);
	const struct open_call *open = report_open(call);

	if (probing->announced || elapsed < scan->least)
		return;
	probing->announced = true;
	if (!kept && !reveal(call, true))
		return;
	call->event.duration = elapsed;
	report_event(scan->session,
		     &(struct event){ .kind = EVENT_IN_FLIGHT,
				      .when = scan->now,
				      .track = call->event.began_track,
				      .pid = open->pid,
				      .tid = open->tid,
				      .call = &call->event });
	if (!kept)
		reveal(call, false);
}

static int64_t
elapsed_since(const struct open_scan *scan, const struct thread *thread,
	      const struct call *call)
{
	if (!thread)
		return (int64_t)(scan->now - call->event.began);
	return (int64_t)(session_own(scan->session, thread, scan->now) -
			 call->event.began_own);
}

/* Announces the query of a call that has not returned. */
static void
look_at_call(const struct open_scan *scan, const struct thread *thread,
	     struct call *call)
{
	const struct probing *probing = probes_probing(call);
	int64_t elapsed;

	if (!probing || probing->nested)
		return;
	elapsed = elapsed_since(scan, thread, call);
	if (probing->span && !probing->began && probing->span->user)
		announce(scan, probing->span->user,
			 probing->span->inside + elapsed, true);
	else if (probing->shows)
		announce(scan, call, elapsed, probing->told);
}

static void
look_at_threads(const struct open_scan *scan)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&scan->session->records, &cursor, NULL, &item)) {
		const struct thread_record *record = item;

		for (size_t i = 0; i < record->calls.live.count; i++)
			look_at_call(scan, record->thread,
				     record->calls.live.at[i]);
	}
}

/* Announces the query of a span whose first call has returned. */
static void
look_at_span(const struct open_scan *scan, const struct call_span *span)
{
	struct call *call = span->user;
	const struct open_call *open = report_open(call);
	const struct probing *probing = probes_probing(call);

	if (!probing->shows || probe_act(probing->probe, ACT_BEGIN)->inside)
		return;
	announce(scan, call,
		 elapsed_since(scan,
			       table_thread(&scan->session->table, open->tid),
			       call),
		 true);
}

void
open_queries_tick(struct session *session)
{
	const struct options *options = session->options;
	uint64_t least = options->look.min_duration > options->in_flight
				 ? options->look.min_duration
				 : options->in_flight;
	const struct open_scan scan = { session, session_now(session),
					(int64_t)least };
	size_t cursor = 0;
	void *program;

	if (!session->memory || !options->in_flight || session->condition)
		return;
	look_at_threads(&scan);
	list_each(link, after, &session->memory->spans.open) {
		const struct call_span *span =
			list_item(link, struct call_span, link);

		if (span->user)
			look_at_span(&scan, span);
	}
	while (map_next(&session->programs, &cursor, NULL, &program))
		sockets_announce(program, least);
}
