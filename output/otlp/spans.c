/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A query belongs to the trace of its request. This is the trace that the
 * request's client has named in the header traceparent; without that header,
 * the request begins a trace. A query without a request belongs to the trace of
 * its transaction, and without a transaction it is a trace of its own. A
 * transaction that has queries of several requests is a trace of its own, too.
 *
 * A span begins when the query began, by the clock. Its length is the duration
 * without what xtrace has added. So a span of a request may end a little before
 * the last of its queries does.
 *
 * Texts of queries and messages of errors may contain values. Therefore a span
 * has the fingerprint of its query, and no message. With --bind it has the text
 * and the message as they are.
 */
#include "output/otlp/spans.h"

#include "output/frames.h"
#include "output/otlp/attributes.h"
#include "output/query.h"
#include "values/value.h"
#include "values/fetch.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The most bytes of a query's text that are sent with its values (--bind). */
#define TEXT_MOST ((size_t)1 << 20)

enum span_kind { SPAN_INTERNAL = 1, SPAN_SERVER = 2, SPAN_CLIENT = 3 };

#define STATUS_ERROR 2
/* The flags of a span (SpanFlags in opentelemetry/proto/trace/v1/trace.proto):
 * those of its trace, and whether its parent is remote. */
#define FLAGS_SAMPLED 0x1
#define FLAGS_PARENT_KNOWN 0x100
#define FLAGS_PARENT_REMOTE 0x200

/* ---- what a call does ------------------------------------------------------
 */

/* The first word of the fingerprint, in capitals. */
static void
name_operation(const char *text, char *to)
{
	size_t length = 0;

	while (*text == '(' || *text == ' ')
		text++;
	while (length + 1 < OPERATION_MOST &&
	       isalpha((unsigned char)text[length])) {
		to[length] = (char)toupper((unsigned char)text[length]);
		length++;
	}
	to[length] = '\0';
}

/* The SQLSTATE or the number of the error. */
static void
name_error(const struct event_outcome *outcome, char *to)
{
	if (outcome->state && *outcome->state)
		snprintf(to, OPERATION_MOST, "%s", outcome->state);
	else if (outcome->has_code)
		snprintf(to, OPERATION_MOST, "%" PRId64, outcome->code);
	else
		snprintf(to, OPERATION_MOST, "_OTHER");
}

void
operation_of(const struct event_call *call, const char *text,
	     struct operation *ret_operation)
{
	*ret_operation = (struct operation){
		.system = query_system(call->name),
		.text = text,
	};
	if (text)
		name_operation(text, ret_operation->name);
	if (call->outcome && call->outcome->failed)
		name_error(call->outcome, ret_operation->error);
}

/* ---- the parts of a span ---------------------------------------------------
 */

static void
open_span(const struct span_look *spans, struct jsonw *json, const char *name,
	  enum span_kind kind, const struct event_call *call)
{
	uint64_t began = call->began + spans->epoch_offset;

	jsonw_key(json, "name");
	attribute_string(json, name, strlen(name));
	jsonw_key(json, "kind");
	jsonw_signed(json, kind);
	attribute_member(json, "startTimeUnixNano", began);
	attribute_member(json, "endTimeUnixNano",
			 began + event_shown(call->duration));
	jsonw_key(json, "attributes");
	jsonw_open(json, '[');
}

/* The flags of a span in this trace, or in a trace of its own. */
static int64_t
flags_of(const struct event_trace *trace)
{
	return FLAGS_PARENT_KNOWN | (trace ? trace->flags : FLAGS_SAMPLED);
}

/* Closes the attributes, adds the status and the flags, and closes the span. */
static void
close_span(struct jsonw *json, int64_t flags, bool failed, const char *message)
{
	jsonw_close(json, ']');
	jsonw_key(json, "status");
	jsonw_open(json, '{');
	if (failed) {
		if (message) {
			jsonw_key(json, "message");
			attribute_string(json, message, strlen(message));
		}
		jsonw_key(json, "code");
		jsonw_signed(json, STATUS_ERROR);
	}
	jsonw_close(json, '}');
	jsonw_key(json, "flags");
	jsonw_signed(json, flags);
	jsonw_close(json, '}');
}

static void
add_code(struct jsonw *json, const struct event_call *call)
{
	const struct frame *frame = frames_asking(call);

	if (!frame)
		return;
	attribute_text(json, "code.function.name", frame->function);
	attribute_text(json, "code.file.path", frame->file);
	if (frame->file && frame->line)
		attribute_number(json, "code.line.number", frame->line);
}

/* Notes that the time of this call is only a part of the time that the query
 * took, and why. */
static void
add_incomplete(struct jsonw *json, const struct event_call *call)
{
	if (call->before)
		attribute_text(json, "xtrace.incomplete",
			       "began before xtrace attached");
	else if (call->end == CALL_UNFINISHED)
		attribute_text(json, "xtrace.incomplete", "unfinished");
	else if (call->end == CALL_NO_RETURN)
		attribute_text(json, "xtrace.incomplete", "no return");
}

static bool
changes_rows(const char *operation)
{
	static const char *const words[] = { "INSERT",	"UPDATE", "DELETE",
					     "REPLACE", "MERGE",  "LOAD",
					     "COPY" };

	for (size_t i = 0; i < array_size(words); i++)
		if (!strcmp(operation, words[i]))
			return true;
	return false;
}

static void
add_outcome(struct jsonw *json, const struct event_outcome *outcome,
	    const struct operation *operation)
{
	if (!outcome)
		return;
	if (outcome->failed) {
		attribute_text(json, "error.type", operation->error);
		if (outcome->has_code || outcome->state)
			attribute_text(json, "db.response.status_code",
				       operation->error);
	}
	if (outcome->has_rows && outcome->rows >= 0)
		attribute_number(json,
				 changes_rows(operation->name)
					 ? "xtrace.affected_rows"
					 : "db.response.returned_rows",
				 outcome->rows);
}

/* ---- calls ----------------------------------------------------------------
 */

static void
add_query_text(const struct span_look *spans, struct jsonw *json,
	       const struct event_call *call, const struct operation *operation)
{
	const struct argument *sql = spans->texts ? query_argument(call) : NULL;
	struct value_chars text;

	if (sql && value_text(&sql->value, TEXT_MOST, &text) == 0)
		attribute_bytes(json, "db.query.text", text.bytes, text.length);
	else
		attribute_text(json, "db.query.text", operation->text);
}

static void
add_server(struct jsonw *json, const struct event_server *server)
{
	if (!server)
		return;
	attribute_text(json, "db.namespace", server->database);
	attribute_text(json, "server.address", server->address);
	if (server->address && server->port)
		attribute_number(json, "server.port", server->port);
}

/* Adds the id of the trace. Without a trace, xtrace makes a new id. */
static void
add_trace(const struct span_look *spans, struct jsonw *json,
	  const struct event_trace *trace, enum id_kind kind, uint64_t number)
{
	if (trace)
		attribute_word(json, "traceId", trace->id);
	else
		ids_add_trace(spans->ids, json, kind, number);
}

static void
add_parents(const struct span_look *spans, struct jsonw *json,
	    const struct event_call *call, const struct event_trace *trace)
{
	enum id_kind kind = call->request	? ID_REQUEST
			    : call->transaction ? ID_TRANSACTION
						: ID_CALL;
	uint64_t number = call->request	      ? call->request
			  : call->transaction ? call->transaction
					      : call->id;

	add_trace(spans, json, trace, kind, number);
	ids_add_span(spans->ids, json, "spanId", ID_CALL, call->id);
	if (kind != ID_CALL)
		ids_add_span(spans->ids, json, "parentSpanId", kind, number);
}

void
spans_add_call(const struct span_look *spans, struct jsonw *json,
	       const struct event *event, const struct operation *operation)
{
	const struct event_call *call = event->call;
	const struct event_outcome *outcome = call->outcome;
	const char *name = *operation->name    ? operation->name
			   : call->connects    ? "connect"
			   : operation->system ? operation->system
					       : call->name;
	const struct event_trace *trace =
		traces_of(spans->traces, call->request);
	bool failed = outcome && outcome->failed;

	jsonw_open(json, '{');
	add_parents(spans, json, call, trace);
	open_span(spans, json, name, SPAN_CLIENT, call);
	attribute_text(json, "db.system.name",
		       operation->system ? operation->system : "other_sql");
	add_query_text(spans, json, call, operation);
	if (*operation->name)
		attribute_text(json, "db.operation.name", operation->name);
	add_server(json, call->server);
	add_outcome(json, outcome, operation);
	add_code(json, call);
	attribute_number(json, "thread.id", event->tid);
	if (call->transaction)
		attribute_number(json, "xtrace.transaction",
				 (int64_t)call->transaction);
	add_incomplete(json, call);
	close_span(json, flags_of(trace), failed,
		   failed && spans->texts ? outcome->message : NULL);
}

/* ---- requests and transactions ---------------------------------------------
 */

void
spans_add_request(const struct span_look *spans, struct jsonw *json,
		  const struct event *event)
{
	const struct event_request *request = event->request;
	const struct event_trace *trace = request->trace;
	int64_t flags = flags_of(trace);

	jsonw_open(json, '{');
	add_trace(spans, json, trace, ID_REQUEST, request->id);
	ids_add_span(spans->ids, json, "spanId", ID_REQUEST, request->id);
	if (trace) {
		attribute_word(json, "parentSpanId", trace->parent);
		flags |= FLAGS_PARENT_REMOTE;
	}
	if (request->function)
		open_span(spans, json, request->function, SPAN_INTERNAL,
			  event->call);
	else
		open_span(spans, json, request->method, SPAN_SERVER,
			  event->call);
	attribute_text(json, "code.function.name", request->function);
	attribute_text(json, "code.file.path", request->file);
	attribute_text(json, "http.request.method", request->method);
	attribute_text(json, "url.path", request->path);
	attribute_number(json, "thread.id", event->tid);
	if (request->unfinished)
		attribute_text(json, "xtrace.incomplete", "unfinished");
	close_span(json, flags, false, NULL);
}

void
spans_add_transaction(const struct span_look *spans, struct jsonw *json,
		      const struct event *event)
{
	const struct event_transaction *transaction = event->transaction;

	jsonw_open(json, '{');
	ids_add_trace(spans->ids, json, ID_TRANSACTION, transaction->id);
	ids_add_span(spans->ids, json, "spanId", ID_TRANSACTION,
		     transaction->id);
	open_span(spans, json, "transaction", SPAN_INTERNAL, event->call);
	attribute_number(json, "xtrace.transaction", (int64_t)transaction->id);
	attribute_text(json, "xtrace.transaction.end",
		       query_transaction_end(transaction->end));
	attribute_number(json, "xtrace.transaction.queries",
			 (int64_t)transaction->queries);
	attribute_number(json, "xtrace.transaction.idle_ns", transaction->idle);
	attribute_number(json, "thread.id", event->tid);
	if (transaction->before)
		attribute_text(json, "xtrace.incomplete",
			       "began before xtrace attached");
	close_span(json, flags_of(NULL), false, NULL);
}
