/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	mysql_real_query ---- returns: answered ----> mysql_store_result
 *	|<--------- head --------->|                  |<---- rest ---->|
 *
 * A span that was answered has a head and a rest. The head is measured once.
 * Each later call of the span, and each read of its connection outside of such
 * calls, adds its own time to the rest. A span without an answer, as that of
 * PQsendQuery(), lasts from its beginning to its end; one that is begun
 * `inside` lasts as long as its calls together.
 *
 * While a call that began a span has not returned, span->beginner is set; from
 * then on span->user.
 */
#include "tracer/queries/probe_spans.h"

#include "conf/model/lens.h"
#include "tracer/queries/poll_traps.h"
#include "tracer/queries/probe_scope.h"
#include "values/fetch.h"

#include <string.h>

static bool
find_span(struct probed *of, const struct act *act, struct call_span **ret_span)
{
	struct str key;

	*ret_span = NULL;
	str_init(&key);
	if (act && probe_key(of, act, &key))
		*ret_span = spans_oldest(&of->session->memory->spans,
					 str_text(&key));
	str_release(&key);
	return *ret_span != NULL;
}

/* ---- begin ---- */

/* Adds the rows that the linked object, such as a result, has received. The
 * object is asked at an entry, because it may be freed at the return. */
static void
take_rows(struct probed *of, struct call_span *span)
{
	const struct span_alias *alias = spans_alias(span);
	const struct act *link = alias ? alias->why : NULL;
	int64_t rows;

	if (!link || !link->rows ||
	    !probe_call(of, link->rows, alias->linked[1], &rows) || rows < 0)
		return;
	span->has_rows = true;
	span->rows = alias->rows + rows;
}

/* The handle to which the key of the act leads: an ACT_LINK of the probe says
 * it. 0: none. */
static uint64_t
linked_handle(struct probed *of, const struct act *act)
{
	const struct act *link = probe_act(of->probing->probe, ACT_LINK);
	uint64_t handle;

	return link && !strcmp(link->from->table, act->table) &&
			       probe_count(of, link->keys[0], &handle)
		       ? handle
		       : 0;
}

static void
open_span(struct probed *of, const struct act *act, const char *key,
	  uint64_t now)
{
	struct spans *spans = &of->session->memory->spans;
	struct probing *probing = of->probing;
	struct call_span *open = spans_oldest(spans, key);

	for (; act->anew && open && open->answered;
	     open = spans_oldest(spans, key)) {
		take_rows(of, open);
		probes_tell_span(of->session, open, CALL_RETURNED, now);
	}
	if (act->inside && open) {
		probing->span = open;
		return;
	}
	probing->span = spans_begin(spans, key, now);
	probing->began = probing->span != NULL;
	if (!probing->began)
		return;
	probing->span->beginner = probing;
	probing->span->linked = linked_handle(of, act);
}

/* ---- after queries were left out ---- */

/* Makes the key of the note that a statement was seen at its beginning. */
static bool
seen_key(struct probed *of, const struct act *act, struct str *key)
{
	struct act seen = *act;

	seen.table = "seen";
	return probe_key(of, &seen, key);
}

/* SQLite tells whether a statement has rows that were not fetched. */
#define IS_BUSY "sqlite3_stmt_busy"

/* Does the library itself know whether the query of the act is under way? */
static bool
library_knows(struct probed *of, const struct act *act, bool *ret_midway)
{
	uint64_t statement;
	int64_t busy;

	if (!probe_count(of, act->keys[0], &statement) ||
	    !probe_call(of, IS_BUSY, statement, &busy))
		return false;
	*ret_midway = busy != 0;
	return true;
}

/* Is the call perhaps in the middle of a query that began while queries were
 * left out (--budget)? The time of such a query is not completely known. */
static bool
is_midway(struct probed *of, const struct act *act)
{
	struct memory *memory = of->session->memory;
	struct handle_text text;
	struct call_span *span;
	bool midway = false;
	struct str key;

	if (!memory->cut || !act->inside || find_span(of, act, &span))
		return false;
	if (library_knows(of, act, &midway))
		return midway;
	str_init(&key);
	if (seen_key(of, act, &key))
		midway = !handles_recall(&memory->handles, str_text(&key),
					 &text);
	str_release(&key);
	return midway;
}

/* The act has found a statement that is at its beginning now. */
static void
note_seen(struct probed *of, const struct act *act)
{
	static const struct handle_text seen = { .bytes = "-",
						 .length = 1,
						 .lens = LENS_PLAIN };
	struct str key;

	str_init(&key);
	if (seen_key(of, act, &key))
		handles_keep(&of->session->memory->handles, str_text(&key),
			     &seen);
	str_release(&key);
}

void
probe_span_seen(struct probed *of)
{
	const struct act *keeps = probe_act(of->probing->probe, ACT_KEEP);
	const struct act *ends = probe_act(of->probing->probe, ACT_END);

	if (!of->session->memory->cut)
		return;
	if (keeps && probe_holds(of, keeps))
		note_seen(of, keeps);
	if (ends && probe_ends(of))
		note_seen(of, ends);
}

void
probe_span_begin(struct probed *of, uint64_t now)
{
	const struct act *act = probe_act(of->probing->probe, ACT_BEGIN);
	struct call_span *ending;
	struct str key;

	if (find_span(of, probe_act(of->probing->probe, ACT_END), &ending))
		take_rows(of, ending);
	if (!act)
		return;
	if (is_midway(of, act)) {
		of->probing->nested = true;
		return;
	}
	str_init(&key);
	if (probe_key(of, act, &key))
		open_span(of, act, str_text(&key), now);
	str_release(&key);
}

/* ---- the answer ---- */

static bool
began_it(const struct probed *of, const struct call_span *span)
{
	return of->probing->began && of->probing->span == span;
}

/* Measures the time from the beginning of the span to now. */
static struct event_call *
measure(struct session *session, struct call_span *span, uint64_t now)
{
	struct call *call = span->user;
	struct thread *thread;

	if (!call)
		return NULL;
	thread = table_thread(&session->table, report_open(call)->tid);
	session_measure(session, thread, now, &call->event);
	return &call->event;
}

static struct span_time
time_of(const struct event_call *event)
{
	return (struct span_time){ event->duration, event->wall,
				   event->uncertainty, event->older };
}

/* If the query was begun inside the program, the reads of its answer may not
 * have been seen. Then it is not known when the answer began. */
static bool
reads_unseen(const struct probed *of, const struct call_span *span)
{
	const struct call *call = span->user;
	const struct probing *beginner = began_it(of, span) ? of->probing
					 : call ? probes_probing(call)
						: NULL;

	return beginner && beginner->outcome.unseen && !span->has_first;
}

/* Has this call brought the beginning of the answer? */
static bool
answer_span(struct probed *of, uint64_t now)
{
	const struct act *act = probe_act(of->probing->probe, ACT_ANSWERED);
	const struct event_call *event = &of->call->event;
	struct call_span *span = of->probing->span;

	if (!act || !probe_holds(of, act))
		return false;
	if (!of->probing->began && !find_span(of, act, &span))
		return false;
	if (!span || span->answered)
		return false;
	if (!began_it(of, span))
		event = measure(of->session, span, now);
	if (!event)
		return false;
	span->head = time_of(event);
	span->answered = true;
	if (reads_unseen(of, span))
		return true;
	if (!span->has_first)
		span->first = span->head.duration;
	span->has_first = true;
	return true;
}

/* The first part of the answer is there. The call that began the span may still
 * be running. */
static void
take_first(struct session *session, struct call_span *span, uint64_t now)
{
	const struct probing *beginner = span->beginner;
	const struct call *call = span->user;
	struct event_call event;

	if (!call && beginner)
		call = beginner->call;
	if (!call || span->has_first)
		return;
	event = call->event;
	session_measure(session,
			table_thread(&session->table, report_open(call)->tid),
			now, &event);
	span->has_first = true;
	span->first = event.duration;
}

void
probe_span_read(struct session *session, struct call_span *span,
		const struct span_time *time, uint64_t bytes, uint64_t now)
{
	span->bytes += bytes;
	span->has_bytes = true;
	take_first(session, span, now);
	if (span->answered && time) {
		span->apart = true;
		spans_add(span, *time);
		span->inside += time->duration;
		(void)measure(session, span, now);
	}
}

/* ---- the end ---- */

/* Shows the arguments that are shown only if the span failed. */
static void
show_failed(struct call *call, struct probing *probing)
{
	const struct probe *probe = probing->probe;

	for (size_t i = 0; i < probe->count; i++) {
		const struct act *act = &probe->acts[i];
		struct argument *argument;

		if (act->kind != ACT_SHOW || !act->on_error)
			continue;
		argument = probe_argument(call->event.arguments, act);
		if (argument)
			argument->hidden = false;
		probing->shows = true;
	}
}

/* Is the span more than its calls? If so, the time between its calls belongs to
 * it until it is answered, and is told apart after that. */
static bool
is_one_piece(const struct call_span *span)
{
	const struct call *call = span->user;
	const struct probing *probing = call ? probes_probing(call) : NULL;

	return probing && !probe_act(probing->probe, ACT_BEGIN)->inside;
}

/* A query of the connection is over. The next one may have been sent before
 * that. The server answers in order, so it begins with the next query only now:
 * sets the beginning of its call to now. */
static void
begin_next(struct session *session, struct call_span *next, uint64_t now)
{
	struct call *call = next ? next->user : NULL;
	struct thread *thread;

	if (!call || next->answered || !is_one_piece(next))
		return;
	thread = table_thread(&session->table, report_open(call)->tid);
	if (thread)
		session_begin_time(session, thread, now, &call->event);
}

/* Ends a span that another call began, and tells the sinks. */
static void
finish_span(struct probed *of, const struct act *act, struct call_span *span,
	    uint64_t now)
{
	struct call *call = span->user;
	struct probing *probing = call ? probes_probing(call) : NULL;
	struct call_span *next;

	if (probing && !probing->outcome.result &&
	    (!span->answered || !is_one_piece(span)))
		probing->outcome.result =
			probe_copy_value(&call->arena, of->call->event.result);
	if (probing && probing->outcome.failed)
		show_failed(call, probing);
	probes_tell_span(of->session, span, CALL_RETURNED, now);
	if (find_span(of, act, &next))
		begin_next(of->session, next, now);
}

/* Does the act use the same table of links as the act that linked the span? */
static bool
is_linked(const struct span_alias *alias, const struct act *act)
{
	const struct act *link = alias ? alias->why : NULL;

	return link && !strcmp(act->table, link->table);
}

/* An object with which the span was linked, such as a result, is about to be
 * freed. Will the query have another such object? */
static bool
more_to_come(struct probed *of, struct call_span *span, const struct act *act)
{
	const struct span_alias *alias = spans_alias(span);
	const struct act *link;
	uint64_t first;
	int64_t more = 0;

	if (!is_linked(alias, act))
		return false;
	link = alias->why;
	first = alias->linked[0];
	spans_unlink(span);
	return link->name && probe_call(of, link->name, first, &more) &&
	       more != 0;
}

/* A call of the span has returned: does it end the span? */
static void
end_span(struct probed *of, bool answered_now, uint64_t now)
{
	const struct act *act = probe_act(of->probing->probe, ACT_END);
	struct probing *probing = of->probing;
	struct call_span *span;

	if (!find_span(of, act, &span))
		return;
	if (!began_it(of, span)) {
		struct call *call = span->user;

		span->inside += of->call->event.duration;
		if (span->answered && !answered_now) {
			spans_add(span, time_of(&of->call->event));
			span->apart |= is_one_piece(span);
			(void)measure(of->session, span, now);
		}
		if (call)
			probe_outcome(of, &call->arena,
				      &probes_probing(call)->outcome);
	}
	if (!probe_ends(of) || more_to_come(of, span, act))
		return;
	if (began_it(of, span)) {
		probes_take_span(&probing->outcome, span);
		probing->ended = true;
		probing->span = NULL;
		spans_end(&of->session->memory->spans, span);
	} else {
		finish_span(of, act, span, now);
	}
}

static void
link_span(struct probed *of)
{
	const struct act *act = probe_act(of->probing->probe, ACT_LINK);
	struct span_alias alias = { .why = act };
	struct call_span *span;
	struct str key;

	if (!act || !probe_holds(of, act) || !find_span(of, act->from, &span))
		return;
	str_init(&key);
	if (probe_key(of, act, &key) &&
	    probe_count(of, act->from->keys[0], &alias.linked[0]) &&
	    probe_count(of, act->keys[0], &alias.linked[1])) {
		alias.rows = span->rows;
		spans_link(span, str_text(&key), &alias);
	}
	str_release(&key);
}

/* The key is the result of the call (PQconnectStart() returns the connection):
 * the span began when the call did. */
static void
begin_late(struct probed *of)
{
	const struct act *act = probe_act(of->probing->probe, ACT_BEGIN);
	struct str key;

	if (!act || of->probing->span || !probe_holds(of, act))
		return;
	str_init(&key);
	if (probe_key(of, act, &key))
		open_span(of, act, str_text(&key), of->call->event.began);
	str_release(&key);
}

void
probe_span_returned(struct probed *of, uint64_t now)
{
	bool answered_now;

	begin_late(of);
	answered_now = answer_span(of, now);
	end_span(of, answered_now, now);
	link_span(of);
	if (answered_now)
		poll_traps_plant(of->program);
}

enum call_end
probe_span_lost(const struct call_span *span, enum call_end how)
{
	return span->answered && how == CALL_NO_RETURN ? CALL_RETURNED : how;
}
