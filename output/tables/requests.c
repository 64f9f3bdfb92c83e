/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of --requests: a row for each route, the most time in the database
 * first. Below a route are the queries that one of its requests has made
 * several times from the same line: often one query with a join could take
 * their place (the problem is known as "N+1").
 */
#include "output/sink.h"

#include "base/escape.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include "output/out.h"
#include "output/query.h"
#include "output/stamp.h"
#include "output/tables/request_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A query is shown if one request has made it at least this often, from one
 * line. */
#define REPEATS_LEAST 5
/* How many repeated queries are shown below a route, at most. */
#define REPEATS_SHOWN 5

struct requests_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	struct request_rows rows;
};

static void
requests_event(struct sink *sink, const struct event *event)
{
	struct requests_sink *requests =
		container_of(sink, struct requests_sink, sink);

	switch (event->kind) {
	case EVENT_ENTRY:
		query_keep(event->call);
		break;
	case EVENT_RETURN:
		request_rows_query(&requests->rows, event);
		break;
	case EVENT_REQUEST:
		request_rows_begin(&requests->rows, event);
		break;
	case EVENT_REQUEST_THREAD:
		request_rows_move(&requests->rows, event);
		break;
	case EVENT_REQUEST_END:
		request_rows_end(&requests->rows, event);
		break;
	default:
		break;
	}
}

/* ---- the table -------------------------------------------------------------
 */

enum column {
	REQUESTS,
	MEAN,
	DATABASE,
	SHARE,
	CONNECT,
	QUERIES,
	ERRORS,
	ROWS,
	COLUMNS
};

static const struct {
	const char *title;
	int width;
} columns[COLUMNS] = {
	[REQUESTS] = { "requests", 8 }, [MEAN] = { "mean", 7 },
	[DATABASE] = { "database", 8 }, [SHARE] = { "share", 6 },
	[CONNECT] = { "connect", 7 },	[QUERIES] = { "queries", 7 },
	[ERRORS] = { "errors", 6 },	[ROWS] = { "rows", 6 },
};

static void
add_cell(struct str *to, enum column column, const char *text)
{
	str_addf(to, "%*s ", columns[column].width, text);
}

static void
add_number(struct str *to, enum column column, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	add_cell(to, column, text);
}

static void
add_time(struct str *to, enum column column, int64_t ns)
{
	struct str text = { 0 };

	stamp_add_short(&text, event_shown(ns));
	add_cell(to, column, text.text);
	str_release(&text);
}

static void
add_share(struct str *to, enum column column, int64_t part, int64_t whole)
{
	double share =
		100 * (double)event_shown(part) / (double)event_shown(whole);
	char text[16];

	snprintf(text, sizeof(text), "%.1f%%", share);
	add_cell(to, column, text);
}

static void
add_tally(struct str *to, const struct request_tally *tally)
{
	if (tally->connects)
		add_time(to, CONNECT, tally->connecting);
	else
		add_cell(to, CONNECT, "");
	add_number(to, QUERIES, tally->queries);
	if (tally->errors)
		add_number(to, ERRORS, tally->errors);
	else
		add_cell(to, ERRORS, "");
	if (tally->has_rows)
		add_number(to, ROWS, tally->rows);
	else
		add_cell(to, ROWS, "");
	str_add_char(to, ' ');
}

/* Adds how often one request has made a query, the query, and its line:
 * "    x 11  select ... at views.py:22 in index". */
static void
add_repeat(struct str *to, const struct request_repeat *repeat)
{
	struct str name = { 0 };

	query_add_folded(&name, repeat->name);
	str_addf(to, "    x %" PRIu64 "  ", repeat->most);
	escape_name(to, str_text(&name));
	str_add_char(to, '\n');
	str_release(&name);
}

static int
compare_repeats(const void *left, const void *right)
{
	const struct request_repeat *a = *(struct request_repeat *const *)left;
	const struct request_repeat *b = *(struct request_repeat *const *)right;

	if (a->most != b->most)
		return a->most < b->most ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void
add_repeats(struct str *to, struct request_tally *tally)
{
	vec_sort(&tally->repeats, compare_repeats);
	for (size_t i = 0; i < tally->repeats.count && i < REPEATS_SHOWN; i++) {
		if (tally->repeats.at[i]->most < REPEATS_LEAST)
			break;
		add_repeat(to, tally->repeats.at[i]);
	}
}

static void
add_route(struct str *to, struct request_route *route)
{
	add_number(to, REQUESTS, route->count);
	add_time(to, MEAN, route->time / (int64_t)route->count);
	if (route->tally.queries) {
		add_time(to, DATABASE, route->tally.time);
		add_share(to, SHARE, route->tally.time, route->time);
	} else {
		add_cell(to, DATABASE, "");
		add_cell(to, SHARE, "");
	}
	add_tally(to, &route->tally);
	escape_name(to, route->name);
	if (route->unfinished)
		str_addf(to, " (%" PRIu64 " unfinished)", route->unfinished);
	str_add_char(to, '\n');
	add_repeats(to, &route->tally);
}

/* Adds the rows of queries that belong to no request, or to an unknown one. */
static void
add_other(struct str *to, const struct request_tally *tally)
{
	if (tally->queries == 0 && tally->connects == 0)
		return;
	add_cell(to, REQUESTS, "");
	add_cell(to, MEAN, "");
	if (tally->queries)
		add_time(to, DATABASE, tally->time);
	else
		add_cell(to, DATABASE, "");
	add_cell(to, SHARE, "");
	add_tally(to, tally);
	str_add(to, "(no request)\n");
}

static int
compare_routes(const void *left, const void *right)
{
	const struct request_route *a = *(struct request_route *const *)left;
	const struct request_route *b = *(struct request_route *const *)right;

	if (a->tally.time != b->tally.time)
		return a->tally.time < b->tally.time ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void
add_footer(struct str *to, const struct requests_sink *requests, size_t shown)
{
	const struct request_rows *rows = &requests->rows;
	uint64_t count = 0, queries = rows->other.queries;
	int64_t time = rows->other.time;

	for (size_t i = 0; i < rows->routes.count; i++) {
		count += rows->routes.at[i]->count;
		queries += rows->routes.at[i]->tally.queries;
		time += rows->routes.at[i]->tally.time;
	}
	if (shown < rows->routes.count)
		str_addf(to, "... and %zu more\n", rows->routes.count - shown);
	str_add_count(to, count, "request", "requests");
	str_add(to, " with ");
	str_add_count(to, queries, "query", "queries");
	if (queries > 0) {
		str_add(to, ", ");
		stamp_add_short(to, event_shown(time));
		str_add(to, " in them");
	}
	str_add_char(to, '\n');
}

static void
requests_close(struct sink *sink)
{
	struct requests_sink *requests =
		container_of(sink, struct requests_sink, sink);
	struct request_rows *rows = &requests->rows;
	size_t shown = rows->routes.count;
	struct str text;

	request_rows_end_idle(rows);
	str_init(&text);
	if (requests->look->top > 0 && shown > requests->look->top)
		shown = requests->look->top;
	vec_sort(&rows->routes, compare_routes);
	for (enum column i = 0; i < COLUMNS; i++)
		add_cell(&text, i, columns[i].title);
	str_add(&text, " request\n");
	for (size_t i = 0; i < shown; i++)
		add_route(&text, rows->routes.at[i]);
	add_other(&text, &rows->other);
	add_footer(&text, requests, shown);
	out_write(requests->out, str_text(&text), text.length);
	str_release(&text);
	request_rows_release(rows);
	free(requests);
}

static const struct sink_ops ops = {
	.name = "requests",
	.blind = true,
	.sql = true,
	.whole = true,
	.event = requests_event,
	.close = requests_close,
};

struct sink *
requests_sink_new(const struct look *look, struct out *out)
{
	struct requests_sink *requests = xcalloc(1, sizeof(*requests));

	requests->sink.ops = &ops;
	requests->look = look;
	requests->out = out;
	request_rows_init(&requests->rows);
	return &requests->sink;
}
