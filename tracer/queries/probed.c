/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connects report, which begins and ends calls, with probes, which decide what
 * is shown of them. */
#include "tracer/queries/probed.h"

#include "conf/model/expr.h"
#include "tracer/model/session.h"
#include "tracer/queries/probe_scope.h"
#include "tracer/queries/probes.h"
#include "tracer/report/call_arguments.h"
#include "tracer/report/where.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static struct probed
probed_of(struct session *session, struct thread_record *record,
	  struct call *call, struct capture *memory)
{
	const struct open_call *open = report_open(call);

	return (struct probed){
		.session = session,
		.program = open->program,
		.record = record,
		.call = call,
		.probing = open->own,
		.function = open->tracepoint->address,
		.memory = memory,
	};
}

/* Would the call only add to spans or end them? */
static bool
only_ends(const struct probe *probe)
{
	for (size_t i = 0; i < probe->count; i++) {
		enum act_kind kind = probe->acts[i].kind;

		if (kind < ACT_ANSWERED ||
		    (kind == ACT_TRANSACTION && !probe_act(probe, ACT_END)))
			return false;
	}
	return true;
}

int
probed_entered(struct hit *hit, struct tracepoint *tracepoint,
	       addr_t return_address)
{
	struct open_call *open;
	struct probing *probing;
	struct probed of;
	struct call *call;
	int r;

	/* A call that an exception has left must not contain this call. */
	if (probes_within(&hit->record->calls))
		calls_end_overwritten(&hit->record->calls, regs_sp(&hit->regs),
				      program_memory(hit->program));
	if (hit->session->memory->spans.count == 0 &&
	    !hit->session->memory->cut && only_ends(tracepoint->probe))
		return 0;
	r = report_begin_shown(hit, tracepoint, return_address, &call);
	if (r < 0)
		return r == -ESRCH ? r : 0;
	open = report_open(call);
	probing = arena_zalloc(&call->arena, sizeof(*probing));
	probing->probe = tracepoint->probe;
	probing->call = call;
	open->own = probing;
	of = probed_of(hit->session, hit->record, call, &open->entry);
	of.regs = &hit->regs;
	open->held = !probes_enter(&of, hit->when);
	probing->announced = hit->before && probing->told;
	if (probing->shows)
		where_capture(hit, call);
	if (probing->shows && probing->unknown)
		where_capture_unknown(hit, call);
	if (!open->held)
		report_tell_entry(hit, call);
	capture_seal(&open->entry);
	return 0;
}

void
probed_begun(struct hit *hit, struct call *call)
{
	struct open_call *open = report_open(call);
	struct probing *probing = arena_zalloc(&call->arena, sizeof(*probing));
	const struct act *begin;
	struct probed of;

	probing->probe = open->tracepoint->probe;
	probing->call = call;
	open->own = probing;
	begin = probe_act(probing->probe, ACT_BEGIN);
	probing->outcome.unseen = begin && !begin->inside;
	of = probed_of(hit->session, hit->record, call, &open->entry);
	of.regs = &hit->regs;
	open->held = !probes_enter(&of, hit->when);
	capture_seal(&open->entry);
}

bool
probed_follows(const struct session *session)
{
	return session->memory && session->memory->spans.count > 0;
}

bool
probed_follows_handle(const struct program *program, uint64_t handle)
{
	const struct memory *memory = program->session->memory;
	struct str key;
	bool follows;

	if (!memory || memory->spans.count == 0)
		return false;
	str_init(&key);
	probe_key_begin(program, &key);
	follows = spans_of_handle(&memory->spans, str_text(&key), handle);
	str_release(&key);
	return follows;
}

/* The call has begun a query inside the program, and later calls of the query
 * were counted there, too. Adds them to the query's span. */
static void
add_counted(const struct open_call *open, struct probing *probing)
{
	const struct ended_inside *ended = open->ended;
	struct span_time more = { .duration = (int64_t)(ended->total -
							ended->duration),
				  .wall = ended->total - ended->duration };

	if (!probing->span)
		return;
	probing->span->inside = (int64_t)ended->total;
	if (probing->span->answered)
		spans_add(probing->span, more);
	/* Each call of a query with a time inside its calls has one row. */
	if (probe_act(probing->probe, ACT_BEGIN)->inside &&
	    probing->outcome.has_rows)
		probing->outcome.rows += (int64_t)ended->count - 1;
}

/* Had the last call that was counted ended the query? What accessors say of the
 * handle is as it was then, unless another call of the query has returned now.
 * If one has, the query was not over. */
static bool
is_over(struct probed *of)
{
	const struct open_call *open = report_open(of->call);
	const struct ended_inside *ended = open->ended;
	const struct tracepoint *last = ended->last;
	const struct act *end = last ? probe_act(last->probe, ACT_END) : NULL;
	struct arguments *own = of->call->event.arguments;
	struct probing probing = { .probe = last ? last->probe : NULL,
				   .call = of->call };
	struct probed before = *of;
	bool over;

	if (ended->changed || !end || end->keys[0]->kind != EXPR_ARG)
		return false;
	of->call->event.arguments =
		call_arguments_made(of->call, last->proto,
				    (unsigned)end->keys[0]->number - 1,
				    of->memory);
	before.probing = &probing;
	before.function = last->address;
	over = probe_holds(&before, end);
	of->call->event.arguments = own;
	return over;
}

/* If more calls of the query have returned inside the program, it is unknown
 * how many rows they had. Steps of a statement have one row each. */
static void
note_lost_rows(const struct open_call *open, struct probing *probing)
{
	const struct act *begin = probe_act(probing->probe, ACT_BEGIN);

	probing->outcome.rows_lost =
		open->ended->count > 1 && begin && !begin->inside;
}

static void
forget_query(struct session *session, struct probing *probing)
{
	if (probing->span)
		spans_end(&session->memory->spans, probing->span);
	probing->span = NULL;
}

/* Is the stack of a call still to be walked that has begun a query, and was
 * entered inside the program? The query may become slow later. */
static bool
is_without_stack(const struct call *call)
{
	const struct open_call *open = report_open(call);
	const struct options *options = open->program->session->options;

	if (open->ended)
		return !open->ended->walked;
	return open->kept && !call->event.frames && options->frames > 0 &&
	       !options->stack_min_time;
}

void
probed_over(struct session *session, struct thread_record *record,
	    struct call *call, enum call_end how)
{
	struct open_call *open = report_open(call);
	const struct probing *probing = open->own;
	struct probed of;

	/* The call was reported as an entry only, so its end is not awaited. */
	if (!probing) {
		report_call_over(session, record, call, how);
		return;
	}
	if (!probing->nested)
		held_asked_over(&record->thread->held);
	report_take_end(session, record, call, how);
	if (how == CALL_RETURNED && probing->shows)
		where_capture_late(open->program, record, call);
	of = probed_of(session, record, call,
		       how == CALL_RETURNED ? &open->after : NULL);
	if (open->ended && is_over(&of)) {
		forget_query(session, of.probing);
		capture_seal(&open->after);
		return;
	}
	if (open->ended)
		note_lost_rows(open, open->own);
	call->taken = probes_leave(&of, session_now(session));
	if (open->ended && call->taken)
		add_counted(open, open->own);
	if (call->taken && is_without_stack(call))
		where_returned(open->program, record, call);
	if (how == CALL_RETURNED)
		capture_seal(&open->after);
}
