/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connects report, which begins and ends calls, with probes, which decide what
 * is shown of them. */
#include "tracer/queries/probed.h"

#include "tracer/model/session.h"
#include "tracer/queries/probes.h"
#include "tracer/report/where.h"

#include <errno.h>

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

	if (hit->session->memory->spans.count == 0 &&
	    only_ends(tracepoint->probe))
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
	call->taken = probes_leave(&of, session_now(session));
	if (how == CALL_RETURNED)
		capture_seal(&open->after);
}
