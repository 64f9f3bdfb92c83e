/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ltrace's -c, with the same columns, because scripts parse it. Its rules are
 * kept as far as the table shows them. A call counts when it ends, with the
 * time from entry to return. Nested calls are therefore counted twice, and the
 * percentages refer to that sum. exit(), which does not return, is not in it.
 * Rows are sorted by time, the longest first (we sort equal times by name).
 * --summary is the better table; this one is for users of ltrace.
 */
#include "output/sink.h"

#include "base/escape.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include "output/label.h"
#include "output/left_out.h"
#include "output/out.h"
#include "output/tables/named_rows.h"

#include <stdlib.h>
#include <string.h>

struct row {
	char *name;
	char *display; /* how the first call was displayed */
	int64_t time;
	uint64_t calls;
};

struct count_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	struct named_rows rows; /* of struct row */
	struct row *last;
	struct str name;
	struct left_outs left_outs;
};

static struct row *
find_row(struct count_sink *count, const struct event_call *call)
{
	const char *label = label_of(call);
	struct row *row;

	str_clear(&count->name);
	str_add_bytes(&count->name, label,
		      count->look->as_ltrace ? label_plain_length(call, label)
					     : strlen(label));
	row = named_rows_find(&count->rows, str_text(&count->name),
			      sizeof(*row));
	if (!row->display)
		row->display = xstrdup(call->display);
	return row;
}

/* The row of the last call is kept, because often the same function is called
 * many times in a row. */
static struct row *
row_of(struct count_sink *count, const struct event_call *call)
{
	if (!count->last || strcmp(count->last->display, call->display) != 0)
		count->last = find_row(count, call);
	return count->last;
}

static void
count_event(struct sink *sink, const struct event *event)
{
	struct count_sink *count = container_of(sink, struct count_sink, sink);
	bool sum = event->kind == EVENT_SUM;
	struct row *row;

	if (left_outs_take(&count->left_outs, event))
		return;
	if (!sum && event->kind != EVENT_RETURN)
		return;
	if (!sum && event->call->end != CALL_RETURNED &&
	    event->call->end != CALL_UNWOUND && !event->call->point &&
	    !(event->call->end == CALL_NO_RETURN && count->look->as_ltrace))
		return;
	row = row_of(count, event->call);
	row->time += event->call->duration;
	row->calls += sum ? event->calls : 1;
}

static int
compare_rows(const void *left, const void *right)
{
	const struct row *a = *(struct row *const *)left;
	const struct row *b = *(struct row *const *)right;

	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* all: the time of all rows, in ns because brief calls may take less than a
 * microsecond. */
static void
add_row(struct str *text, const struct row *row, uint64_t all)
{
	uint64_t ns = event_shown(row->time), micros = ns / 1000;
	/* Hundredths of a per cent, rounded. */
	uint64_t share = (uint64_t)((double)ns * 10000 / (double)all + 0.5);

	str_addf(text, "%3lu.%02lu %4lu.%06lu %11lu %9lu ", share / 100,
		 share % 100, micros / 1000000, micros % 1000000,
		 micros / row->calls, row->calls);
	escape_name(text, row->name);
	str_add_char(text, '\n');
}

static void
add_table(struct str *text, const struct count_sink *count)
{
	static const char rule[] = "------ ----------- ----------- --------- "
				   "--------------------\n";
	uint64_t all = 0, micros = 0, calls = 0;

	for (size_t i = 0; i < count->rows.list.count; i++) {
		const struct row *row = count->rows.list.at[i];
		uint64_t ns = event_shown(row->time);

		all += ns;
		micros += ns / 1000;
		calls += row->calls;
	}
	str_add(text, "% time     seconds  usecs/call     calls"
		      "      function\n");
	str_add(text, rule);
	for (size_t i = 0; i < count->rows.list.count; i++)
		add_row(text, count->rows.list.at[i], all);
	str_add(text, rule);
	str_addf(text, "100.00 %4lu.%06lu             %9lu total\n",
		 micros / 1000000, micros % 1000000, calls);
}

static void
count_close(struct sink *sink)
{
	struct count_sink *count = container_of(sink, struct count_sink, sink);
	struct str text;

	str_init(&text);
	vec_sort(&count->rows.list, compare_rows);
	add_table(&text, count);
	left_outs_add(&count->left_outs, "", &text);
	out_write(count->out, text.text, text.length);
	str_release(&text);
	for (size_t i = 0; i < count->rows.list.count; i++) {
		struct row *row = count->rows.list.at[i];

		free(row->display);
	}
	named_rows_release(&count->rows);
	left_outs_release(&count->left_outs);
	str_release(&count->name);
	free(count);
}

static const struct sink_ops ops = {
	.name = "count",
	.blind = true,
	.sums = true,
	.event = count_event,
	.close = count_close,
};

struct sink *
count_sink_new(const struct look *look, struct out *out)
{
	struct count_sink *count = xcalloc(1, sizeof(*count));

	count->sink.ops = &ops;
	count->look = look;
	count->out = out;
	named_rows_init(&count->rows);
	str_init(&count->name);
	return &count->sink;
}
