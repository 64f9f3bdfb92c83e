/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of --summary. Totals and maxima are exact, percentiles within
 * HISTOGRAM_ERROR. The footer adds the times of queries and the own times of
 * other calls, which never overlap. It is therefore the time that the program
 * spent in traced calls, summed over its threads.
 *
 * In a table of queries, the query is what one wants to read, so only a few
 * numbers are before it. --wide adds the others, for example the time of
 * fetching what came after the first parts of the answers. What is not known is
 * blank. Below each query is the text of the slowest one, cut at -s, with the
 * query's id.
 */
#include "output/tables/summary_table.h"

#include "base/attr.h"
#include "base/escape.h"
#include "output/jsonw.h"
#include "output/query.h"
#include "output/stamp.h"
#include "values/show.h"
#include "values/value.h"

#include <stdio.h>
#include <string.h>

/* A row to print, with its numbers by column. */
struct summary_line {
	const struct summary_row *row;
	const struct summary_tally *tally;
	uint64_t numbers[LOOK_SORT_NAME];
	enum look_sort sort;
};

/* The time of all rows. Measuring errors can make the sum of a row, and so this
 * sum, too small. All rows together have taken no less than each of them. */
struct all_rows {
	int64_t sum, most;
};

struct summary_table {
	const struct look *look;
	vec_of(struct summary_line) lines;
	size_t shown;
	uint64_t calls;
	struct all_rows self, total, spent;
	uint64_t errors;
	size_t queries; /* rows that are queries; others are functions */
	bool details;	/* some rows have queries, errors or numbers of rows */
	/* columns that the table does not have */
	bool left_out[LOOK_SORT_NAME];
};

static uint64_t
not_below_0(int64_t ns)
{
	return ns > 0 ? (uint64_t)ns : 0;
}

static void
add_time(struct all_rows *all, int64_t ns)
{
	all->sum += ns;
	if (ns > all->most)
		all->most = ns;
}

static uint64_t
all_shown(const struct all_rows *all)
{
	return event_shown(all->sum > all->most ? all->sum : all->most);
}

static bool
is_known(const struct summary_tally *tally, enum look_sort column)
{
	switch (column) {
	case LOOK_SORT_MEAN:
	case LOOK_SORT_P50:
	case LOOK_SORT_P95:
	case LOOK_SORT_P99:
		return tally->times.count > 0;
	case LOOK_SORT_FETCH:
		return tally->has_first;
	case LOOK_SORT_ROWS:
		return tally->has_rows;
	case LOOK_SORT_BYTES:
		return tally->has_bytes;
	default:
		return true;
	}
}

static bool
is_time(enum look_sort column)
{
	return column != LOOK_SORT_CALLS && column < LOOK_SORT_ERRORS;
}

/* The share of the row in the time of all rows: 0 to 1. */
static double
share_of(const struct summary_table *table, const struct summary_line *line)
{
	double whole = (double)all_shown(&table->total);
	double share = (double)line->numbers[LOOK_SORT_TOTAL] / whole;

	return share < 1 ? share : 1;
}

/* Measuring errors cancel out in the total, but not in the longest of many
 * calls. No call has taken longer than all of them together. */
static void
limit_to_total(struct summary_line *line)
{
	for (enum look_sort i = LOOK_SORT_MEAN; i <= LOOK_SORT_MAX; i++) {
		if (line->numbers[i] > line->numbers[LOOK_SORT_TOTAL])
			line->numbers[i] = line->numbers[LOOK_SORT_TOTAL];
	}
}

static void
add_row(struct summary_table *table, const struct summary_row *row,
	const struct summary_tally *tally)
{
	const struct histogram *times = &tally->times;
	struct summary_line line = { row, tally, { 0 }, table->look->sort };

	if (summary_tally_calls(tally) == 0)
		return;
	line.numbers[LOOK_SORT_TOTAL] = event_shown(summary_tally_sum(tally));
	line.numbers[LOOK_SORT_SELF] = event_shown(tally->self);
	line.numbers[LOOK_SORT_CALLS] = summary_tally_calls(tally);
	line.numbers[LOOK_SORT_MEAN] = histogram_mean(times);
	line.numbers[LOOK_SORT_P50] = histogram_percentile(times, 500);
	line.numbers[LOOK_SORT_P95] = histogram_percentile(times, 950);
	line.numbers[LOOK_SORT_P99] = histogram_percentile(times, 990);
	line.numbers[LOOK_SORT_MAX] = summary_tally_most(tally);
	line.numbers[LOOK_SORT_ERRORS] = tally->errors;
	line.numbers[LOOK_SORT_ROWS] = tally->rows;
	line.numbers[LOOK_SORT_BYTES] = tally->bytes;
	line.numbers[LOOK_SORT_FETCH] = not_below_0(tally->fetch);
	limit_to_total(&line);
	vec_push(&table->lines, line);
	table->calls += summary_tally_calls(tally);
	add_time(&table->self, tally->self);
	add_time(&table->total, summary_tally_sum(tally));
	add_time(&table->spent, tally->spent);
	table->errors += tally->errors;
	table->queries += row->sql;
	table->details =
		table->details || row->sql || tally->errors || tally->has_rows;
}

/* Sorts rows by their numbers, the largest first. Names, and rows with equal
 * numbers, are sorted from a to z. */
static int
compare_lines(const void *left, const void *right)
{
	const struct summary_line *a = left, *b = right;

	if (a->sort < LOOK_SORT_NAME) {
		uint64_t one = a->numbers[a->sort], two = b->numbers[a->sort];

		if (one != two)
			return one < two ? 1 : -1;
	}
	return strcmp(a->row->name, b->row->name);
}

static void
table_fill(struct summary_table *table, const struct summary_rows *rows,
	   bool recent)
{
	for (size_t i = 0; i < rows->list.count; i++) {
		const struct summary_row *row = rows->list.at[i];

		add_row(table, row, recent ? &row->recent : &row->whole);
	}
	vec_sort(&table->lines, compare_lines);
	table->shown = table->lines.count;
	if (table->look->top > 0 && table->shown > table->look->top)
		table->shown = table->look->top;
}

/* True if the table has both queries and functions. */
static bool
is_mixed(const struct summary_table *table)
{
	return table->queries > 0 && table->queries < table->lines.count;
}

/* The word for what a row is: a function, a query, a call (a table of both), or
 * what --group-by names. */
static const char *
title(const struct summary_table *table)
{
	if (table->look->group_by)
		return table->look->group_by;
	if (is_mixed(table))
		return "call";
	return table->queries > 0 ? "query" : "function";
}

/* ---- as text
 * --------------------------------------------------------------------
 */

/* The columns, from left to right. */
static const struct {
	const char *title;
	/* the column's width in a narrow table; 0: such a table does not have
	 * it */
	unsigned narrow;
} columns[LOOK_SORT_NAME] = {
	[LOOK_SORT_TOTAL] = { "total", 7 },
	[LOOK_SORT_SELF] = { "self", 0 },
	[LOOK_SORT_CALLS] = { "calls", 6 },
	[LOOK_SORT_MEAN] = { "mean", 7 },
	[LOOK_SORT_P50] = { "p50", 0 },
	[LOOK_SORT_P95] = { "p95", 7 },
	[LOOK_SORT_P99] = { "p99", 0 },
	[LOOK_SORT_MAX] = { "max", 0 },
	[LOOK_SORT_FETCH] = { "fetch", 0 },
	[LOOK_SORT_ERRORS] = { "errors", 6 },
	[LOOK_SORT_ROWS] = { "rows", 0 },
	[LOOK_SORT_BYTES] = { "bytes", 0 },
};

#define WIDE 9
#define SHARE 6
#define NAME_LEAST 24 /* columns of the terminal for a name */

/* The columns that are left out first if a terminal is too narrow. */
static const enum look_sort optional[] = {
	LOOK_SORT_P50,	LOOK_SORT_P99,	LOOK_SORT_BYTES,  LOOK_SORT_FETCH,
	LOOK_SORT_SELF, LOOK_SORT_ROWS, LOOK_SORT_ERRORS, LOOK_SORT_MEAN,
	LOOK_SORT_P95,	LOOK_SORT_MAX,
};

/* The width of a column; 0 if the table does not have it. */
static unsigned
width_of(const struct summary_table *table, enum look_sort column)
{
	if (table->left_out[column])
		return 0;
	if (!table->details)
		return column < LOOK_SORT_FETCH ? WIDE : 0;
	if (table->look->wide)
		return WIDE;
	if (column == LOOK_SORT_ERRORS && table->errors == 0)
		return 0;
	/* The table always shows the column by which its rows are sorted. */
	if (column == table->look->sort && !columns[column].narrow)
		return WIDE;
	return columns[column].narrow;
}

/* How many columns of the terminal a column takes. */
static unsigned
room_of(const struct summary_table *table, enum look_sort column)
{
	unsigned width = width_of(table, column);

	return width > 0 ? width + 1 : 0;
}

/* Leaves columns out until names fit. width is that of the terminal. The column
 * by which the rows are sorted stays. */
static void
make_narrow(struct summary_table *table, unsigned width)
{
	unsigned used = 1 + (table->details ? SHARE + 1 : 0);

	if (table->look->wide)
		return;
	for (enum look_sort i = 0; i < LOOK_SORT_NAME; i++)
		used += room_of(table, i);
	for (size_t i = 0;
	     i < array_size(optional) && used + NAME_LEAST > width; i++) {
		if (optional[i] == table->look->sort)
			continue;
		used -= room_of(table, optional[i]);
		table->left_out[optional[i]] = true;
	}
}

static void
add_right(struct str *to, const char *text, int width)
{
	str_addf(to, "%*s ", width, text);
}

/* " 43.2%" of the time of all rows. */
static void
add_share(struct str *to, const struct summary_table *table,
	  const struct summary_line *line)
{
	char text[16];

	snprintf(text, sizeof(text), "%.1f%%", 100 * share_of(table, line));
	add_right(to, text, SHARE);
}

static void
add_cells(struct str *to, const struct summary_table *table,
	  const struct summary_line *line)
{
	struct str cell;

	str_init(&cell);
	for (enum look_sort i = 0; i < LOOK_SORT_NAME; i++) {
		unsigned width = width_of(table, i);

		if (width == 0)
			continue;
		str_clear(&cell);
		if (is_known(line->tally, i) && is_time(i))
			stamp_add_short(&cell, line->numbers[i]);
		else if (is_known(line->tally, i))
			str_add_unsigned(&cell, line->numbers[i]);
		add_right(to, str_text(&cell), width);
		if (i == LOOK_SORT_TOTAL && table->details)
			add_share(to, table, line);
	}
	str_release(&cell);
}

static void
add_titles(struct str *to, const struct summary_table *table)
{
	for (enum look_sort i = 0; i < LOOK_SORT_NAME; i++) {
		unsigned width = width_of(table, i);

		if (width > 0)
			add_right(to, columns[i].title, width);
		if (i == LOOK_SORT_TOTAL && table->details)
			add_right(to, "share", SHARE);
	}
	str_add_char(to, ' ');
	escape_name(to, title(table));
	str_add_char(to, '\n');
}

static void
add_name(struct str *to, const struct summary_row *row)
{
	struct str name;

	str_init(&name);
	if (row->sql)
		query_add_folded(&name, row->name);
	escape_name(to, row->sql ? str_text(&name) : row->name);
	str_release(&name);
}

static void
add_sample(struct str *to, const struct summary_table *table,
	   const struct summary_line *line)
{
	size_t length = strlen(line->tally->sample), most;
	struct value_chars sample = { line->tally->sample, length, false };

	most = table->look->string_length;
	if (length > most) {
		sample.length = jsonw_whole_characters(sample.bytes, most);
		sample.cut = true;
	}
	str_add(to, "    ");
	if (line->row->sql) {
		query_add_id(to, line->row->query);
		str_add_char(to, ' ');
	}
	str_add_char(to, '<');
	stamp_add_seconds(to, line->numbers[LOOK_SORT_MAX]);
	str_add(to, "> ");
	escape_name(to, line->tally->sample_function);
	str_add_char(to, ' ');
	show_text(to, &sample, false);
	str_add_char(to, '\n');
}

static void
add_line(struct str *to, const struct summary_table *table,
	 const struct summary_line *line)
{
	add_cells(to, table, line);
	str_add_char(to, ' ');
	add_name(to, line->row);
	str_add_char(to, '\n');
	if (table->details && line->tally->sample)
		add_sample(to, table, line);
}

static void
add_groups(struct str *to, size_t count, const char *by)
{
	str_add(to, "in ");
	str_add_count(to, count, "group", "groups");
	str_add(to, " by ");
	escape_name(to, by);
	str_add(to, ", ");
}

static void
add_names(struct str *to, const struct summary_table *table)
{
	size_t functions = table->lines.count - table->queries;

	str_add(to, "of ");
	if (table->queries > 0)
		str_add_count(to, table->queries, "query", "queries");
	if (is_mixed(table))
		str_add(to, " and ");
	if (table->queries == 0 || is_mixed(table))
		str_add_count(to, functions, "function", "functions");
	str_add(to, ", ");
}

static void
add_footer(struct str *to, const struct summary_table *table)
{
	const struct look *look = table->look;

	if (table->shown < table->lines.count)
		str_addf(to, "... and %zu more\n",
			 table->lines.count - table->shown);
	str_add_count(to, table->calls, "call", "calls");
	str_add_char(to, ' ');
	if (look->group_by && strcmp(look->group_by, "function") != 0)
		add_groups(to, table->lines.count, look->group_by);
	else
		add_names(to, table);
	stamp_add_short(to, all_shown(&table->spent));
	str_add(to, " in them\n");
}

static void
add_text(struct str *to, const struct summary_table *table)
{
	add_titles(to, table);
	for (size_t i = 0; i < table->shown; i++)
		add_line(to, table, &table->lines.at[i]);
	add_footer(to, table);
}

/* ---- as JSON
 * ---------------------------------------------------------------------
 */

static void
begin_json(struct jsonw *json, struct str *to, const char *event,
	   const struct summary_table *table, uint64_t when)
{
	jsonw_init(json, to);
	jsonw_open(json, '{');
	jsonw_key(json, "event");
	jsonw_ascii(json, event);
	jsonw_key(json, "time");
	jsonw_seconds(json, when + table->look->epoch_offset);
}

static void
end_json(struct jsonw *json, struct str *to)
{
	jsonw_close(json, '}');
	str_add_char(to, '\n');
}

static void
add_json_text(struct jsonw *json, const char *key, const char *text)
{
	jsonw_key(json, key);
	jsonw_text(json, text, strlen(text));
}

static void
add_json_line(struct str *to, const struct summary_table *table,
	      const struct summary_line *line, uint64_t when)
{
	struct str id = { 0 };
	char share[16];
	struct jsonw json;

	begin_json(&json, to, "row", table, when);
	add_json_text(&json, "name", line->row->name);
	if (line->row->sql) {
		query_add_id(&id, line->row->query);
		add_json_text(&json, "query", str_text(&id));
	}
	for (enum look_sort i = 0; i < LOOK_SORT_NAME; i++) {
		if (!is_known(line->tally, i))
			continue;
		jsonw_key(&json, columns[i].title);
		if (is_time(i))
			jsonw_seconds(&json, line->numbers[i]);
		else
			jsonw_unsigned(&json, line->numbers[i]);
	}
	snprintf(share, sizeof(share), "%.4f", share_of(table, line));
	jsonw_key(&json, "share");
	jsonw_number(&json, share);
	if (line->tally->sample) {
		add_json_text(&json, "sample", line->tally->sample);
		add_json_text(&json, "function", line->tally->sample_function);
	}
	end_json(&json, to);
	str_release(&id);
}

static void
add_json(struct str *to, const struct summary_table *table, uint64_t when)
{
	struct jsonw json;

	for (size_t i = 0; i < table->shown; i++)
		add_json_line(to, table, &table->lines.at[i], when);
	begin_json(&json, to, "summary", table, when);
	add_json_text(&json, "group", title(table));
	jsonw_key(&json, "groups");
	jsonw_unsigned(&json, table->lines.count);
	jsonw_key(&json, "calls");
	jsonw_unsigned(&json, table->calls);
	jsonw_key(&json, "self");
	jsonw_seconds(&json, all_shown(&table->self));
	jsonw_key(&json, "spent");
	jsonw_seconds(&json, all_shown(&table->spent));
	end_json(&json, to);
}

void
summary_table_add(struct str *to, const struct summary_rows *rows, bool recent,
		  unsigned width, uint64_t when)
{
	struct summary_table table = { .look = rows->look };

	table_fill(&table, rows, recent);
	if (width > 0)
		make_narrow(&table, width);
	if (rows->look->summary_json)
		add_json(to, &table, when);
	else
		add_text(to, &table);
	vec_release(&table.lines);
}
