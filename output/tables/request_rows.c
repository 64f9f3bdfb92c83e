/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of routes, of open requests and of different queries of a route
 * are limited, because paths and texts come from outside. What is beyond a
 * limit shares one row.
 */
#include "output/tables/request_rows.h"

#include "base/xmalloc.h"
#include "output/frames.h"
#include "output/label.h"
#include "output/query.h"
#include "values/route.h"

#include <stdlib.h>
#include <string.h>

#define ROUTES_MOST 5000
#define REPEATS_MOST 2000
#define OTHERS "(others)"

struct open_request {
	char *name;
	struct request_tally tally;
};

/* Queries of a thread for which no request is known yet. */
struct idle_thread {
	uint64_t began; /* when the first of the queries began */
	struct request_tally tally;
};

/* ---- tallies ---------------------------------------------------------------
 */

static void
tally_init(struct request_tally *tally)
{
	*tally = (struct request_tally){ 0 };
	strmap_init(&tally->by_name);
}

static void
tally_release(struct request_tally *tally)
{
	for (size_t i = 0; i < tally->repeats.count; i++) {
		free(tally->repeats.at[i]->name);
		free(tally->repeats.at[i]);
	}
	vec_release(&tally->repeats);
	strmap_release(&tally->by_name);
}

static struct request_repeat *
repeat_of(struct request_tally *tally, const char *name)
{
	struct request_repeat *repeat = strmap_get(&tally->by_name, name);

	if (repeat)
		return repeat;
	if (tally->repeats.count >= REPEATS_MOST)
		name = OTHERS;
	repeat = strmap_get(&tally->by_name, name);
	if (repeat)
		return repeat;
	repeat = xcalloc(1, sizeof(*repeat));
	repeat->name = xstrdup(name);
	strmap_put(&tally->by_name, name, repeat);
	vec_push(&tally->repeats, repeat);
	return repeat;
}

static void
add_sums(struct request_tally *to, const struct request_tally *from)
{
	to->queries += from->queries;
	to->connects += from->connects;
	to->connecting += from->connecting;
	to->errors += from->errors;
	to->time += from->time;
	to->rows += from->rows;
	to->has_rows |= from->has_rows;
}

/* Adds the queries of `from`. whole: these are all queries of a request, and
 * `to` is its route. Otherwise these are some queries of the request `to`. */
static void
tally_add(struct request_tally *to, const struct request_tally *from,
	  bool whole)
{
	add_sums(to, from);
	for (size_t i = 0; i < from->repeats.count; i++) {
		const struct request_repeat *one = from->repeats.at[i];
		struct request_repeat *all = repeat_of(to, one->name);

		all->count += one->count;
		all->time += one->time;
		all->requests += whole;
		if (whole && all->most < one->count)
			all->most = one->count;
	}
}

/* ---- names -----------------------------------------------------------------
 */

void
request_rows_add_name(struct str *to, const struct event_request *request)
{
	const char *slash;

	if (request->function) {
		slash = request->file ? strrchr(request->file, '/') : NULL;
		str_add(to, request->function);
		if (request->file)
			str_addf(to, " in %s",
				 slash ? slash + 1 : request->file);
		return;
	}
	str_add(to, request->method);
	str_add_char(to, ' ');
	route_add(to, request->path);
}

/* ---- events ----------------------------------------------------------------
 */

void
request_rows_init(struct request_rows *rows)
{
	*rows = (struct request_rows){ 0 };
	map_init(&rows->open);
	map_init(&rows->idle);
	strmap_init(&rows->by_name);
	tally_init(&rows->other);
	str_init(&rows->key);
}

static void
free_open(struct open_request *open)
{
	tally_release(&open->tally);
	free(open->name);
	free(open);
}

static void
free_idle(struct idle_thread *idle)
{
	tally_release(&idle->tally);
	free(idle);
}

void
request_rows_release(struct request_rows *rows)
{
	size_t cursor = 0;
	void *open;

	while (map_next(&rows->open, &cursor, NULL, &open))
		free_open(open);
	map_release(&rows->open);
	for (cursor = 0; map_next(&rows->idle, &cursor, NULL, &open);)
		free_idle(open);
	map_release(&rows->idle);
	for (size_t i = 0; i < rows->routes.count; i++) {
		struct request_route *route = rows->routes.at[i];

		tally_release(&route->tally);
		free(route->name);
		free(route);
	}
	vec_release(&rows->routes);
	strmap_release(&rows->by_name);
	tally_release(&rows->other);
	str_release(&rows->key);
}

/* The request of these queries will never be known: counts them as queries of
 * no request. */
static void
end_idle(struct request_rows *rows, struct idle_thread *idle)
{
	if (!idle)
		return;
	add_sums(&rows->other, &idle->tally);
	free_idle(idle);
}

void
request_rows_end_idle(struct request_rows *rows)
{
	size_t cursor = 0;
	void *idle;

	while (map_next(&rows->idle, &cursor, NULL, &idle))
		end_idle(rows, idle);
	map_clear(&rows->idle);
}

void
request_rows_move(struct request_rows *rows, const struct event *event)
{
	struct idle_thread *idle =
		map_remove(&rows->idle, (uint64_t)event->tid);
	struct open_request *open = map_get(&rows->open, event->request->id);

	if (!idle || !open || idle->began < event->call->began) {
		end_idle(rows, idle);
		return;
	}
	tally_add(&open->tally, &idle->tally, false);
	free_idle(idle);
}

void
request_rows_begin(struct request_rows *rows, const struct event *event)
{
	struct open_request *open = xcalloc(1, sizeof(*open));

	end_idle(rows, map_remove(&rows->idle, (uint64_t)event->tid));
	tally_init(&open->tally);
	str_clear(&rows->key);
	request_rows_add_name(&rows->key, event->request);
	open->name = xstrdup(str_text(&rows->key));
	map_put(&rows->open, event->request->id, open);
}

static struct request_route *
route_of(struct request_rows *rows, const char *name)
{
	struct request_route *route = strmap_get(&rows->by_name, name);

	if (!route && rows->routes.count >= ROUTES_MOST) {
		name = OTHERS;
		route = strmap_get(&rows->by_name, name);
	}
	if (route)
		return route;
	route = xcalloc(1, sizeof(*route));
	route->name = xstrdup(name);
	tally_init(&route->tally);
	strmap_put(&rows->by_name, name, route);
	vec_push(&rows->routes, route);
	return route;
}

void
request_rows_end(struct request_rows *rows, const struct event *event)
{
	struct open_request *open = map_remove(&rows->open, event->request->id);
	struct request_route *route;

	if (!open)
		return;
	route = route_of(rows, open->name);
	route->count++;
	route->unfinished += event->request->unfinished;
	route->time += event->call->duration;
	tally_add(&route->tally, &open->tally, true);
	free_open(open);
}

/* Makes the name of a query: the query, and the line that makes it. */
static const char *
name_of(struct request_rows *rows, const struct event_call *call,
	const struct argument *sql)
{
	const struct frame *frame = frames_asking(call);

	str_clear(&rows->key);
	if (!query_add_name(&rows->key, sql))
		str_add(&rows->key, "?");
	if (frame) {
		str_add(&rows->key, " at ");
		frames_add_one(&rows->key, frame);
	}
	return str_text(&rows->key);
}

static struct request_tally *
tally_of(struct request_rows *rows, const struct event *event)
{
	struct open_request *open = map_get(&rows->open, event->call->request);
	struct idle_thread *idle = map_get(&rows->idle, (uint64_t)event->tid);

	if (open)
		return &open->tally;
	if (!idle) {
		idle = xcalloc(1, sizeof(*idle));
		idle->began = event->call->began;
		tally_init(&idle->tally);
		map_put(&rows->idle, (uint64_t)event->tid, idle);
	}
	return &idle->tally;
}

void
request_rows_query(struct request_rows *rows, const struct event *event)
{
	const struct event_call *call = event->call;
	const struct event_outcome *outcome = call->outcome;
	const struct argument *sql = query_argument(call);
	struct request_tally *tally;
	struct request_repeat *repeat;

	if (!sql && !call->connects)
		return;
	tally = tally_of(rows, event);
	if (call->connects) {
		tally->connects++;
		tally->connecting += call->duration;
		return;
	}
	tally->queries++;
	tally->time += call->duration;
	if (outcome) {
		tally->errors += outcome->failed;
		tally->has_rows |= outcome->has_rows;
		if (outcome->has_rows && outcome->rows > 0)
			tally->rows += (uint64_t)outcome->rows;
	}
	repeat = repeat_of(tally, name_of(rows, call, sql));
	repeat->count++;
	repeat->time += call->duration;
}
