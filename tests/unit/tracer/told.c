/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes what a sink is told about queries. */
#include "tests/unit/tracer/told.h"

#include "base/attr.h"
#include "output/query.h"
#include "tests/unit/checks.h"
#include "values/fetch.h"
#include "values/items.h"

#include <inttypes.h>

#define TEXT_MOST 64

static void
add_text(struct str *to, const struct event_call *call)
{
	const struct argument *sql = query_argument(call);
	struct value_chars text;

	if (sql && item_text(&sql->value, TEXT_MOST, &text))
		str_addf(to, " \"%.*s\"", (int)text.length, text.bytes);
	else
		str_add(to, " ?");
}

static void
add_outcome(struct str *to, const struct event_outcome *outcome)
{
	if (outcome->has_rows)
		str_addf(to, " rows %" PRId64, outcome->rows);
	if (outcome->has_bytes)
		str_addf(to, " bytes %" PRIu64, outcome->bytes);
	if (outcome->failed)
		str_add(to, " failed");
	if (outcome->has_code)
		str_addf(to, " %" PRId64, outcome->code);
	if (outcome->state)
		str_addf(to, " %s", outcome->state);
	if (outcome->message)
		str_addf(to, " (%s)", outcome->message);
	if (outcome->between_wall)
		str_add(to, " apart");
}

static void
add_query(struct told *told, const struct event_call *call)
{
	static const char *const ends[] = { "", " unwound", " unfinished",
					    " no return", " entry only" };
	struct str *to = &told->text;

	str_add(to, call->display);
	add_text(to, call);
	if (call->outcome)
		add_outcome(to, call->outcome);
	if (call->request)
		str_addf(to, " of request %" PRIu64, call->request);
	if (call->transaction)
		str_addf(to, " of transaction %" PRIu64, call->transaction);
	if (call->transaction && told->times)
		str_addf(to, " after %" PRId64, call->idle);
	str_add(to, ends[call->end]);
	if (told->times)
		str_addf(to, " %" PRId64, call->duration);
	str_add_char(to, '\n');
}

static void
add_open(struct told *told, char how, const struct event_call *call)
{
	str_add_char(&told->text, how);
	str_add(&told->text, call->display);
	add_text(&told->text, call);
	str_add_char(&told->text, '\n');
}

static void
add_request(struct told *told, const struct event *event)
{
	const struct event_request *request = event->request;
	struct str *to = &told->text;

	str_addf(to, "request %" PRIu64, request->id);
	if (event->kind == EVENT_REQUEST_END)
		str_add(to, request->unfinished ? " unfinished" : " over");
	else if (request->function)
		str_addf(to, " %s in %s", request->function, request->file);
	else
		str_addf(to, " %s %s", request->method, request->path);
	if (event->kind == EVENT_REQUEST_END && told->times)
		str_addf(to, " %" PRId64, event->call->duration);
	str_add_char(to, '\n');
}

static void
add_transaction(struct told *told, const struct event *event)
{
	const struct event_transaction *transaction = event->transaction;
	struct str *to = &told->text;

	str_addf(to, "transaction %" PRIu64 " %s, %" PRIu64 " queries",
		 transaction->id, query_transaction_end(transaction->end),
		 transaction->queries);
	if (transaction->before)
		str_add(to, ", began before");
	if (told->times)
		str_addf(to, ", %" PRId64 " + %" PRId64 " of %" PRId64,
			 transaction->time, transaction->idle,
			 event->call->duration);
	str_add_char(to, '\n');
}

static void
told_event(struct sink *sink, const struct event *event)
{
	struct told *told = container_of(sink, struct told, sink);

	switch (event->kind) {
	case EVENT_RETURN:
		if (event->call->bare)
			add_query(told, event->call);
		break;
	case EVENT_IN_FLIGHT:
		add_open(told, '+', event->call);
		break;
	case EVENT_OPEN:
		add_open(told, '@', event->call);
		break;
	case EVENT_REQUEST:
	case EVENT_REQUEST_END:
		add_request(told, event);
		break;
	case EVENT_TRANSACTION_END:
		add_transaction(told, event);
		break;
	default:
		break;
	}
	if (told->heard)
		told->heard(told, event);
}

static void
told_draw(struct sink *sink)
{
	str_add(&container_of(sink, struct told, sink)->text, "page\n");
}

/* The test releases the struct itself. */
static void
told_close(struct sink *sink)
{
	(void)sink;
}

static const struct sink_ops ops = {
	.name = "told",
	.whole = true,
	.event = told_event,
	.draw = told_draw,
	.close = told_close,
};

void
told_init(struct told *told)
{
	*told = (struct told){ .sink.ops = &ops };
	str_init(&told->text);
}

void
told_expect(struct told *told, const char *expected)
{
	ck_assert_str_eq(str_text(&told->text), expected);
	str_clear(&told->text);
}

void
told_release(struct told *told)
{
	str_release(&told->text);
}
