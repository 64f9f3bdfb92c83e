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
#include "tracer/queries/socket_map.h"
#include "values/fetch.h"

struct open_scan {
	struct session *session;
	uint64_t now;
	int64_t least; /* the time from which a query is announced */
	/* the kind of the events: EVENT_IN_FLIGHT, once for a query; or
	 * EVENT_OPEN */
	enum event_kind kind;
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

	if (scan->kind == EVENT_IN_FLIGHT) {
		if (probing->announced || elapsed < scan->least)
			return;
		probing->announced = true;
	} else if (probing->told_open == scan->now) {
		/* This call was told already: both the span and the call that
		 * began the span lead here. */
		return;
	}
	probing->told_open = scan->now;
	if (!kept && !reveal(call, true))
		return;
	call->event.duration = elapsed;
	report_event(scan->session,
		     &(struct event){ .kind = scan->kind,
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

static void
look_at_all(const struct open_scan *scan)
{
	struct session *session = scan->session;
	size_t cursor = 0;
	void *program;

	look_at_threads(scan);
	list_each(link, after, &session->memory->spans.open) {
		const struct call_span *span =
			list_item(link, struct call_span, link);

		if (span->user)
			look_at_span(scan, span);
	}
	while (map_next(&session->programs, &cursor, NULL, &program))
		sockets_announce(program, (uint64_t)scan->least, scan->kind);
}

void
open_queries_tick(struct session *session)
{
	const struct options *options = session->options;
	uint64_t least = options->look.min_duration > options->in_flight
				 ? options->look.min_duration
				 : options->in_flight;
	const struct open_scan scan = { session, session_now(session),
					(int64_t)least, EVENT_IN_FLIGHT };

	if (session->memory && options->in_flight && !session->condition)
		look_at_all(&scan);
}

/* Is it a call of a function that a filter names, or a system call, and is it
 * shown however it ends? */
static bool
is_plain(const struct call *call)
{
	const struct open_call *open = report_open(call);

	if (!open || open->held || open->elsewhere || open->inherited)
		return false;
	switch (open->tracepoint->kind) {
	case TRACEPOINT_ENTRY:
	case TRACEPOINT_GATE:
	case TRACEPOINT_CALLEE:
	case TRACEPOINT_SYSTEM_CALL:
		return true;
	default:
		return false;
	}
}

/* Tells the sinks the thread's innermost open call, unless it is within a
 * query. */
static void
tell_innermost(const struct open_scan *scan, const struct thread_record *record)
{
	struct call *found = NULL;

	for (size_t i = 0; i < record->calls.live.count; i++) {
		struct call *call = record->calls.live.at[i];

		if (probes_probing(call))
			return;
		if (is_plain(call))
			found = call;
	}
	if (!found || record->silent)
		return;
	found->event.duration = elapsed_since(scan, record->thread, found);
	report_tell(scan->session, report_open(found)->pid,
		    report_open(found)->tid, found, EVENT_OPEN, scan->now);
}

void
open_queries_tell(struct session *session)
{
	const struct open_scan scan = { session, session_now(session), 0,
					EVENT_OPEN };
	size_t cursor = 0;
	void *record;

	if (session->condition)
		return;
	if (session->memory)
		look_at_all(&scan);
	while (map_next(&session->records, &cursor, NULL, &record))
		tell_innermost(&scan, record);
}
