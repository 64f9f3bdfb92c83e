/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The argument that makes the key is read completely at the entry. When the
 * call has ended, it is read again from the capture, because only then is it
 * known whether the call is the slowest and its text becomes the sample.
 *
 * The number of rows is limited. If there are too many keys (an argument that
 * is never the same), all further keys share one row.
 */
#include "output/tables/summary_rows.h"

#include "base/xmalloc.h"
#include "output/frames.h"
#include "output/group.h"
#include "output/label.h"
#include "output/query.h"
#include "output/tables/request_rows.h"
#include "values/fetch.h"
#include "values/show.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MOST 20000
#define OTHERS "(others)"
/* The most bytes of a text that are used for the key, or kept as a sample. */
#define TEXT_MOST ((size_t)1 << 24)
#define SAMPLE_MOST ((size_t)64 << 10)

void
summary_rows_init(struct summary_rows *rows, const struct look *look)
{
	*rows = (struct summary_rows){ .look = look };
	strmap_init(&rows->by_name);
	map_init(&rows->requests);
	map_init(&rows->transactions);
	str_init(&rows->key);
}

static void
tally_release(struct summary_tally *tally)
{
	histogram_release(&tally->times);
	free(tally->sample);
	free(tally->sample_function);
	free(tally->sample_stack);
	*tally = (struct summary_tally){ 0 };
	histogram_init(&tally->times);
}

void
summary_rows_release(struct summary_rows *rows)
{
	size_t cursor = 0;
	void *name;

	for (size_t i = 0; i < rows->list.count; i++) {
		struct summary_row *row = rows->list.at[i];

		tally_release(&row->recent);
		tally_release(&row->whole);
		free(row->name);
		free(row);
	}
	vec_release(&rows->list);
	strmap_release(&rows->by_name);
	while (map_next(&rows->requests, &cursor, NULL, &name))
		free(name);
	map_release(&rows->requests);
	cursor = 0;
	while (map_next(&rows->transactions, &cursor, NULL, &name))
		free(name);
	map_release(&rows->transactions);
	str_release(&rows->key);
}

uint64_t
summary_tally_calls(const struct summary_tally *tally)
{
	return tally->times.count + tally->before;
}

int64_t
summary_tally_sum(const struct summary_tally *tally)
{
	return tally->times.sum + tally->before_sum;
}

uint64_t
summary_tally_most(const struct summary_tally *tally)
{
	return tally->times.most > tally->before_most ? tally->times.most
						      : tally->before_most;
}

void
summary_tally_merge(struct summary_tally *to, struct summary_tally *from)
{
	if (from->sample && (!to->sample || summary_tally_most(from) >=
						    summary_tally_most(to))) {
		free(to->sample);
		free(to->sample_function);
		free(to->sample_stack);
		to->sample = take(from->sample);
		to->sample_function = take(from->sample_function);
		to->sample_stack = take(from->sample_stack);
	}
	to->self += from->self;
	to->spent += from->spent;
	to->before += from->before;
	to->before_sum += from->before_sum;
	if (to->before_most < from->before_most)
		to->before_most = from->before_most;
	to->errors += from->errors;
	to->rows += from->rows;
	to->bytes += from->bytes;
	to->fetch += from->fetch;
	to->has_rows |= from->has_rows;
	to->has_bytes |= from->has_bytes;
	to->has_first |= from->has_first;
	histogram_merge(&to->times, &from->times);
	tally_release(from);
}

/* ---- keys
 * ----------------------------------------------------------------------
 */

static const struct argument *
named_argument(const struct event_call *call, const char *name)
{
	const struct arguments *arguments = call->arguments;

	for (size_t i = 0; arguments && i < arguments->count; i++) {
		const char *known = arguments->at[i].name;

		if (known && !strcmp(known + strspn(known, "_"), name))
			return &arguments->at[i];
	}
	return NULL;
}

/* Adds the text of the value, or the value as it is shown. */
static void
add_value(struct summary_rows *rows, const struct argument *argument)
{
	const struct show_look look = {
		.string_length = TEXT_MOST,
		.array_length = rows->look->array_length,
	};
	const struct value *value = argument_value(argument);
	struct value_chars text;

	if (value_text(value, TEXT_MOST, &text) == 0)
		str_add_bytes(&rows->key, text.bytes, text.length);
	else
		show_value(&rows->key, value, &look);
}

static void
add_where(struct str *key, const struct event_call *call)
{
	const struct frame *frame = frames_asking(call);

	if (frame)
		frames_add_one(key, frame);
	else
		str_add_char(key, '?');
}

/* The fingerprint of the call's query, or what is known of it. */
static void
add_query(struct summary_rows *rows, const struct event_call *call,
	  const struct argument *sql)
{
	size_t start = rows->key.length;

	if (!sql) {
		str_add(&rows->key, label_of(call));
	} else if (!query_add_name(&rows->key, sql)) {
		query_add_unknown(&rows->key, call);
	} else {
		rows->is_query = true;
		rows->query = query_id(str_text(&rows->key) + start);
	}
}

static void
add_request(struct summary_rows *rows, const struct event_call *call)
{
	const char *name = map_get(&rows->requests, call->request);

	str_add(&rows->key, name ? name : "(no request)");
}

/* A transaction is named after the line that makes its first query. */
static void
add_transaction(struct summary_rows *rows, const struct event_call *call)
{
	const char *name = map_get(&rows->transactions, call->transaction);
	struct str line;

	if (!call->transaction) {
		str_add(&rows->key, "(no transaction)");
		return;
	}
	if (!name) {
		str_init(&line);
		add_where(&line, call);
		name = str_take(&line);
		map_put(&rows->transactions, call->transaction, (void *)name);
	}
	str_addf(&rows->key, "transaction at %s", name);
}

static void
add_field(struct summary_rows *rows, const struct event *event,
	  const struct argument *sql, const char *field)
{
	const struct event_call *call = event->call;
	const struct argument *argument;

	if (!strcmp(field, "query")) {
		add_query(rows, call, sql);
	} else if (!strcmp(field, "function")) {
		str_add(&rows->key, label_of(call));
	} else if (!strcmp(field, "thread")) {
		str_add_signed(&rows->key, event->tid);
	} else if (!strcmp(field, "process")) {
		str_add_signed(&rows->key, event->pid);
	} else if (!strcmp(field, "caller")) {
		str_add(&rows->key, call->caller ? call->caller : "?");
	} else if (!strcmp(field, "request")) {
		add_request(rows, call);
	} else if (!strcmp(field, "transaction")) {
		add_transaction(rows, call);
	} else if (!strcmp(field, "where")) {
		add_where(&rows->key, call);
	} else {
		argument = !strcmp(field, "text") && sql
				   ? sql
				   : named_argument(call, field);
		if (argument)
			add_value(rows, argument);
		else
			str_add_char(&rows->key, '?');
	}
}

/* Makes the name of the event's row: its fields with a comma between two, but
 * "at" before a place, as in "select ... at user.py:42 in find". */
static void
make_key(struct summary_rows *rows, const struct event *event,
	 const struct argument *sql)
{
	const char *fields = rows->look->group_by;
	char field[GROUP_FIELD_MOST];

	str_clear(&rows->key);
	rows->is_query = false;
	if (!fields)
		fields = sql ? "query" : "function";
	while (group_next(&fields, field)) {
		if (rows->key.length > 0)
			str_add(&rows->key,
				strcmp(field, "where") ? ", " : " at ");
		add_field(rows, event, sql, field);
	}
}

void
summary_rows_entry(struct summary_rows *rows, const struct event_call *call)
{
	const char *fields = rows->look->group_by;
	const struct argument *sql = query_argument(call);
	const struct argument *argument;
	char field[GROUP_FIELD_MOST];
	struct value_chars text;

	if (sql && value_text(&sql->value, TEXT_MOST, &text) < 0)
		return; /* the key cannot be read later either */
	while (group_next(&fields, field)) {
		argument = named_argument(call, field);
		if (!argument || argument->when != PARAM_AT_ENTRY)
			continue;
		str_clear(&rows->key);
		add_value(rows, argument);
	}
}

/* ---- rows
 * ----------------------------------------------------------------------
 */

/* The name of a row. If the text of the statement is unknown, the name contains
 * the place where the statement was executed first. */
static char *
name_of(const char *key, const struct event_call *call, bool unknown)
{
	const struct frame *frame = unknown ? frames_asking(call) : NULL;
	struct str name;

	if (!frame)
		return xstrdup(key);
	str_init(&name);
	str_addf(&name, "%s at ", key);
	frames_add_one(&name, frame);
	return str_take(&name);
}

static struct summary_row *
row_of(struct summary_rows *rows, const struct event_call *call, bool unknown)
{
	const char *name = str_text(&rows->key);
	struct summary_row *row = strmap_get(&rows->by_name, name);

	if (row)
		return row;
	if (rows->list.count >= ROWS_MOST) {
		name = OTHERS;
		row = strmap_get(&rows->by_name, name);
		if (row)
			return row;
		unknown = rows->is_query = false;
	}
	row = xcalloc(1, sizeof(*row));
	row->name = name_of(name, call, unknown);
	row->sql = rows->is_query;
	row->query = rows->query;
	histogram_init(&row->recent.times);
	histogram_init(&row->whole.times);
	strmap_put(&rows->by_name, name, row);
	vec_push(&rows->list, row);
	return row;
}

static char *
stack_of(const struct event_call *call)
{
	struct str frames;

	str_init(&frames);
	frames_add(&frames, call);
	return str_take(&frames);
}

static void
take_sample(const struct summary_rows *rows, struct summary_tally *tally,
	    const struct event_call *call, const struct argument *sql)
{
	struct value_chars text;

	if (tally->sample &&
	    event_shown(call->duration) < summary_tally_most(tally))
		return;
	if (value_text(&sql->value, SAMPLE_MOST, &text) < 0)
		return;
	free(tally->sample);
	free(tally->sample_function);
	tally->sample = xstrndup(text.bytes, text.length);
	tally->sample_function = xstrdup(label_of(call));
	free(tally->sample_stack);
	tally->sample_stack = rows->look->console ? stack_of(call) : NULL;
}

static void
count_outcome(struct summary_tally *tally, const struct event_outcome *outcome,
	      int64_t duration)
{
	tally->errors += outcome->failed;
	tally->has_rows |= outcome->has_rows;
	if (outcome->has_rows && outcome->rows > 0)
		tally->rows += (uint64_t)outcome->rows;
	tally->has_bytes |= outcome->has_bytes;
	tally->bytes += outcome->bytes;
	if (!outcome->has_first)
		return;
	tally->has_first = true;
	tally->fetch += event_fetching(outcome, duration);
}

/* Counts a call that began before the attach. It is counted separately, because
 * only the part of its time since the attach is known. */
static void
count_before(struct summary_tally *tally, int64_t duration)
{
	uint64_t shown = event_shown(duration);

	tally->before++;
	tally->before_sum += duration;
	if (tally->before_most < shown)
		tally->before_most = shown;
}

void
summary_rows_count(struct summary_rows *rows, const struct event *event,
		   int64_t self)
{
	const struct event_call *call = event->call;
	const struct event_outcome *outcome = call->outcome;
	const struct argument *sql = query_argument(call);
	struct summary_tally *tally;

	make_key(rows, event, sql);
	tally = &row_of(rows, call,
			sql && !rows->is_query && !rows->look->group_by)
			 ->recent;
	if (call->inside && call->inside < self)
		self = call->inside;
	tally->self += self;
	tally->spent += sql ? call->duration : self;
	if (outcome)
		count_outcome(tally, outcome, call->duration);
	if (sql)
		take_sample(rows, tally, call, sql);
	if (call->before)
		count_before(tally, call->duration);
	else
		histogram_add(&tally->times, call->duration);
}

void
summary_rows_sum(struct summary_rows *rows, const struct event *event)
{
	const struct event_times *times = event->times;
	int64_t sum = event->call->duration;
	uint64_t most = 0;
	struct summary_tally *tally;

	make_key(rows, event, NULL);
	tally = &row_of(rows, event->call, false)->recent;
	tally->self += times->own;
	tally->spent += times->own;
	for (size_t i = 0; i < times->count; i++) {
		const struct event_step *step = &times->steps[i];

		histogram_add_about(&tally->times, step->ns, step->calls);
		sum -= (int64_t)(step->ns * step->calls);
		if (step->ns > most)
			most = step->ns;
	}
	if (!times->most_before || most > times->most)
		most = times->most;
	histogram_correct(&tally->times, sum, most);
}

void
summary_rows_request(struct summary_rows *rows, const struct event *event)
{
	struct str name;

	free(map_remove(&rows->requests, event->request->id));
	if (event->kind != EVENT_REQUEST)
		return;
	str_init(&name);
	request_rows_add_name(&name, event->request);
	map_put(&rows->requests, event->request->id, str_take(&name));
}

void
summary_rows_transaction(struct summary_rows *rows, const struct event *event)
{
	free(map_remove(&rows->transactions, event->transaction->id));
}
