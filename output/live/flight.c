/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a query in flight is cut, because a page has one row for it. */
#include "output/live/flight.h"

#include "base/str.h"
#include "output/frames.h"
#include "output/label.h"
#include "output/query.h"
#include "values/fetch.h"
#include "values/value.h"

#include <stdlib.h>

#define TEXT_MOST 400
#define CALLS_MOST 1000

static void
add_text(struct str *to, const struct event_call *call)
{
	const struct argument *sql = query_argument(call);
	struct value_chars text;

	if (!sql)
		str_add(to, label_of(call));
	else if (value_text(&sql->value, TEXT_MOST, &text) == 0)
		str_add_bytes(to, text.bytes, text.length);
	else
		query_add_unknown(to, call);
}

static struct page_call
flight_of(const struct event *event)
{
	const struct frame *frame = frames_asking(event->call);
	struct page_call call = {
		.tid = event->tid,
		.elapsed = event_shown(event->call->duration),
		.before = event->call->before,
	};
	struct str text, where;

	str_init(&text);
	add_text(&text, event->call);
	call.text = str_take(&text);
	str_init(&where);
	if (frame) {
		frames_add_one(&where, frame);
		call.where = str_take(&where);
	}
	return call;
}

static void
drop(struct page_call *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(calls[i].text);
		free(calls[i].where);
	}
}

static int
compare(const void *left, const void *right)
{
	const struct page_call *a = left, *b = right;

	if (a->elapsed != b->elapsed)
		return a->elapsed < b->elapsed ? 1 : -1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

void
flights_tell(struct flights *flights, const struct event *event)
{
	if (flights->told.count < CALLS_MOST)
		vec_push(&flights->told, flight_of(event));
}

void
flights_take(struct flights *flights, bool paused)
{
	if (paused) {
		drop(flights->told.at, flights->told.count);
	} else {
		drop(flights->shown.at, flights->shown.count);
		vec_clear(&flights->shown);
		for (size_t i = 0; i < flights->told.count; i++)
			vec_push(&flights->shown, flights->told.at[i]);
		vec_sort(&flights->shown, compare);
	}
	vec_clear(&flights->told);
}

void
flights_release(struct flights *flights)
{
	flights_take(flights, false);
	drop(flights->shown.at, flights->shown.count);
	vec_release(&flights->told);
	vec_release(&flights->shown);
}
