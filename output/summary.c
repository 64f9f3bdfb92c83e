/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table to look at first: per function how often, how long in all, how
 * much of that its own, and how slow the usual call, the slow ones and the
 * slowest are. Totals and maxima are exact, percentiles within
 * HISTOGRAM_ERROR; the footer adds own times, which overlap nowhere, so it is
 * the time that the program spent in traced calls, summed over its threads.
 *
 * A call counts when it is over or when we let go of it (the one that hangs
 * may be the one that matters); one whose return cannot be seen has no
 * duration and does not count.
 *
 * A row has two tallies: what came since the last table, and the whole run.
 * At each interval the first is printed and merged into the second, so that
 * the table is fresh, as top's is, and the last one is of everything.
 */
#include "output/sink.h"

#include "base/clock.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "output/histogram.h"
#include "output/label.h"
#include "output/nesting.h"
#include "output/out.h"
#include "output/stamp.h"

#include <stdlib.h>
#include <string.h>

struct tally {
	uint64_t self;
	struct histogram times;
};

struct row {
	char *name;
	struct tally recent;
	struct tally whole;
};

/* A row as printed: its numbers by the column they stand in. */
struct line {
	const char *name;
	uint64_t numbers[LOOK_SORT_NAME];
	enum look_sort sort;
};

struct table {
	vec_of(struct line) lines;
	uint64_t calls;
	uint64_t self;
};

struct summary_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	struct nesting nesting;
	struct strmap by_name;
	vec_of(struct row *) rows;
	struct stamp stamp;
	uint64_t printed; /* when the last table was */
};

static void
tally_merge(struct tally *to, struct tally *from)
{
	to->self += from->self;
	histogram_merge(&to->times, &from->times);
	from->self = 0;
	histogram_release(&from->times);
}

static struct row *
row_of(struct summary_sink *summary, const struct event_call *call)
{
	const char *label = label_of(call);
	struct row *row = strmap_get(&summary->by_name, label);

	if (row)
		return row;
	row = xcalloc(1, sizeof(*row));
	row->name = xstrdup(label);
	histogram_init(&row->recent.times);
	histogram_init(&row->whole.times);
	strmap_put(&summary->by_name, label, row);
	vec_push(&summary->rows, row);
	return row;
}

static void
summary_event(struct sink *sink, const struct event *event)
{
	struct summary_sink *summary =
		container_of(sink, struct summary_sink, sink);
	struct event_call *call = event->call;
	struct row *row;
	uint64_t self;

	if (event->kind == EVENT_ENTRY)
		call->kept[sink->index] =
			nesting_enter(&summary->nesting, event);
	if (event->kind != EVENT_RETURN)
		return;
	self = nesting_leave(&summary->nesting, event,
			     take(call->kept[sink->index]));
	if (call->end == CALL_ENTRY_ONLY)
		return;
	row = row_of(summary, call);
	row->recent.self += self;
	histogram_add(&row->recent.times, call->duration);
}

static void
table_add(struct table *table, const struct row *row, const struct tally *tally,
	  enum look_sort sort)
{
	const struct histogram *times = &tally->times;
	struct line line = { row->name, { 0 }, sort };

	if (times->count == 0)
		return;
	line.numbers[LOOK_SORT_TOTAL] = times->sum;
	line.numbers[LOOK_SORT_SELF] = tally->self;
	line.numbers[LOOK_SORT_CALLS] = times->count;
	line.numbers[LOOK_SORT_MEAN] = histogram_mean(times);
	line.numbers[LOOK_SORT_P50] = histogram_percentile(times, 500);
	line.numbers[LOOK_SORT_P95] = histogram_percentile(times, 950);
	line.numbers[LOOK_SORT_P99] = histogram_percentile(times, 990);
	line.numbers[LOOK_SORT_MAX] = times->most;
	vec_push(&table->lines, line);
	table->calls += times->count;
	table->self += tally->self;
}

/* The largest first; names, and among equals, from a to z. */
static int
compare_lines(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if (a->sort < LOOK_SORT_NAME) {
		uint64_t one = a->numbers[a->sort], two = b->numbers[a->sort];

		if (one != two)
			return one < two ? 1 : -1;
	}
	return strcmp(a->name, b->name);
}

static void
add_cell(struct str *text, uint64_t number, bool time)
{
	struct str cell = { 0 };

	if (time)
		stamp_add_short(&cell, number);
	else
		str_add_unsigned(&cell, number);
	if (cell.length < 9)
		str_add_repeated(text, ' ', 9 - cell.length);
	str_add_bytes(text, cell.text, cell.length);
	str_add_char(text, ' ');
	str_release(&cell);
}

static void
add_line(struct str *text, const struct line *line)
{
	for (unsigned i = 0; i < LOOK_SORT_NAME; i++)
		add_cell(text, line->numbers[i], i != LOOK_SORT_CALLS);
	str_addf(text, " %s\n", line->name);
}

static void
add_footer(struct str *text, const struct table *table, size_t shown)
{
	if (shown < table->lines.count)
		str_addf(text, "... and %zu more\n",
			 table->lines.count - shown);
	str_addf(text, "%lu calls of %zu functions, ", table->calls,
		 table->lines.count);
	stamp_add_short(text, table->self);
	str_add(text, " in them\n");
}

static void
print_table(struct summary_sink *summary, struct table *table)
{
	size_t shown = table->lines.count;
	struct str text;

	str_init(&text);
	if (summary->look->top > 0 && shown > summary->look->top)
		shown = summary->look->top;
	vec_sort(&table->lines, compare_lines);
	str_add(&text, "    total      self     calls      mean       p50"
		       "       p95       p99       max  function\n");
	for (size_t i = 0; i < shown; i++)
		add_line(&text, &table->lines.at[i]);
	add_footer(&text, table, shown);
	out_write(summary->out, text.text, text.length);
	str_release(&text);
}

/* What came since the last table; it then belongs to the whole. */
static void
print_recent(struct summary_sink *summary)
{
	enum look_sort sort = summary->look->sort;
	struct table table = { 0 };

	for (size_t i = 0; i < summary->rows.count; i++) {
		struct row *row = summary->rows.at[i];

		table_add(&table, row, &row->recent, sort);
		tally_merge(&row->whole, &row->recent);
	}
	print_table(summary, &table);
	vec_release(&table.lines);
}

static void
print_whole(struct summary_sink *summary)
{
	enum look_sort sort = summary->look->sort;
	struct table table = { 0 };

	for (size_t i = 0; i < summary->rows.count; i++) {
		struct row *row = summary->rows.at[i];

		tally_merge(&row->whole, &row->recent);
		table_add(&table, row, &row->whole, sort);
	}
	print_table(summary, &table);
	vec_release(&table.lines);
}

static void
summary_tick(struct sink *sink)
{
	struct summary_sink *summary =
		container_of(sink, struct summary_sink, sink);
	struct look clock = *summary->look;
	uint64_t now = clock_now();
	struct str text;

	if (clock.interval == 0 || now - summary->printed < clock.interval)
		return;
	summary->printed = now;
	clock.time = LOOK_TIME_SECONDS;
	str_init(&text);
	stamp_add(&summary->stamp, &clock, now, &text);
	text.text[text.length - 1] = '\n';
	out_write(summary->out, text.text, text.length);
	str_release(&text);
	print_recent(summary);
	out_write(summary->out, "\n", 1);
}

static void
summary_close(struct sink *sink)
{
	struct summary_sink *summary =
		container_of(sink, struct summary_sink, sink);

	print_whole(summary);
	for (size_t i = 0; i < summary->rows.count; i++) {
		struct row *row = summary->rows.at[i];

		histogram_release(&row->recent.times);
		histogram_release(&row->whole.times);
		free(row->name);
		free(row);
	}
	vec_release(&summary->rows);
	strmap_release(&summary->by_name);
	nesting_release(&summary->nesting);
	free(summary);
}

static const struct sink_ops ops = {
	.name = "summary",
	.blind = true,
	.event = summary_event,
	.tick = summary_tick,
	.close = summary_close,
};

struct sink *
summary_sink_new(const struct look *look, struct out *out)
{
	struct summary_sink *summary = xcalloc(1, sizeof(*summary));

	summary->sink.ops = &ops;
	summary->look = look;
	summary->out = out;
	summary->printed = clock_now();
	nesting_init(&summary->nesting);
	strmap_init(&summary->by_name);
	stamp_init(&summary->stamp);
	return &summary->sink;
}
