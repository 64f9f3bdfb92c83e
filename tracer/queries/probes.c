/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The acts of a probe are carried out in this order:
 *
 *	entry	recall, begin, show
 *	return	result, error and rows; answered; end; link; keep and forget
 *
 * A call that begins a span outlives its return. It is removed from its
 * thread's calls and attached to the span. The sinks are told entry and end
 * together when the span ends:
 *
 *	PQsendQuery ---- return ----> the span's ----> PQgetResult is NULL: told
 *
 * So one query is one line, even if other events come in between.
 */
#include "tracer/queries/probes.h"

#include "base/xmalloc.h"
#include "conf/model/proto.h"
#include "tracer/model/interest.h"
#include "tracer/queries/probe_memory.h"
#include "tracer/queries/probe_recover.h"
#include "tracer/queries/probe_scope.h"
#include "tracer/queries/probe_server.h"
#include "tracer/queries/probe_spans.h"
#include "tracer/queries/transactions.h"
#include "values/capture.h"
#include "values/fetch.h"

#include <string.h>

#define HANDLES_MOST 16384
#define HANDLE_BYTES_MOST ((size_t)64 << 20)
#define SPANS_MOST 1024
/* Two addresses on different stacks are further apart than this. */
#define STACK_MOST ((addr_t)16 << 20)

struct memory *
memory_new(void)
{
	struct memory *memory = xcalloc(1, sizeof(*memory));

	handles_init(&memory->handles, HANDLES_MOST, HANDLE_BYTES_MOST);
	spans_init(&memory->spans, SPANS_MOST);
	return memory;
}

void
memory_free(struct memory *memory)
{
	if (!memory)
		return;
	handles_release(&memory->handles);
	spans_release(&memory->spans);
	free(memory);
}

bool
probes_of_caller(const struct program *program, addr_t address)
{
	const struct module *module =
		modmap_covering(&program->modules, address);
	const struct plan *plan = module ? module->user : NULL;

	return plan && plan->probed;
}

/* ---- within another ---- */

/*
 * A call on another stack may belong to a coroutine. If the coroutine is
 * suspended, the call does not enclose what the thread does meanwhile. But a
 * call on the thread's own stack encloses the coroutines that run while it is
 * open.
 */
static bool
around(const struct calls *calls, const struct call *outer,
       const struct call *inner)
{
	bool own = calls_own_stack(calls, outer->sp);

	if (own || own == calls_own_stack(calls, inner->sp))
		return own || (outer->sp >= inner->sp &&
			       outer->sp - inner->sp < STACK_MOST);
	return false;
}

/* Do the probed functions that this probe's function calls count as parts of
 * its call? For example mysql_stmt_next_result() calls mysql_next_result(), and
 * both would add the same time to a span. */
static bool
counts_inner(const struct probe *probe)
{
	return probe_act(probe, ACT_SHOW) || probe_act(probe, ACT_END);
}

static bool
is_nested(const struct probed *of)
{
	const struct calls *calls = &of->record->calls;

	for (size_t i = calls->live.count; i-- > 0;) {
		const struct call *outer = calls->live.at[i];
		const struct probing *probing;

		if (outer == of->call)
			continue;
		probing = probes_probing(outer);
		if (probing &&
		    probing->probe->library == of->probing->probe->library &&
		    counts_inner(probing->probe) &&
		    around(calls, outer, of->call))
			return true;
	}
	return false;
}

bool
probes_within(const struct calls *calls)
{
	for (size_t i = 0; i < calls->live.count; i++) {
		if (probes_probing(calls->live.at[i]))
			return true;
	}
	return false;
}

/* ---- what is shown ---- */

static void
reveal(const struct probed *of, const struct act *act)
{
	struct argument *argument =
		probe_argument(of->call->event.arguments, act);

	if (!argument)
		return;
	argument->hidden = false;
	argument->bound = act->kind == ACT_BIND;
}

static bool
is_shown(const struct probed *of, const struct act *act)
{
	return act->kind == ACT_SHOW ||
	       (act->kind == ACT_BIND && of->session->options->bind);
}

/* Shows the arguments whose condition holds; returns true if there is one. */
static bool
reveal_shown(struct probed *of)
{
	const struct probe *probe = of->probing->probe;
	bool any = false;

	for (size_t i = 0; i < probe->count; i++) {
		const struct act *act = &probe->acts[i];

		if (!is_shown(of, act) || !probe_holds(of, act))
			continue;
		if (act->on_error && !of->probing->outcome.failed)
			continue;
		reveal(of, act);
		any |= act->kind == ACT_SHOW;
	}
	return any;
}

static bool
decided_at_return(const struct probed *of)
{
	const struct probe *probe = of->probing->probe;

	if (of->session->wants.ends)
		return true;
	/* A call that began before the attach is shown at once. */
	if (probe_act(probe, ACT_BEGIN) && !of->call->event.before)
		return true;
	for (size_t i = 0; i < probe->count; i++) {
		const struct act *act = &probe->acts[i];

		if (act->kind == ACT_SHOW && (act->condition || act->on_error))
			return true;
	}
	return false;
}

static void
hide_all(struct arguments *arguments)
{
	for (size_t i = 0; i < arguments->count; i++)
		arguments->at[i].hidden = true;
}

/* Shows or hides everything that may be shown. A key without a known text is
 * always shown. */
static void
reveal_all(const struct probed *of, bool shown)
{
	const struct probe *probe = of->probing->probe;

	for (size_t i = 0; i < probe->count; i++) {
		const struct act *act = &probe->acts[i];
		struct argument *argument;

		if (!is_shown(of, act))
			continue;
		argument = probe_argument(of->call->event.arguments, act);
		if (!argument)
			continue;
		argument->hidden = !shown;
		argument->bound = act->kind == ACT_BIND;
	}
}

/* ---- entry ---- */

bool
probes_enter(struct probed *of, uint64_t now)
{
	const struct options *options = of->session->options;
	struct probing *probing = of->probing;
	struct arguments *arguments = of->call->event.arguments;
	size_t length = options->look.string_length;

	held_reads(&of->record->thread->held);
	of->call->event.bare = true;
	of->call->event.connects = library_connects(probing->probe->library);
	probing->nested = is_nested(of);
	hide_all(arguments);
	probe_prepare(of, PROBE_TEXT_MOST);
	if (probing->nested)
		return false;
	probe_span_begin(of, now);
	if (probing->nested || (probing->span && !probing->began))
		return false;
	probe_recall(of);
	if (of->call->event.before)
		probe_recover(of);
	if (!probe_act(probing->probe, ACT_SHOW))
		return false;
	probing->shows = true;
	probe_server_entered(of);
	if (decided_at_return(of)) {
		struct arguments all = *of->call->event.arguments;

		reveal_all(of, true);
		arguments_keep(&all,
			       of->session->wants.whole_texts ? PROBE_TEXT_MOST
							      : length,
			       options->look.array_length);
		interest_keep(of->session->condition,
			      of->call->event.arguments);
		reveal_all(of, false);
		return false;
	}
	reveal_shown(of);
	probing->told = true;
	return true;
}

/* ---- what became of it ---- */

static void
tell(struct probed *of, uint64_t now)
{
	struct probing *probing = of->probing;
	bool held = !probing->told;

	if (!probing->shows || (held && !reveal_shown(of)))
		return;
	probes_take_outcome(&of->call->event, &probing->outcome);
	transactions_query_over(of->session, of->record->thread->process->pid,
				of->record->thread->tid, of->call, &held, now);
}

/* Has the call begun a query that continues? It has if the call passed inside
 * the program and another call of its query has returned now. */
static bool
has_begun(struct probed *of, const struct act *begin)
{
	const struct ended_inside *ended = report_open(of->call)->ended;

	return (ended && ended->changed) || probe_holds(of, begin);
}

/* True if the call has begun a span that is still open: then the span keeps the
 * call. */
static bool
goes_on(struct probed *of)
{
	struct probing *probing = of->probing;
	const struct act *act = probe_act(probing->probe, ACT_BEGIN);

	if (of->call->event.end == CALL_RETURNED && has_begun(of, act)) {
		probing->span->inside = of->call->event.duration;
		probing->span->user = of->call;
		probing->span->beginner = NULL;
		if (!act->inside)
			held_await(&of->record->thread->held);
		/* What is shown of the call is decided now, because this needs
		 * the thread that has made the call. */
		probing->shows = reveal_shown(of);
		return true;
	}
	probes_take_span(&probing->outcome, probing->span);
	spans_end(&of->session->memory->spans, probing->span);
	probing->span = NULL;
	return false;
}

/* A probe that has a connection, but neither begins nor ends a query, ends the
 * connection. */
static void
forget_connection(struct probed *of)
{
	const struct probe *probe = of->probing->probe;
	struct event_outcome outcome = { 0 };

	if (!of->session->transactions || !probe_act(probe, ACT_TRANSACTION) ||
	    probe_act(probe, ACT_SHOW) || probe_act(probe, ACT_END))
		return;
	probe_outcome(of, &of->call->arena, &outcome);
	transactions_closed(of->session, of->record->thread->process->pid,
			    outcome.connection, CALL_RETURNED);
}

bool
probes_leave(struct probed *of, uint64_t now)
{
	struct probing *probing = of->probing;

	if (of->call->event.end == CALL_RETURNED) {
		probe_span_seen(of);
		if (probing->nested) {
			probe_remember(of, now);
			return false;
		}
		if (probing->shows) {
			probe_server_connected(of);
			probe_outcome(of, &of->call->arena, &probing->outcome);
		}
		probe_span_returned(of, now);
		probe_remember(of, now);
		forget_connection(of);
	}
	if (probing->nested)
		return false;
	/* What follows the call may have been left out, so the time of the
	 * query is not known. */
	if (probing->cut && of->call->event.end == CALL_RETURNED)
		of->call->event.end = CALL_UNFINISHED;
	if (probing->began && probing->span && goes_on(of))
		return true;
	if (!probing->began || probing->ended || !probing->span)
		tell(of, now);
	return false;
}

static void
probes_end(struct program *program, enum call_end how)
{
	struct session *session = program->session;
	struct call_span *span;
	struct str key;

	if (!session->memory)
		return;
	str_init(&key);
	probe_key_begin(program, &key);
	while ((span = spans_beginning(&session->memory->spans,
				       str_text(&key))))
		probes_tell_span(session, span, probe_span_lost(span, how),
				 session_now(session));
	handles_forget(&session->memory->handles, str_text(&key));
	str_release(&key);
}

/* The call has not returned. If it belongs to a span that another call began,
 * it does not lead to that span any more. */
static void
forget_span(const struct call *call)
{
	struct probing *probing = probes_probing(call);

	if (probing && !probing->began)
		probing->span = NULL;
}

/* The spans end, so no call may refer to them any more. Calls of a suspended
 * coroutine are in calls->away. */
static void
forget_spans(struct session *session)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&session->records, &cursor, NULL, &item)) {
		const struct calls *calls =
			&((struct thread_record *)item)->calls;

		for (size_t i = 0; i < calls->live.count; i++)
			forget_span(calls->live.at[i]);
		for (size_t i = 0; i < calls->away.count; i++)
			forget_span(calls->away.at[i]);
	}
}

/* A call that has begun a span and has not returned is told when it returns.
 * This function is called for each program, so it does not matter that it marks
 * the calls of all programs. */
static void
probes_cut(struct program *program)
{
	struct memory *memory = program->session->memory;

	if (!memory)
		return;
	forget_spans(program->session);
	list_each(link, after, &memory->spans.open) {
		struct probing *beginner =
			list_item(link, struct call_span, link)->beginner;

		if (beginner)
			beginner->cut = true;
	}
	memory->cut = true;
	probes_end(program, CALL_UNFINISHED);
}

bool
probes_open(const struct session *session)
{
	size_t cursor = 0;
	void *record;

	if (session->memory && session->memory->spans.count > 0)
		return true;
	while (map_next(&session->records, &cursor, NULL, &record))
		if (((struct thread_record *)record)->thread->held.awaited > 0)
			return true;
	return false;
}

const struct life probes_life = { .ends = probes_end, .cut = probes_cut };
