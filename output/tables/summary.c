/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call counts when it ends or when we leave the process (a call that blocks
 * may be the most important one). A call whose return cannot be traced has no
 * duration and does not count.
 *
 * A row has two tallies: one since the last table, and one for the whole run.
 * At each interval the first is printed and merged into the second. So each
 * table shows the last interval, as in top, and the final table shows the whole
 * run. On a terminal each table takes the place of the one before, and a table
 * has only columns that leave room for the names.
 *
 * If arguments are only needed to find SQL, this sink is nearly blind: only
 * functions that take SQL have their arguments fetched.
 */
#include "output/sink.h"

#include "base/clock.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include "output/group.h"
#include "output/left_out.h"
#include "output/nesting.h"
#include "output/out.h"
#include "output/stamp.h"
#include "output/tables/redraw.h"
#include "output/tables/summary_rows.h"
#include "output/tables/summary_table.h"

#include <stdlib.h>
#include <string.h>

struct summary_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	struct nesting nesting;
	struct summary_rows rows;
	struct stamp stamp;
	/* on a terminal, the table of the last interval */
	struct redraw redraw;
	struct left_outs left_outs;
	uint64_t printed; /* when the last table was printed */
};

static void
summary_event(struct sink *sink, const struct event *event)
{
	struct summary_sink *summary =
		container_of(sink, struct summary_sink, sink);
	struct event_call *call = event->call;
	int64_t self;

	if (left_outs_take(&summary->left_outs, event))
		return;
	if (event->kind == EVENT_ENTRY) {
		call->kept[sink->index] =
			nesting_enter(&summary->nesting, event);
		if (call->arguments)
			summary_rows_entry(&summary->rows, call);
	}
	if (event->kind == EVENT_SUM)
		summary_rows_sum(&summary->rows, event);
	if (event->kind == EVENT_SUM_WITHIN)
		nesting_add_inner(&summary->nesting, event);
	if (event->kind == EVENT_REQUEST || event->kind == EVENT_REQUEST_END)
		summary_rows_request(&summary->rows, event);
	if (event->kind == EVENT_TRANSACTION_END)
		summary_rows_transaction(&summary->rows, event);
	if (event->kind != EVENT_RETURN)
		return;
	self = nesting_leave(&summary->nesting, event,
			     take(call->kept[sink->index]));
	if (!event_endless(call))
		summary_rows_count(&summary->rows, event, self);
}

/* Adds the tallies since the last table to those of the whole run. */
static void
merge(struct summary_sink *summary)
{
	for (size_t i = 0; i < summary->rows.list.count; i++) {
		struct summary_row *row = summary->rows.list.at[i];

		summary_tally_merge(&row->whole, &row->recent);
	}
}

static void
add_time(struct summary_sink *summary, uint64_t now, struct str *to)
{
	struct look clock = *summary->look;

	clock.time = LOOK_TIME_SECONDS;
	stamp_add(&summary->stamp, &clock, now, to);
	to->text[to->length - 1] = '\n';
}

/* Adds what was left out below a table. */
static void
add_left_outs(const struct summary_sink *summary, struct str *to)
{
	if (summary->look->summary_json)
		left_outs_add_json(&summary->left_outs, to);
	else
		left_outs_add(&summary->left_outs, "  ", to);
}

static void
summary_tick(struct sink *sink)
{
	struct summary_sink *summary =
		container_of(sink, struct summary_sink, sink);
	uint64_t interval = summary->look->interval, now = clock_now();
	bool json = summary->look->summary_json;
	struct str text;

	if (interval == 0 || now - summary->printed < interval)
		return;
	summary->printed = now;
	str_init(&text);
	if (!json)
		add_time(summary, now, &text);
	summary_table_add(&text, &summary->rows, true,
			  redraw_width(&summary->redraw), now);
	add_left_outs(summary, &text);
	merge(summary);
	if (json) {
		out_write(summary->out, str_text(&text), text.length);
	} else {
		str_add_char(&text, '\n');
		redraw_text(&summary->redraw, &text);
	}
	str_release(&text);
}

static void
summary_make_room(struct sink *sink)
{
	struct summary_sink *summary =
		container_of(sink, struct summary_sink, sink);

	redraw_erase(&summary->redraw);
}

static void
summary_close(struct sink *sink)
{
	struct summary_sink *summary =
		container_of(sink, struct summary_sink, sink);
	struct str text;

	str_init(&text);
	redraw_erase(&summary->redraw);
	merge(summary);
	summary_table_add(&text, &summary->rows, false,
			  redraw_width(&summary->redraw), clock_now());
	add_left_outs(summary, &text);
	left_outs_release(&summary->left_outs);
	out_write(summary->out, str_text(&text), text.length);
	str_release(&text);
	summary_rows_release(&summary->rows);
	nesting_release(&summary->nesting);
	free(summary);
}

static const struct sink_ops ops = {
	.name = "summary",
	.blind = true,
	.sql = true,
	.whole = true,
	.sums = true,
	.times = true,
	.event = summary_event,
	.tick = summary_tick,
	.make_room = summary_make_room,
	.close = summary_close,
};

/*
 * The sink's functions if calls are grouped by an argument, which must then be
 * read.
 */
static const struct sink_ops reading_ops = {
	.name = "summary",
	.whole = true,
	.event = summary_event,
	.tick = summary_tick,
	.make_room = summary_make_room,
	.close = summary_close,
};

struct sink *
summary_sink_new(const struct look *look, struct out *out)
{
	struct summary_sink *summary = xcalloc(1, sizeof(*summary));

	summary->sink.ops =
		group_reads_arguments(look->group_by) ? &reading_ops : &ops;
	summary->look = look;
	summary->out = out;
	summary->redraw.out = out;
	summary->printed = clock_now();
	nesting_init(&summary->nesting);
	summary_rows_init(&summary->rows, look);
	stamp_init(&summary->stamp);
	return &summary->sink;
}
