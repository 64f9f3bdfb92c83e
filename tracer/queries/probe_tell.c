/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A span outlives the call that began it. The sinks get the event of this call
 * when the span ends. */
#include "tracer/queries/probes.h"

#include "base/clock.h"
#include "tracer/queries/transactions.h"
#include "values/fetch.h"

struct probing *
probes_probing(const struct call *call)
{
	const struct open_call *open = report_open(call);

	return open && open->tracepoint->kind == TRACEPOINT_PROBED ? open->own
								   : NULL;
}

void
probes_take_outcome(struct event_call *event, struct event_outcome *outcome)
{
	if (outcome->result) {
		event->result = outcome->result;
		if (event->arguments)
			event->arguments->result = outcome->result;
	}
	if (outcome->failed || outcome->has_rows || outcome->has_bytes ||
	    outcome->has_first || outcome->connection)
		event->outcome = outcome;
}

void
probes_take_span(struct event_outcome *outcome, const struct call_span *span)
{
	outcome->has_first = span->has_first;
	outcome->first = span->first;
	outcome->has_bytes = span->has_bytes;
	outcome->bytes = span->bytes;
	outcome->has_rows |= span->has_rows;
	outcome->rows += span->rows;
}

/* Measuring errors may set a part below 0, or above its time by the clock. */
static int64_t
within(int64_t time, uint64_t wall)
{
	if (time < 0)
		return 0;
	return time < (int64_t)wall ? time : (int64_t)wall;
}

/*
 * The event's time is that from the beginning of the call to the last call or
 * read of the span. If there were several, the part of this time that is
 * neither head nor rest is the program's own, as between mysql_stmt_execute()
 * and mysql_stmt_store_result(). If xtrace held the thread meanwhile while the
 * server worked, this time is added to the next call or read, because without
 * xtrace it would have waited so long.
 */
static void
take_parts(struct session *session, struct thread *thread, uint64_t now,
	   struct event_call *event, const struct call_span *span,
	   struct event_outcome *outcome)
{
	struct event_call whole = *event;
	int64_t duration = span->head.duration + span->rest.duration;
	uint64_t wall = span->head.wall + span->rest.wall;

	/* The uncertainty of the call's times may be known only now. */
	session_measure(session, thread, now, &whole);
	event->uncertainty = whole.uncertainty;
	if (span->apart && event->wall > wall) {
		outcome->between_wall = event->wall - wall;
		outcome->between = within(event->duration - duration,
					  outcome->between_wall);
	} else {
		duration = within(duration, wall);
	}
	event->duration = duration;
	event->wall = wall;
	event->older = span->head.older + span->rest.older;
}

/* A taken call (see struct call) has ended: tells the sinks and frees it. */
static void
tell_taken(struct session *session, struct call *call, enum call_end how,
	   uint64_t now)
{
	const struct open_call *open = report_open(call);
	struct probing *probing = open->own;
	const struct act *begin = probe_act(probing->probe, ACT_BEGIN);
	struct thread *thread = table_thread(&session->table, open->tid);
	const struct call_span *span = probing->span;
	bool held = !probing->told;

	if (thread && !begin->inside)
		held_answered(&thread->held);
	call->event.end = how;
	call->event.inside = span->inside;
	probes_take_span(&probing->outcome, span);
	if (!span->answered)
		session_measure(session, thread, now, &call->event);
	else
		take_parts(session, thread, now, &call->event, span,
			   &probing->outcome);
	if (begin->inside) {
		call->event.duration = span->inside;
		call->event.older = 0;
	}
	probes_take_outcome(&call->event, &probing->outcome);
	if (probing->shows)
		transactions_query_over(session, open->pid, open->tid, call,
					&held, now);
	plan_unref(open->tracepoint->plan);
	call_pool_give(&session->pool, call);
}

void
probes_tell_span(struct session *session, struct call_span *span,
		 enum call_end how, uint64_t now)
{
	struct probing *beginner = span->beginner;
	struct call *call = span->user;

	if (call)
		tell_taken(session, call, how, now);
	if (beginner)
		beginner->span = NULL;
	spans_end(&session->memory->spans, span);
}
