/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of --alloc. A row is a line of the program and the way in which it
 * got memory.
 *
 * If only a part p of the time was watched, a growth counts 1/p times. All
 * bytes of a window are seen together or not at all, so the variance of the sum
 * has (1 - p) / p^2 times the square of these bytes for each window.
 *
 * No growth is extrapolated to the time between the last window and a program's
 * end, because a program may behave differently then. The table tells how long
 * this time was, and by how much the program's memory changed in it.
 */
#include "output/sink.h"

#include "base/str.h"
#include "base/xmalloc.h"
#include "output/growth_line.h"
#include "output/out.h"
#include "output/tables/heap_table.h"
#include "output/tables/named_rows.h"
#include "output/tables/unwatched.h"

#include <stdlib.h>
#include <string.h>

/* How many rows there are if --top is not given. */
#define ROWS_DEFAULT 40u

struct growth_row {
	char *name;
	double count, bytes;
};

struct growths_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	struct named_rows rows; /* of struct growth_row */
	uint64_t samples;
	double count, bytes, variance;
	/* The last window: its number, the bytes of its growths, and the part
	 * of the time that was watched (event->seen). */
	uint64_t window;
	double together, seen;
	bool estimated; /* growths count for a time that was not watched, too */
	struct unwatched unwatched;
	struct str name;
};

static struct growth_row *
row_of(struct growths_sink *table, const struct event *event)
{
	str_clear(&table->name);
	str_addf(&table->name, "(%s)  ", event->text);
	growth_line_add(&table->name, event->call);
	return named_rows_find(&table->rows, str_text(&table->name),
			       sizeof(struct growth_row));
}

static void
end_window(struct growths_sink *table)
{
	double p = table->seen;

	if (table->together > 0)
		table->variance +=
			table->together * table->together * (1 - p) / (p * p);
	table->together = 0;
}

static void
growths_event(struct sink *sink, const struct event *event)
{
	struct growths_sink *table =
		container_of(sink, struct growths_sink, sink);
	double bytes = (double)event->weight, seen = event->seen;
	struct growth_row *row;

	unwatched_take(&table->unwatched, event);
	if (event->kind != EVENT_GROWTH)
		return;
	row = row_of(table, event);
	row->count += 1 / seen;
	row->bytes += bytes / seen;
	table->samples++;
	table->count += 1 / seen;
	table->bytes += bytes / seen;
	if (table->window != event->window)
		end_window(table);
	table->window = event->window;
	table->together += bytes;
	table->seen = seen;
	table->estimated |= seen < 1;
}

static int
compare_rows(const void *left, const void *right)
{
	const struct growth_row *a = *(struct growth_row *const *)left;
	const struct growth_row *b = *(struct growth_row *const *)right;

	if (a->bytes < b->bytes || a->bytes > b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return strcmp(a->name, b->name);
}

static uint64_t
rounded(double number)
{
	return (uint64_t)(number + 0.5);
}

/* The square root by Heron's method; number is at least 0. */
static double
root(double number)
{
	double x = number > 1 ? number : 1;

	for (unsigned i = 0; i < 600 && x * x > number * 1.000001; i++)
		x = (x + number / x) / 2;
	return x;
}

static void
add_end(struct str *text, const struct growths_sink *table, size_t hidden)
{
	heap_table_growth_end(text, rounded(table->count),
			      rounded(table->bytes), hidden);
	if (table->estimated)
		str_addf(text,
			 "  estimated from %lu samples, error about %.0f %%\n",
			 table->samples,
			 100 * root(table->variance) / table->bytes);
	for (int last = 0; last < 2; last++) {
		const struct unwatched_sum *sum = &table->unwatched.sums[last];

		if (sum->gaps == 0)
			continue;
		str_add(text, "  ");
		unwatched_add_text(text, sum, last);
		str_add_char(text, '\n');
	}
}

static void
print(struct growths_sink *table)
{
	size_t shown = table->look->top ? table->look->top : ROWS_DEFAULT;
	struct str text;

	end_window(table);
	vec_sort(&table->rows.list, compare_rows);
	if (shown > table->rows.list.count)
		shown = table->rows.list.count;
	str_init(&text);
	heap_table_growth_head(&text);
	for (size_t i = 0; i < shown; i++) {
		const struct growth_row *row = table->rows.list.at[i];

		heap_table_growth(&text, rounded(row->count),
				  rounded(row->bytes), row->name);
	}
	add_end(&text, table, table->rows.list.count - shown);
	out_write(table->out, text.text, text.length);
	str_release(&text);
}

static void
growths_close(struct sink *sink)
{
	struct growths_sink *table =
		container_of(sink, struct growths_sink, sink);

	print(table);
	named_rows_release(&table->rows);
	str_release(&table->name);
	free(table);
}

static const struct sink_ops ops = {
	.name = "growths",
	.blind = true,
	.gaps = true,
	.event = growths_event,
	.close = growths_close,
};

struct sink *
growths_sink_new(const struct look *look, struct out *out)
{
	struct growths_sink *table = xcalloc(1, sizeof(*table));

	table->sink.ops = &ops;
	table->look = look;
	table->out = out;
	named_rows_init(&table->rows);
	str_init(&table->name);
	return &table->sink;
}
