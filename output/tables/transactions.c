/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of --transactions: a row for each line of the program that begins
 * transactions, the most time first. Below a row are the queries after which
 * the transaction was idle longest.
 */
#include "output/sink.h"

#include "base/escape.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "output/frames.h"
#include "output/out.h"
#include "output/query.h"
#include "output/stamp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* At most PLACES_SHOWN queries are shown below a line. The transaction must
 * have been idle after the query for at least 1 / PLACE_SHARE of all its idle
 * time. */
#define PLACES_SHOWN 3
#define PLACE_SHARE 10
/* Lines and queries come from outside, so their numbers are limited. All
 * further ones share one row. */
#define LINES_MOST 2000
#define PLACES_MOST 500
#define OTHERS "(others)"
#define UNKNOWN "(unknown line)"

/* A query, and the time in which a transaction did nothing after it. */
struct idle_place {
	char *name;
	int64_t idle;
};

struct transaction_line {
	char *name;
	uint64_t count, before, undone, unfinished, queries;
	int64_t time, longest, idle;
	struct strmap by_name;
	vec_of(struct idle_place *) places;
};

struct open_line {
	struct transaction_line *line;
	struct idle_place *last; /* the last query of the transaction */
	int64_t idle; /* the transaction's idle time before that query */
};

struct transactions_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	struct map open; /* id -> struct open_line */
	struct strmap by_name;
	vec_of(struct transaction_line *) lines;
	struct str key;
	/* How many queries there were after which no transaction was open, and
	 * after which it is unknown whether one was open. */
	uint64_t alone, unknown;
	bool begun; /* a query was a part of a transaction */
};

/* ---- what is counted -------------------------------------------------------
 */

static struct transaction_line *
line_of(struct transactions_sink *sink, const char *name)
{
	struct transaction_line *line = strmap_get(&sink->by_name, name);

	if (!line && sink->lines.count >= LINES_MOST) {
		name = OTHERS;
		line = strmap_get(&sink->by_name, name);
	}
	if (line)
		return line;
	line = xcalloc(1, sizeof(*line));
	line->name = xstrdup(name);
	strmap_init(&line->by_name);
	strmap_put(&sink->by_name, name, line);
	vec_push(&sink->lines, line);
	return line;
}

static struct idle_place *
place_of(struct transaction_line *line, const char *name)
{
	struct idle_place *place = strmap_get(&line->by_name, name);

	if (!place && line->places.count >= PLACES_MOST) {
		name = OTHERS;
		place = strmap_get(&line->by_name, name);
	}
	if (place)
		return place;
	place = xcalloc(1, sizeof(*place));
	place->name = xstrdup(name);
	strmap_put(&line->by_name, name, place);
	vec_push(&line->places, place);
	return place;
}

static const char *
line_name(struct transactions_sink *sink, const struct event_call *call)
{
	const struct frame *frame = frames_asking(call);

	str_clear(&sink->key);
	if (frame)
		frames_add_one(&sink->key, frame);
	else
		str_add(&sink->key, UNKNOWN);
	return str_text(&sink->key);
}

/* The name of a query and its line: "select ... at views.py:22 in index". */
static const char *
query_name(struct transactions_sink *sink, const struct event_call *call)
{
	const struct frame *frame = frames_asking(call);
	const struct argument *sql = query_argument(call);
	struct str name cleanup(str_release);

	str_init(&name);
	str_clear(&sink->key);
	if (!sql || !query_add_name(&name, sql))
		str_add_char(&name, '?');
	query_add_folded(&sink->key, str_text(&name));
	if (frame) {
		str_add(&sink->key, " at ");
		frames_add_one(&sink->key, frame);
	}
	return str_text(&sink->key);
}

static void
take_query(struct transactions_sink *sink, const struct event_call *call)
{
	struct open_line *open = map_get(&sink->open, call->transaction);

	sink->begun = true;
	if (!open) {
		open = xcalloc(1, sizeof(*open));
		open->line = line_of(sink, line_name(sink, call));
		map_put(&sink->open, call->transaction, open);
	}
	if (open->last)
		open->last->idle += call->idle;
	open->idle += call->idle;
	open->last = place_of(open->line, query_name(sink, call));
}

/* Counts a query that is not known to be a part of a transaction. */
static void
take_other(struct transactions_sink *sink, const struct event_call *call)
{
	const struct event_outcome *outcome = call->outcome;

	if (!query_argument(call) || call->connects)
		return;
	if (outcome && outcome->transaction == TRANSACTION_NONE)
		sink->alone++;
	else
		sink->unknown++;
}

static void
take_end(struct transactions_sink *sink, const struct event *event)
{
	const struct event_transaction *told = event->transaction;
	struct open_line *open = map_remove(&sink->open, told->id);
	int64_t duration = event->call->duration;
	struct transaction_line *line =
		open ? open->line : line_of(sink, UNKNOWN);

	/* The time until the connection ended belongs to the last query, after
	 * which the transaction was idle. */
	if (open)
		open->last->idle += told->idle - open->idle;
	free(open);
	line->count++;
	line->before += told->before;
	line->undone += told->end == TRANSACTION_ROLLED_BACK ||
			told->end == TRANSACTION_CLOSED;
	line->unfinished += told->end == TRANSACTION_UNFINISHED;
	line->queries += told->queries;
	line->time += duration;
	line->idle += told->idle;
	if (line->longest < duration)
		line->longest = duration;
}

static void
transactions_event(struct sink *base, const struct event *event)
{
	struct transactions_sink *sink =
		container_of(base, struct transactions_sink, sink);

	if (event->kind == EVENT_ENTRY)
		query_keep(event->call);
	else if (event->kind == EVENT_RETURN && event->call->transaction)
		take_query(sink, event->call);
	else if (event->kind == EVENT_RETURN)
		take_other(sink, event->call);
	else if (event->kind == EVENT_TRANSACTION_END)
		take_end(sink, event);
}

/* ---- the table -------------------------------------------------------------
 */

static void
add_time(struct str *to, int64_t ns)
{
	struct str text cleanup(str_release);

	str_init(&text);
	stamp_add_short(&text, event_shown(ns));
	str_addf(to, "%7s ", str_text(&text));
}

static int
compare_places(const void *left, const void *right)
{
	const struct idle_place *a = *(struct idle_place *const *)left;
	const struct idle_place *b = *(struct idle_place *const *)right;

	if (a->idle != b->idle)
		return a->idle < b->idle ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void
add_places(struct str *to, struct transaction_line *line)
{
	vec_sort(&line->places, compare_places);
	for (size_t i = 0; i < line->places.count && i < PLACES_SHOWN; i++) {
		const struct idle_place *place = line->places.at[i];

		if (place->idle <= 0 || place->idle < line->idle / PLACE_SHARE)
			return;
		str_add(to, "    idle ");
		stamp_add_short(to, event_shown(place->idle));
		str_add(to, " after  ");
		escape_name(to, place->name);
		str_add_char(to, '\n');
	}
}

static void
add_line(struct str *to, struct transaction_line *line)
{
	double share =
		100 * (double)line->idle / (double)event_shown(line->time);

	str_addf(to, "%12" PRIu64 " ", line->count);
	add_time(to, line->time / (int64_t)line->count);
	add_time(to, line->longest);
	if (line->idle > 0)
		add_time(to, line->idle);
	else
		str_addf(to, "%7s ", "");
	str_addf(to, "%5.1f%% %7" PRIu64 " ", share < 100 ? share : 100,
		 line->queries);
	if (line->undone)
		str_addf(to, "%9" PRIu64 "  ", line->undone);
	else
		str_addf(to, "%9s  ", "");
	escape_name(to, line->name);
	if (line->before)
		str_addf(to, " (%" PRIu64 " begun before)", line->before);
	if (line->unfinished)
		str_addf(to, " (%" PRIu64 " unfinished)", line->unfinished);
	str_add_char(to, '\n');
	add_places(to, line);
}

static int
compare_lines(const void *left, const void *right)
{
	const struct transaction_line *a =
		*(struct transaction_line *const *)left;
	const struct transaction_line *b =
		*(struct transaction_line *const *)right;

	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* Adds why no transaction has ended. */
static void
add_reason(struct str *to, const struct transactions_sink *sink)
{
	if (sink->begun)
		str_add(to, ": the end of none was seen");
	else if (sink->alone)
		str_addf(to,
			 ": no query of %" PRIu64
			 " left one open, as with autocommit",
			 sink->alone);
	else if (!sink->unknown)
		str_add(to, ": no query was seen");
	if (sink->unknown) {
		str_add(to, sink->begun || sink->alone ? "; " : ": ");
		str_add(to, "after ");
		str_add_count(to, sink->unknown, "query", "queries");
		str_add(to, ", nothing told whether one was open");
	}
}

static void
add_footer(struct str *to, const struct transactions_sink *sink, size_t shown)
{
	uint64_t count = 0;
	int64_t time = 0, idle = 0;

	for (size_t i = 0; i < sink->lines.count; i++) {
		count += sink->lines.at[i]->count;
		time += sink->lines.at[i]->time;
		idle += sink->lines.at[i]->idle;
	}
	if (shown < sink->lines.count)
		str_addf(to, "... and %zu more\n", sink->lines.count - shown);
	str_add_count(to, count, "transaction", "transactions");
	if (count > 0) {
		str_add(to, ", ");
		stamp_add_short(to, event_shown(time));
		str_add(to, " in them, idle for ");
		stamp_add_short(to, event_shown(idle));
		str_add(to, " of it");
	} else {
		add_reason(to, sink);
	}
	str_add_char(to, '\n');
}

static void
free_line(struct transaction_line *line)
{
	for (size_t i = 0; i < line->places.count; i++) {
		free(line->places.at[i]->name);
		free(line->places.at[i]);
	}
	vec_release(&line->places);
	strmap_release(&line->by_name);
	free(line->name);
	free(line);
}

static void
release(struct transactions_sink *sink)
{
	size_t cursor = 0;
	void *open;

	while (map_next(&sink->open, &cursor, NULL, &open))
		free(open);
	map_release(&sink->open);
	for (size_t i = 0; i < sink->lines.count; i++)
		free_line(sink->lines.at[i]);
	vec_release(&sink->lines);
	strmap_release(&sink->by_name);
	str_release(&sink->key);
	free(sink);
}

/* Removes the lines of which no transaction has ended: they have no numbers. */
static void
drop_open(struct transactions_sink *sink)
{
	size_t kept = 0;

	for (size_t i = 0; i < sink->lines.count; i++) {
		struct transaction_line *line = sink->lines.at[i];

		if (line->count > 0)
			sink->lines.at[kept++] = line;
		else
			free_line(line);
	}
	sink->lines.count = kept;
}

static void
transactions_close(struct sink *base)
{
	struct transactions_sink *sink =
		container_of(base, struct transactions_sink, sink);
	struct str text cleanup(str_release);
	size_t shown;

	str_init(&text);
	drop_open(sink);
	shown = sink->lines.count;
	if (sink->look->top > 0 && shown > sink->look->top)
		shown = sink->look->top;
	vec_sort(&sink->lines, compare_lines);
	str_add(&text, "transactions    mean     max    idle  share queries "
		       "rollbacks  begun at\n");
	for (size_t i = 0; i < shown; i++)
		add_line(&text, sink->lines.at[i]);
	add_footer(&text, sink, shown);
	out_write(sink->out, str_text(&text), text.length);
	release(sink);
}

static const struct sink_ops ops = {
	.name = "transactions",
	.blind = true,
	.sql = true,
	.whole = true,
	.event = transactions_event,
	.close = transactions_close,
};

struct sink *
transactions_sink_new(const struct look *look, struct out *out)
{
	struct transactions_sink *sink = xcalloc(1, sizeof(*sink));

	sink->sink.ops = &ops;
	sink->look = look;
	sink->out = out;
	map_init(&sink->open);
	strmap_init(&sink->by_name);
	str_init(&sink->key);
	return &sink->sink;
}
