/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A prepare is shown only if it fails, as with probes: the prepared query is
 * shown when it runs. The bytes of an event live until the sinks have read it.
 */
#include "tracer/queries/wire.h"

#include "base/clock.h"
#include "base/xmalloc.h"
#include "conf/model/probe.h"
#include "process/regs.h"
#include "protocols/texts.h"
#include "tracer/model/say.h"
#include "tracer/plan/sets.h"
#include "tracer/queries/connecting.h"
#include "tracer/queries/probes.h"
#include "tracer/queries/transactions.h"
#include "tracer/queries/wire_query.h"
#include "tracer/queries/wire_server.h"
#include "tracer/report/report.h"
#include "tracer/report/statements.h"
#include "tracer/report/where.h"
#include "values/fetch.h"

#include <string.h>

/* After so many texts in succession that no coroutine had, the coroutines of
 * other loops than uvloop are not walked any more. */
#define COROUTINE_MISSES 8

/* ---- events ------------------------------------------------------------- */

static enum transaction_state
state_of(const struct query *query)
{
	static const enum transaction_state states[] = {
		[QUERY_TRANSACTION_UNKNOWN] = TRANSACTION_UNKNOWN,
		[QUERY_TRANSACTION_NONE] = TRANSACTION_NONE,
		[QUERY_TRANSACTION_OPEN] = TRANSACTION_OPEN,
		[QUERY_TRANSACTION_FAILED] = TRANSACTION_FAILED,
	};

	return states[query->transaction];
}

static void
fill_outcome(const struct wire *wire, const struct query *query,
	     struct event_outcome *outcome)
{
	outcome->failed = query->outcome != QUERY_DONE;
	outcome->has_code = query->code != 0;
	outcome->code = query->code;
	outcome->state = query->state[0] ? query->state : NULL;
	outcome->message = query->message[0] ? query->message : NULL;
	if (query->outcome == QUERY_SKIPPED)
		outcome->message = "not run: one before it failed";
	else if (query->outcome == QUERY_LOST)
		outcome->message = wire->broken;
	outcome->has_bytes = query->answered != 0;
	outcome->bytes = query->bytes;
	outcome->has_rows = query->rows_known;
	outcome->rows = (int64_t)query->rows;
	outcome->connection = wire->key;
	outcome->transaction = state_of(query);
}

/* The clock says when the first packet came; the duration is in the thread's
 * own time. */
static void
take_first(const struct query *query, int64_t duration,
	   struct event_outcome *outcome)
{
	int64_t first = (int64_t)(query->answered - query->began);

	if (query->answered < query->began || query->answered > query->ended)
		return;
	outcome->has_first = true;
	/* If the answer was seen only at the end of the query, the whole answer
	 * came at once. */
	if (query->answered == query->ended || first > duration)
		first = duration;
	outcome->first = first;
}

/* ---- when and where a query was sent ------------------------------------ */

struct query_origin {
	struct list link;
	uint64_t number;  /* the number of the query in its connection */
	pid_t tid;	  /* the thread that sent it */
	bool announced;	  /* the sinks know that the query is open */
	bool shown;	  /* the sinks know its beginning: it was sent before
			   * xtrace attached, and all of call is used */
	struct call call; /* only its frames and its own time are used */
};

/* Walks the stack of the thread that has sent the query, or that of the
 * coroutine for which it was sent. */
static void
walk_origin(struct wire *wire, struct call *call)
{
	const struct stack *coroutine = NULL;
	const struct regs *regs;

	if (wire->session->options->stack != STACK_NATIVE &&
	    asker_needed(wire->program, call->return_address) &&
	    (regs = thread_regs(&wire->session->table, wire->record->thread)))
		coroutine = asker_frames(&wire->asker, wire->program, regs,
					 wire->key);
	if (coroutine)
		where_coroutine(wire->program, wire->record, coroutine, call);
	else
		where_returned(wire->program, wire->record, call);
}

static struct query_origin *
keep_origin(struct wire *wire, const struct query *query)
{
	const struct options *options = wire->session->options;
	bool unknown = !query->text && where_unknown_wanted(wire->session);
	struct query_origin *asked = xcalloc(1, sizeof(*asked));

	asked->number = query->number;
	asked->tid = wire->tid;
	/* A query that was sent in pieces began in an earlier call. */
	asked->call.event.began = query->began;
	asked->call.event.began_own =
		wire->event->began_own - (wire->event->began - query->began);
	asked->call.event.began_track =
		wire->event->began_track - (wire->event->began - query->began);
	asked->call.event.began_unsure = wire->event->began_unsure;
	asked->call.event.request = wire->record->request;
	asked->call.event.before = wire->event->before;
	asked->call.return_address = wire->event->return_address;
	arena_init(&asked->call.arena);
	if (wire->coroutine && options->stack != STACK_NATIVE)
		where_coroutine(wire->program, wire->record, wire->coroutine,
				&asked->call);
	else if (wire->blocked)
		where_blocked(wire->program, wire->record, wire->blocked,
			      &asked->call);
	else if ((options->frames > 0 && !options->stack_min_time) || unknown)
		walk_origin(wire, &asked->call);
	list_append(&wire->asked, &asked->link);
	if (wire->serves)
		session_begin_time(wire->session, wire->record->thread,
				   query->began, &asked->call.event);
	else
		held_await(&wire->record->thread->held);
	return asked;
}

/* The thread that sent the query, or NULL. */
static struct thread *
sender_of(const struct wire *wire, const struct query_origin *asked)
{
	return asked ? table_thread(&wire->session->table, asked->tid) : NULL;
}

/* The thread whose own time is the query's; NULL: the time of the clock,
 * because another thread of the server has answered. */
static struct thread *
measuring(const struct wire *wire, const struct query_origin *asked)
{
	return asked && wire->serves && asked->tid != wire->tid
		       ? NULL
		       : sender_of(wire, asked);
}

static struct query_origin *
take_origin(struct wire *wire, const struct query *query)
{
	list_each(link, after, &wire->asked) {
		struct query_origin *asked =
			list_item(link, struct query_origin, link);

		if (asked->number == query->number) {
			list_remove(link);
			return asked;
		}
	}
	return NULL;
}

static void
free_origin(struct query_origin *asked)
{
	if (asked)
		arena_release(&asked->call.arena);
	free(asked);
}

static void
add_place(struct wire *wire, const struct query_origin *asked,
	  struct call *call)
{
	if (asked && asked->call.event.frames) {
		call->event.frames = asked->call.event.frames;
		call->event.frame_count = asked->call.event.frame_count;
		call->event.frames_partial = asked->call.event.frames_partial;
		call->event.frames_apart = asked->call.event.frames_apart;
		call->event.frames_own = asked->call.event.frames_own;
		call->event.skipped = asked->call.event.skipped;
		call->event.skipped_count = asked->call.event.skipped_count;
	} else if (wire->record) {
		call->return_address = wire->event->return_address;
		where_capture_late(wire->program, wire->record, call);
	}
}

/* ---- telling ------------------------------------------------------------ */

/* Fills in when the query began, and its text. */
static void
fill_call(struct wire *wire, const struct query *query,
	  const struct query_origin *asked, struct call *call)
{
	struct event_call *event = &call->event;

	event->name = event->display = protocol_name(wire->protocol);
	event->began = query->began;
	event->began_own = asked ? asked->call.event.began_own : query->began;
	event->began_track =
		asked ? asked->call.event.began_track : query->began;
	event->began_unsure = asked ? asked->call.event.began_unsure : 0;
	event->before = asked && asked->call.event.before;
	event->request = asked ? asked->call.event.request : 0;
	event->bare = true;
	event->arguments = wire_arguments(wire, &call->arena, query);
	event->server = wire_server(wire, &call->arena, query->database);
}

static void
announce(struct wire *wire, const struct query *query,
	 struct query_origin *asked, int64_t elapsed, enum event_kind kind)
{
	struct call call = { 0 };

	arena_init(&call.arena);
	fill_call(wire, query, asked, &call);
	call.event.duration = elapsed;
	add_place(wire, asked, &call);
	report_event(wire->session,
		     &(struct event){ .kind = kind,
				      .when = session_now(wire->session),
				      .track = call.event.began_track,
				      .pid = wire->pid,
				      .tid = asked->tid,
				      .call = &call.event });
	arena_release(&call.arena);
}

void
wire_announce(struct wire *wire, const struct connection *connection,
	      uint64_t least, enum event_kind kind)
{
	const struct session *session = wire->session;

	list_each(link, after, &wire->asked) {
		struct query_origin *asked =
			list_item(link, struct query_origin, link);
		const struct thread *sender = sender_of(wire, asked);
		struct query query;
		int64_t elapsed;

		if ((asked->announced && kind == EVENT_IN_FLIGHT) || !sender)
			continue;
		elapsed = (int64_t)(session_own(session, sender,
						session_now(wire->session)) -
				    asked->call.event.began_own);
		if (elapsed < (int64_t)least)
			continue;
		asked->announced |= kind == EVENT_IN_FLIGHT;
		if (connection_open_query(connection, asked->number, &query) &&
		    query.kind != QUERY_PREPARE)
			announce(wire, &query, asked, elapsed, kind);
	}
}

bool
wire_answers(const struct wire *wire, const struct connection *connection)
{
	list_each(link, after, &wire->asked) {
		const struct query_origin *asked =
			list_item(link, struct query_origin, link);
		struct query query;

		return connection &&
		       connection_open_query(connection, asked->number,
					     &query) &&
		       query.answered != 0;
	}
	return false;
}

/* A query that was sent before xtrace attached may never end: it is shown at
 * once, unless its end decides whether it is. */
static void
show_before(struct wire *wire, const struct query *query,
	    struct query_origin *asked)
{
	struct session *session = wire->session;
	struct call *call = &asked->call;

	if (session->wants.ends)
		return;
	asked->shown = asked->announced = true;
	call->event.id = ++session->counts.begun;
	fill_call(wire, query, asked, call);
	report_tell(session, wire->pid, wire->tid, call, EVENT_ENTRY,
		    call->event.began);
}

static void
fill_end(const struct query *query, struct event_outcome *outcome,
	 struct call *call)
{
	call->event.result = wire_result(call->event.arguments, query);
	call->event.arguments->result = call->event.result;
	take_first(query, call->event.duration, outcome);
	call->event.outcome = outcome;
}

static void
tell(struct wire *wire, const struct query *query, struct query_origin *asked)
{
	struct session *session = wire->session;
	/* If the end of the query is not known, `ended` is 0. */
	bool lost = query->ended < query->began;
	bool ended = !lost || wire->broken, held = !asked || !asked->shown;
	uint64_t now = session_now(session);
	struct event_outcome outcome = { 0 };
	struct call own = { 0 }, *call = held ? &own : &asked->call;

	arena_init(&own.arena);
	fill_outcome(wire, query, &outcome);
	if (held) {
		call->event.id = ++session->counts.begun;
		fill_call(wire, query, asked, call);
	}
	session_measure(session, measuring(wire, asked),
			lost ? now : query->ended, &call->event);
	call->event.end = ended ? CALL_RETURNED : wire->lost;
	if (ended)
		fill_end(query, &outcome, call);
	if (held)
		add_place(wire, asked, call);
	transactions_query_over(session, wire->pid, wire->tid, call, &held,
				now);
	arena_release(&own.arena);
}

static void
began(struct query_listener *listener, const struct query *query)
{
	struct wire *wire = container_of(listener, struct wire, listener);

	struct query_origin *asked =
		wire->record ? keep_origin(wire, query) : NULL;

	if (wire->record)
		wire_seek_server(wire);
	if (asked && wire->blocked)
		show_before(wire, query, asked);
}

static void
ended(struct query_listener *listener, const struct query *query)
{
	struct wire *wire = container_of(listener, struct wire, listener);
	struct query_origin *asked = take_origin(wire, query);
	struct thread *sender = sender_of(wire, asked);

	if (sender && !wire->serves)
		held_answered(&sender->held);
	report_complete(wire->session);
	if (query->kind != QUERY_PREPARE || query->outcome == QUERY_FAILED)
		tell(wire, query, asked);
	free_origin(asked);
}

static void
noticed(struct query_listener *listener, enum query_notice notice)
{
	struct wire *wire = container_of(listener, struct wire, listener);

	wire->compressed |= notice == QUERY_NOTICE_COMPRESSED;
	wire->encrypted |= notice == QUERY_NOTICE_ENCRYPTED;
}

static void
logged_in(struct query_listener *listener, const struct login *login)
{
	struct wire *wire = container_of(listener, struct wire, listener);
	struct connecting *connecting = take(wire->connecting);

	if (connecting)
		connecting_over(connecting, wire, login);
	connecting_free(connecting);
}

/*
 * Looks for the text in the frames of the thread, and then in the frames of the
 * coroutine that awaits the answer: an event loop may send a query after the
 * coroutine has begun to wait. uvloop always does; the loop of asyncio only if
 * the socket is full. Most connections belong to no coroutine, so after some
 * failures only uvloop's are looked for.
 */
static bool
find_text(struct wire *wire, const struct regs *regs,
	  const struct statement *statement, struct statement_text *ret_text)
{
	const struct stack *coroutine;
	bool needed;

	if (statements_text(wire->program, regs, statement, ret_text))
		return true;
	needed = asker_needed(wire->program, wire->event->return_address);
	if (wire->coroutine_misses >= COROUTINE_MISSES && !needed)
		return false;
	coroutine = asker_frames(&wire->asker, wire->program, regs, wire->key);
	if (coroutine &&
	    statements_coroutine_text(wire->program, regs, coroutine, statement,
				      ret_text)) {
		wire->coroutine_misses = 0;
		return true;
	}
	if (!needed)
		wire->coroutine_misses++;
	return false;
}

/* The driver of the script may have the text. */
static struct text *
prepared(struct query_listener *listener, const char *name)
{
	struct wire *wire = container_of(listener, struct wire, listener);
	struct statement_text found;
	struct text *text = NULL;
	struct arena arena;
	const struct statement statement = { .name = name, .arena = &arena };
	const struct regs *regs;
	struct regs here;

	if (!wire->record)
		return NULL;
	regs = thread_regs(&wire->session->table, wire->record->thread);
	if (!regs)
		return NULL;
	/* The thread's pc is already in the slot of the return site, so the
	 * return address is used as the pc. */
	here = *regs;
	regs_set_pc(&here, wire->event->return_address);
	arena_init(&arena);
	if (find_text(wire, &here, &statement, &found))
		text = text_new(found.bytes, found.length, found.whole);
	arena_release(&arena);
	return text;
}

unsigned
wire_protocols(const struct session *session)
{
	unsigned wanted = sets_wire(session->sets);

	return (wanted & WIRE_DATABASES ? PROTOCOLS_DATABASES : 0) |
	       (wanted & WIRE_REDIS ? PROTOCOLS_REDIS : 0) |
	       (wanted & WIRE_MEMCACHED ? PROTOCOLS_MEMCACHED : 0) |
	       (wanted & WIRE_HTTP ? PROTOCOLS_HTTP : 0);
}

unsigned
wire_searched(const struct wire *wire)
{
	return wire_protocols(wire->session) |
	       (wire->connecting ? PROTOCOLS_DATABASES : 0);
}

bool
wire_is_done(const struct wire *wire)
{
	unsigned wanted = wire_protocols(wire->session);

	if (wire->protocol == PROTOCOL_MYSQL ||
	    wire->protocol == PROTOCOL_POSTGRES ||
	    wire->protocol == PROTOCOL_POSTGRES_START)
		wanted &= PROTOCOLS_DATABASES;
	return !wire->connecting && wanted == 0;
}

void
wire_init(struct wire *wire, struct session *session, uint64_t key)
{
	*wire = (struct wire){
		.listener = { .begin = began,
			      .end = ended,
			      .notice = noticed,
			      .prepared = prepared,
			      .login = logged_in,
			      .wants_values = session->options->bind,
			      .wants_query_strings =
				      session->options->query_strings },
		.session = session,
		.key = key,
		.lost = CALL_UNFINISHED,
	};
	list_init(&wire->asked);
}

void
wire_here(struct wire *wire, struct program *program,
	  struct thread_record *record, const struct event_call *event)
{
	wire->pid = record->thread->process->pid;
	wire->tid = record->thread->tid;
	wire->program = program;
	wire->record = record;
	wire->event = event;
}

void
wire_gone(struct wire *wire)
{
	asker_release(&wire->asker);
	wire->program = NULL;
	wire->record = NULL;
	wire->event = NULL;
}

void
wire_closed(struct wire *wire)
{
	transactions_closed(wire->session, wire->pid, wire->key, wire->lost);
}

void
wire_say_compressed(struct wire *wire)
{
	if (say_first(wire->session, "compressed"))
		say("a connection to MySQL is compressed, so what is asked on "
		    "it cannot be read");
}
