/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of --sample. A row is a line of the program ("where"), a function
 * or a thread (--group-by).
 *
 *	self	the time in which the row was innermost
 *	total	the time in which it was anywhere on the stack, counted once
 *
 * output/tables/sample_name.c decides which row of a stack is innermost.
 *
 * A stack may contain a row several times (recursion), so each row notes the
 * last sample that has counted it.
 */
#include "output/sink.h"

#include "base/escape.h"
#include "base/map.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include "output/frames.h"
#include "output/out.h"
#include "output/tables/named_rows.h"
#include "output/tables/sample_name.h"

#include <stdlib.h>
#include <string.h>

/* How many rows there are if --top is not given. */
#define ROWS_DEFAULT 40u

struct sample_row {
	char *name;
	uint64_t self, total; /* times in ns */
	uint64_t samples; /* number of samples in which the row was innermost */
	uint64_t last;	  /* number of the last sample that has the row */
};

enum sample_key { BY_WHERE, BY_FUNCTION, BY_THREAD };

struct samples_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	enum sample_key by;
	struct named_rows rows; /* of struct sample_row */
	struct map threads;	/* tids of the threads that were sampled */
	size_t thread_count;
	uint64_t samples, time;
	struct str name;
};

/* ---- taking ----------------------------------------------------------------
 */

static struct sample_row *
row_of(struct samples_sink *table)
{
	return named_rows_find(&table->rows, str_text(&table->name),
			       sizeof(struct sample_row));
}

static void
count_total(struct samples_sink *table, struct sample_row *row, uint64_t weight)
{
	if (row->last == table->samples)
		return;
	row->last = table->samples;
	row->total += weight;
}

static void
count_self(struct samples_sink *table, struct sample_row *row, uint64_t weight)
{
	count_total(table, row, weight);
	row->self += weight;
	row->samples++;
}

static void
take_stack(struct samples_sink *table, const struct event *event)
{
	const struct event_call *call = event->call;
	bool where = table->by == BY_WHERE;
	const struct frame *inner = sample_inner(call, where);

	str_clear(&table->name);
	sample_add_name(&table->name, call, where);
	count_self(table, row_of(table), event->weight);
	for (unsigned i = 0; i < call->frame_count; i++) {
		/* The native frames in the stack of a script have no rows. */
		if (where && inner->kind != FRAME_NATIVE &&
		    call->frames[i].kind == FRAME_NATIVE &&
		    !sample_is_mark(&call->frames[i]))
			continue;
		str_clear(&table->name);
		sample_add_frame(&table->name, &call->frames[i], where);
		count_total(table, row_of(table), event->weight);
	}
}

static void
take_thread(struct samples_sink *table, const struct event *event)
{
	str_clear(&table->name);
	str_addf(&table->name, "thread %d of %d", event->tid, event->pid);
	if (event->text) {
		str_add(&table->name, " (");
		escape_name(&table->name, event->text);
		str_add_char(&table->name, ')');
	}
	count_self(table, row_of(table), event->weight);
}

static void
samples_event(struct sink *sink, const struct event *event)
{
	struct samples_sink *table =
		container_of(sink, struct samples_sink, sink);

	if (event->kind != EVENT_SAMPLE)
		return;
	table->samples++;
	table->time += event->weight;
	if (!map_get(&table->threads, (uint64_t)event->tid)) {
		map_put(&table->threads, (uint64_t)event->tid, table);
		table->thread_count++;
	}
	if (table->by == BY_THREAD)
		take_thread(table, event);
	else
		take_stack(table, event);
}

/* ---- printing --------------------------------------------------------------
 */

/* Sorts rows by their own time, the most first; rows with the same own time by
 * their total time, and then by their names. */
static int
compare_rows(const void *left, const void *right)
{
	const struct sample_row *a = *(struct sample_row *const *)left;
	const struct sample_row *b = *(struct sample_row *const *)right;

	if (a->self != b->self)
		return a->self < b->self ? 1 : -1;
	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return strcmp(a->name, b->name);
}

static double
percent(const struct samples_sink *table, uint64_t ns)
{
	return table->time ? 100.0 * (double)ns / (double)table->time : 0.0;
}

static void
add_row(struct samples_sink *table, struct str *text,
	const struct sample_row *row)
{
	str_addf(text, "%10.3f %5.1f%% %10.3f %5.1f%% %8lu  %s\n",
		 (double)row->self / 1e9, percent(table, row->self),
		 (double)row->total / 1e9, percent(table, row->total),
		 row->samples, row->name);
}

static void
print(struct samples_sink *table)
{
	static const char *const titles[] = { "where", "function", "thread" };
	size_t shown = table->look->top ? table->look->top : ROWS_DEFAULT;
	struct str text;

	vec_sort(&table->rows.list, compare_rows);
	if (shown > table->rows.list.count)
		shown = table->rows.list.count;
	str_init(&text);
	str_addf(&text, "%10s %6s %10s %6s %8s  %s\n", "self/s", "%", "total/s",
		 "%", "samples", titles[table->by]);
	for (size_t i = 0; i < shown; i++)
		add_row(table, &text, table->rows.list.at[i]);
	if (shown < table->rows.list.count)
		str_addf(&text, "%10s %zu more rows (--top)\n", "...",
			 table->rows.list.count - shown);
	str_addf(&text, "%10.3f in all, %lu samples of %zu %s\n",
		 (double)table->time / 1e9, table->samples, table->thread_count,
		 table->thread_count == 1 ? "thread" : "threads");
	out_write(table->out, text.text, text.length);
	str_release(&text);
}

static void
samples_close(struct sink *sink)
{
	struct samples_sink *table =
		container_of(sink, struct samples_sink, sink);

	print(table);
	named_rows_release(&table->rows);
	map_release(&table->threads);
	str_release(&table->name);
	free(table);
}

static const struct sink_ops ops = {
	.name = "samples",
	.blind = true,
	.event = samples_event,
	.close = samples_close,
};

struct sink *
samples_sink_new(const struct look *look, struct out *out)
{
	const char *by = look->group_by ? look->group_by : "where";
	struct samples_sink *table = xcalloc(1, sizeof(*table));

	table->sink.ops = &ops;
	table->look = look;
	table->out = out;
	table->by = !strcmp(by, "thread")     ? BY_THREAD
		    : !strcmp(by, "function") ? BY_FUNCTION
					      : BY_WHERE;
	named_rows_init(&table->rows);
	map_init(&table->threads);
	str_init(&table->name);
	return &table->sink;
}
