/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A span outlives the call that began it. The sinks are told this call when the
 * span ends. */
#include "tracer/queries/probes.h"

#include "base/clock.h"
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
	if (outcome->failed || outcome->has_rows)
		event->outcome = outcome;
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
	bool held = true;

	if (thread && !begin->inside)
		held_answered(&thread->held);
	call->event.end = how;
	call->event.inside = probing->span->inside;
	session_measure(session, thread, now, &call->event);
	if (begin->inside)
		call->event.duration = probing->span->inside;
	probes_take_outcome(&call->event, &probing->outcome);
	if (probing->shows)
		report_over(session, open->pid, open->tid, call, &held, now);
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
