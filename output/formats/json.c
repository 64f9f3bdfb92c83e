/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace as JSON Lines: one object per line, one line per event.
 * docs/JSON.md describes the objects, and docs/json-schema.json is the
 * description for programs.
 *
 * A call is one object, written when the call ends, with its arguments, its
 * result and its duration, so that a reader need not join lines: jq's
 * select(.duration > 1) is enough. Lines are therefore in the order in which
 * calls ended. "time" is when they began.
 *
 * The arguments are written at the return too, from the memory that was
 * captured at the entry, because some are known only at the return. EVENT_ENTRY
 * reads what they will need.
 */
#include "output/sink.h"

#include "base/str.h"
#include "base/xmalloc.h"
#include "output/formats/jsonvalue.h"
#include "output/growth_line.h"
#include "output/jsonw.h"
#include "output/left_out.h"
#include "output/out.h"
#include "output/query.h"
#include "output/signame.h"
#include "stacks/languages.h"
#include "values/fetch.h"
#include "values/visit.h"

#include <stdlib.h>
#include <string.h>

struct json_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	struct str text;
};

static void
add_text(struct jsonw *json, const char *key, const char *text)
{
	if (!text)
		return;
	jsonw_key(json, key);
	jsonw_text(json, text, strlen(text));
}

static void
add_argument(struct json_sink *sink, struct jsonw *json,
	     const struct argument *argument)
{
	bool both = argument->when == PARAM_AT_BOTH && argument->after;
	struct look look = *sink->look;

	if (argument_hidden(argument))
		return;
	look.string_length = argument_text_most(argument, look.string_length);
	jsonw_open(json, '{');
	add_text(json, "name", argument->name);
	jsonvalue_members(json,
			  both ? &argument->value : argument_value(argument),
			  argument->bound, 0, &look);
	add_text(json, "file", argument->file);
	if (both) {
		jsonw_key(json, "after");
		jsonw_open(json, '{');
		jsonvalue_members(json, argument->after, argument->bound, 0,
				  &look);
		jsonw_close(json, '}');
	}
	jsonw_close(json, '}');
}

static void
add_arguments(struct json_sink *sink, struct jsonw *json,
	      const struct event_call *call)
{
	const struct arguments *arguments = call->arguments;

	if (!arguments)
		return;
	jsonw_key(json, "arguments");
	jsonw_open(json, '[');
	for (size_t i = 0; i < arguments->count; i++)
		add_argument(sink, json, &arguments->at[i]);
	jsonw_close(json, ']');
	if (!arguments->proto && (call->entry || call->return_address)) {
		jsonw_key(json, "guessed");
		jsonw_bool(json, true);
	}
}

static void
add_result(struct json_sink *sink, struct jsonw *json,
	   const struct event_call *call)
{
	if (!call->result || value_hidden(call->result))
		return;
	jsonw_key(json, "result");
	jsonw_open(json, '{');
	jsonvalue_members(json, call->result, false, call->error_number,
			  sink->look);
	add_text(json, "file", call->result_file);
	jsonw_close(json, '}');
}

static void
add_frame(struct jsonw *json, const struct frame *frame)
{
	jsonw_open(json, '{');
	jsonw_key(json, "kind");
	jsonw_ascii(json, frame_kind_name(frame->kind));
	add_text(json, "function", frame->function);
	add_text(json, "file", frame->file);
	if (frame->line) {
		jsonw_key(json, "line");
		jsonw_unsigned(json, frame->line);
	}
	add_text(json, "module", frame->module);
	if (frame->kind == FRAME_NATIVE && frame->pc) {
		jsonw_key(json, "address");
		jsonw_address(json, frame->pc - frame->base);
	}
	jsonw_close(json, '}');
}

static void
add_skipped(struct jsonw *json, const struct event_call *call)
{
	if (call->skipped_count == 0)
		return;
	jsonw_key(json, "skipped");
	jsonw_open(json, '[');
	for (unsigned i = 0; i < call->skipped_count; i++) {
		jsonw_open(json, '{');
		add_text(json, "package", call->skipped[i].package);
		jsonw_key(json, "frames");
		jsonw_unsigned(json, call->skipped[i].count);
		jsonw_close(json, '}');
	}
	jsonw_close(json, ']');
}

static void
add_frames(struct jsonw *json, const struct event_call *call)
{
	if (call->frame_count == 0 && !call->frames_partial)
		return;
	add_skipped(json, call);
	jsonw_key(json, "frames");
	jsonw_open(json, '[');
	for (unsigned i = 0; i < call->frame_count; i++)
		add_frame(json, &call->frames[i]);
	jsonw_close(json, ']');
	if (call->frames_partial) {
		jsonw_key(json, "partial");
		jsonw_bool(json, true);
	}
	if (call->frames_apart) {
		jsonw_key(json, "apart");
		jsonw_unsigned(json, call->frames_apart);
	}
}

static void
add_query(struct jsonw *json, const struct event_call *call)
{
	struct str id = { 0 };
	uint32_t number;

	if (call->bare && query_call_id(call, &number)) {
		query_add_id(&id, number);
		add_text(json, "query", str_text(&id));
	}
	str_release(&id);
}

static void
add_place(struct jsonw *json, const struct event_call *call)
{
	add_text(json, "name", call->name);
	if (strcmp(call->name, call->display) != 0)
		add_text(json, "display", call->display);
	add_text(json, "module", call->module);
	add_text(json, "caller", call->caller);
	jsonw_key(json, "depth");
	jsonw_unsigned(json, call->depth);
	/* A query that was read from a connection has no function. A system
	 * call has no function in the program. */
	if (call->entry) {
		jsonw_key(json, "address");
		jsonw_address(json, call->entry);
	}
	if (call->return_address) {
		jsonw_key(json, "return_address");
		jsonw_address(json, call->return_address);
	}
}

static void
add_outcome(struct jsonw *json, const struct event_outcome *outcome)
{
	if (!outcome)
		return;
	if (outcome->failed) {
		jsonw_key(json, "failure");
		jsonw_open(json, '{');
		if (outcome->has_code) {
			jsonw_key(json, "code");
			jsonw_signed(json, outcome->code);
		}
		add_text(json, "state", outcome->state);
		add_text(json, "message", outcome->message);
		jsonw_close(json, '}');
	}
	if (outcome->has_rows) {
		jsonw_key(json, "rows");
		jsonw_signed(json, outcome->rows);
	}
	if (outcome->has_bytes) {
		jsonw_key(json, "bytes");
		jsonw_unsigned(json, outcome->bytes);
	}
}

/* Adds the time to the first part of the answer and the time of fetching, which
 * are parts of the duration; and the program's own time between, which is no
 * part of it. */
static void
add_parts(struct jsonw *json, const struct event_call *call)
{
	const struct event_outcome *outcome = call->outcome;

	if (!outcome || !outcome->has_first)
		return;
	jsonw_key(json, "first");
	jsonw_seconds(json, event_shown(event_first(outcome, call->duration)));
	jsonw_key(json, "fetching");
	jsonw_seconds(json, (uint64_t)event_fetching(outcome, call->duration));
	if (outcome->between_wall > 0) {
		jsonw_key(json, "between");
		jsonw_seconds(json, (uint64_t)outcome->between);
		jsonw_key(json, "between_wall");
		jsonw_seconds(json, outcome->between_wall);
	}
}

static void
add_times(struct jsonw *json, const struct event_call *call)
{
	jsonw_key(json, "duration");
	jsonw_seconds(json, event_shown(call->duration));
	jsonw_key(json, "wall");
	jsonw_seconds(json, call->wall);
	jsonw_key(json, "uncertainty");
	jsonw_seconds(json, call->uncertainty);
}

static void
add_server(struct jsonw *json, const struct event_server *server)
{
	if (!server)
		return;
	if (server->address)
		add_text(json, "server", server->address);
	if (server->address && server->port) {
		jsonw_key(json, "port");
		jsonw_unsigned(json, server->port);
	}
	if (server->database)
		add_text(json, "namespace", server->database);
}

static void
add_call(struct json_sink *sink, struct jsonw *json,
	 const struct event_call *call)
{
	static const char *const ends[] = {
		[CALL_RETURNED] = "returned",
		[CALL_UNWOUND] = "unwound",
		[CALL_UNFINISHED] = "unfinished",
		[CALL_NO_RETURN] = "no-return",
		[CALL_ENTRY_ONLY] = "entry-only",
	};

	jsonw_key(json, "id");
	jsonw_unsigned(json, call->id);
	add_place(json, call);
	add_query(json, call);
	if (call->request) {
		jsonw_key(json, "request");
		jsonw_unsigned(json, call->request);
	}
	if (call->injected) {
		jsonw_key(json, "injected");
		jsonw_bool(json, true);
	}
	if (call->delayed) {
		jsonw_key(json, "delayed");
		jsonw_bool(json, true);
	}
	if (call->transaction) {
		jsonw_key(json, "transaction");
		jsonw_unsigned(json, call->transaction);
		jsonw_key(json, "idle");
		jsonw_seconds(json, (uint64_t)call->idle);
	}
	if (call->before) {
		jsonw_key(json, "before");
		jsonw_bool(json, true);
	}
	add_server(json, call->server);
	add_frames(json, call);
	add_arguments(sink, json, call);
	jsonw_key(json, "end");
	jsonw_ascii(json, ends[call->end]);
	add_result(sink, json, call);
	add_outcome(json, call->outcome);
	if (call->end == CALL_ENTRY_ONLY)
		return;
	add_parts(json, call);
	if (call->inside) {
		jsonw_key(json, "inside");
		jsonw_seconds(json, event_shown(call->inside));
	}
	add_times(json, call);
}

static void
add_request(struct jsonw *json, const struct event *event)
{
	jsonw_key(json, "request");
	jsonw_unsigned(json, event->request->id);
	if (event->request->function) {
		add_text(json, "function", event->request->function);
		add_text(json, "file", event->request->file);
	} else {
		add_text(json, "method", event->request->method);
		add_text(json, "path", event->request->path);
	}
	if (event->request->trace) {
		add_text(json, "trace", event->request->trace->id);
		add_text(json, "parent", event->request->trace->parent);
	}
	if (event->request->unfinished) {
		jsonw_key(json, "unfinished");
		jsonw_bool(json, true);
	}
	add_times(json, event->call);
}

static void
add_transaction(struct jsonw *json, const struct event *event)
{
	const struct event_transaction *transaction = event->transaction;

	jsonw_key(json, "transaction");
	jsonw_unsigned(json, transaction->id);
	if (transaction->before) {
		jsonw_key(json, "before");
		jsonw_bool(json, true);
	}
	jsonw_key(json, "end");
	jsonw_ascii(json, query_transaction_end(transaction->end));
	jsonw_key(json, "queries");
	jsonw_unsigned(json, transaction->queries);
	jsonw_key(json, "database");
	jsonw_seconds(json, event_shown(transaction->time));
	jsonw_key(json, "idle");
	jsonw_seconds(json, (uint64_t)transaction->idle);
	add_times(json, event->call);
}

static void
add_signal(struct jsonw *json, int number)
{
	struct str name = { 0 };

	jsonw_key(json, "signal");
	jsonw_signed(json, number);
	jsonw_key(json, "name");
	signame_add(&name, number);
	jsonw_text(json, name.text, name.length);
	str_release(&name);
}

static void
add_growth(struct jsonw *json, const struct event *event)
{
	struct str where = { 0 };

	add_text(json, "growth", event->text);
	growth_line_add(&where, event->call);
	add_text(json, "where", str_text(&where));
	str_release(&where);
	jsonw_key(json, "bytes");
	jsonw_unsigned(json, event->weight);
	jsonw_key(json, "watched");
	jsonw_double(json, event->seen);
	jsonw_key(json, "window");
	jsonw_unsigned(json, event->window);
	add_frames(json, event->call);
}

static void
add_unwatched(struct jsonw *json, const struct event *event)
{
	jsonw_key(json, "duration");
	jsonw_seconds(json, event->weight);
	if (event->change != EVENT_CHANGE_UNKNOWN) {
		jsonw_key(json, "change");
		jsonw_signed(json, event->change);
	}
	jsonw_key(json, "extrapolated");
	jsonw_bool(json, event->extrapolated);
}

static void
add_left_out(struct jsonw *json, const struct event_left_out *what)
{
	const struct left_out_row row = { .name = (char *)what->name,
					  .looked = what->looked,
					  .left = what->left,
					  .breaks = what->breaks };

	jsonw_key(json, "out");
	jsonw_bool(json, what->out);
	if (what->last) {
		jsonw_key(json, "last");
		jsonw_bool(json, true);
	}
	left_out_add_members(json, &row);
}

static void
add_details(struct json_sink *sink, struct jsonw *json,
	    const struct event *event)
{
	switch (event->kind) {
	case EVENT_RETURN:
		add_call(sink, json, event->call);
		break;
	case EVENT_SIGNAL:
	case EVENT_KILLED:
		add_signal(json, event->number);
		break;
	case EVENT_STACK:
		add_text(json, "name", event->text);
		add_text(json, "state", event->state);
		add_frames(json, event->call);
		break;
	case EVENT_REQUEST_END:
		add_request(json, event);
		break;
	case EVENT_TRANSACTION_END:
		add_transaction(json, event);
		break;
	case EVENT_SAMPLE:
		if (event->text)
			add_text(json, "name", event->text);
		jsonw_key(json, "weight");
		jsonw_seconds(json, event->weight);
		add_frames(json, event->call);
		break;
	case EVENT_GROWTH:
		add_growth(json, event);
		break;
	case EVENT_UNWATCHED:
		add_unwatched(json, event);
		break;
	case EVENT_TAMPERING:
		add_text(json, "change", event->text);
		break;
	case EVENT_LEFT_OUT:
		add_left_out(json, event->left_out);
		break;
	case EVENT_EXITED:
		jsonw_key(json, "status");
		jsonw_signed(json, event->number);
		break;
	default:
		add_text(json, "path", event->text);
	}
}

static const char *const names[] = {
	[EVENT_RETURN] = "call",
	[EVENT_SIGNAL] = "signal",
	[EVENT_EXEC] = "exec",
	[EVENT_START] = "start",
	[EVENT_LEAVE] = "leave",
	[EVENT_EXITED] = "exited",
	[EVENT_KILLED] = "killed",
	[EVENT_THREAD_START] = "thread-start",
	[EVENT_THREAD_END] = "thread-end",
	[EVENT_STACK] = "stack",
	[EVENT_REQUEST_END] = "request",
	[EVENT_TRANSACTION_END] = "transaction",
	[EVENT_SAMPLE] = "sample",
	[EVENT_TAMPERING] = "inject",
	[EVENT_GROWTH] = "growth",
	[EVENT_UNWATCHED] = "unwatched",
	[EVENT_LEFT_OUT] = "left-out",
};

static void
print(struct json_sink *sink, const struct event *event)
{
	bool call = event->kind == EVENT_RETURN ||
		    event->kind == EVENT_REQUEST_END ||
		    event->kind == EVENT_TRANSACTION_END;
	uint64_t when = call ? event->call->began : event->when;
	struct jsonw json;

	str_clear(&sink->text);
	jsonw_init(&json, &sink->text);
	jsonw_open(&json, '{');
	jsonw_key(&json, "event");
	jsonw_ascii(&json, names[event->kind]);
	jsonw_key(&json, "time");
	jsonw_seconds(&json, when + sink->look->epoch_offset);
	jsonw_key(&json, "pid");
	jsonw_signed(&json, event->pid);
	jsonw_key(&json, "tid");
	jsonw_signed(&json, event->tid);
	add_details(sink, &json, event);
	jsonw_close(&json, '}');
	str_add_char(&sink->text, '\n');
	out_write(sink->out, sink->text.text, sink->text.length);
}

static void
json_event(struct sink *base, const struct event *event)
{
	struct json_sink *sink = container_of(base, struct json_sink, sink);
	const struct look *look = sink->look;

	if (event->kind == EVENT_ENTRY) {
		if (event->call->arguments)
			arguments_keep(event->call->arguments,
				       look->string_length, look->array_length);
		if (event->call->bare)
			query_keep(event->call);
		return;
	}
	if (event->kind == EVENT_CHILD_RETURN ||
	    event->kind == EVENT_IN_FLIGHT || event->kind == EVENT_REQUEST ||
	    event->kind == EVENT_REQUEST_TRACE ||
	    event->kind == EVENT_REQUEST_THREAD ||
	    (event->kind == EVENT_SIGNAL && look->hide_signals) ||
	    (event->kind == EVENT_LEFT_OUT && event->left_out->sums))
		return;
	if (event->kind == EVENT_RETURN &&
	    event_longest(event->call) < look->min_duration)
		return;
	print(sink, event);
}

static void
json_close(struct sink *base)
{
	struct json_sink *sink = container_of(base, struct json_sink, sink);

	str_release(&sink->text);
	free(sink);
}

static const struct sink_ops ops = {
	.name = "json",
	.stream = true,
	.gaps = true,
	.skips_brief = true,
	.servers = true,
	.event = json_event,
	.close = json_close,
};

struct sink *
json_sink_new(const struct look *look, struct out *out)
{
	struct json_sink *sink = xcalloc(1, sizeof(*sink));

	sink->sink.ops = &ops;
	sink->look = look;
	sink->out = out;
	str_init(&sink->text);
	return &sink->sink;
}
