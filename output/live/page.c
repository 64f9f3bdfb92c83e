/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From top to bottom: what is traced, the sums, the table, the calls in flight,
 * and a line with keys or a message. The calls in flight get at most a third of
 * the screen. Names are the last column and get the rest of the width.
 */
#include "output/live/page.h"

#include "base/escape.h"
#include "base/utf8.h"
#include "output/query.h"
#include "output/stamp.h"

#include <stdio.h>
#include <string.h>

#define HEAD_ROWS 3 /* the subject, the sums, the titles */
#define FOOT_ROWS 1
#define COLUMN 7
#define TID_COLUMN 7
#define SINCE_COLUMN 9

static const char *const titles[VIEW_SORTS] = {
	[VIEW_TOTAL] = "total", [VIEW_CALLS] = "calls",	  [VIEW_RATE] = "/s",
	[VIEW_P95] = "p95",	[VIEW_ERRORS] = "errors", [VIEW_ROWS] = "rows",
	[VIEW_NAME] = "name",
};

static const char *const help[] = {
	"q       leave, as ^C does",
	"s       sort by the next column; so does the right arrow key",
	"left    sort by the column before",
	"g       group by the next: query, where, request, function",
	"/       filter rows by a text in their names; Enter keeps it",
	"Escape  no filter",
	"Enter   details of the chosen row: text, stack, times, callers",
	"t       where each thread is now, with its stack",
	"w       write the table as JSON into a file",
	"f       write the flame graph into a file: .html, else SVG",
	"p       pause: the page stays as it is, until p again",
	"r       reset: count from now on",
	"up down page-up page-down home end   choose a row",
	"^L      draw the screen anew",
	"",
	"any key to go back",
};

/* Adds a number that fits into seven columns. */
static void
add_number(struct str *to, uint64_t number)
{
	if (number < 10000000)
		str_add_unsigned(to, number);
	else if (number < UINT64_C(9999950000)) /* less than 9999.95M */
		str_addf(to, "%.1fM", (double)number / 1e6);
	else
		str_addf(to, "%.1fG", (double)number / 1e9);
}

static void
add_rate(struct str *to, double rate)
{
	if (rate > 0 && rate < 99.95)
		str_addf(to, "%.1f", rate);
	else
		add_number(to, (uint64_t)(rate + 0.5));
}

/* Writes the text so that it ends before the column `end`. */
static void
put_right(struct cells *cells, unsigned row, unsigned end,
	  enum cell_style style, const char *text)
{
	unsigned width = (unsigned)strlen(text);

	cells_put(cells, row, width < end ? end - width : 0, style, text);
}

/* Adds the text. If it is longer than `most`, adds only its end, because the
 * end of a path says more than its beginning. */
static void
add_end(struct str *to, const char *text, size_t most)
{
	size_t length = strlen(text), columns = utf8_columns(text, length);
	size_t cut = 0;

	if (columns > most) {
		str_add(to, "...");
		cut = utf8_fitting(text, length, columns - most + 3);
	}
	escape_name(to, text + cut);
}

static void
put_name(struct cells *cells, unsigned row, unsigned column, bool chosen,
	 const struct figures_line *line)
{
	enum cell_style style = chosen ? CELL_CHOSEN : CELL_PLAIN;
	const struct summary_row *of = line->row;
	struct str name, shown;

	str_init(&name);
	str_init(&shown);
	if (of->sql)
		query_add_folded(&name, of->name);
	if (line->place && column < cells->width)
		add_end(&shown, of->name, cells->width - column);
	else
		escape_name(&shown, of->sql ? str_text(&name) : of->name);
	cells_put(cells, row, column, style, str_text(&shown));
	str_release(&name);
	str_release(&shown);
}

/* Adds the number of a column; nothing if the number is not known. */
static void
add_column(struct str *to, const struct figures_line *line,
	   enum view_sort column)
{
	switch (column) {
	case VIEW_TOTAL:
		stamp_add_short(to, line->total);
		break;
	case VIEW_CALLS:
		add_number(to, line->calls);
		break;
	case VIEW_RATE:
		add_rate(to, line->rate);
		break;
	case VIEW_P95:
		if (line->known_p95)
			stamp_add_short(to, line->p95);
		break;
	case VIEW_ERRORS:
		if (line->known_errors)
			add_number(to, line->errors);
		break;
	case VIEW_ROWS:
		if (line->known_rows)
			add_number(to, line->rows);
		break;
	case VIEW_NAME:
	case VIEW_SORTS:
		break;
	}
}

static void
draw_line(struct cells *cells, unsigned row, struct figures_line *line,
	  bool chosen)
{
	enum cell_style style = chosen ? CELL_CHOSEN : CELL_PLAIN;
	unsigned end = COLUMN;
	struct str text;

	if (chosen)
		cells_paint(cells, row, CELL_CHOSEN);
	figures_percentile(line);
	str_init(&text);
	for (enum view_sort i = 0; i < VIEW_NAME; i++, end += COLUMN + 1) {
		bool red = i == VIEW_ERRORS && line->errors > 0;

		str_clear(&text);
		add_column(&text, line, i);
		put_right(cells, row, end, red ? CELL_ERROR : style,
			  str_text(&text));
	}
	put_name(cells, row, end - COLUMN, chosen, line);
	str_release(&text);
}

/* The title of a column of numbers; it is empty if samples have no such
 * numbers. */
static const char *
title_of(const struct figures *figures, enum view_sort column)
{
	if (!figures->sampled || column == VIEW_TOTAL || column == VIEW_RATE)
		return titles[column];
	return column == VIEW_CALLS ? "samples" : "";
}

/* Draws the titles. The column by which the rows are sorted is marked. */
static void
draw_titles(const struct live_page *page, const struct live_view *view,
	    struct cells *cells, unsigned row)
{
	unsigned end = COLUMN;
	char title[32];

	cells_paint(cells, row, CELL_TITLE);
	for (enum view_sort i = 0; i <= VIEW_NAME; i++, end += COLUMN + 1) {
		snprintf(title, sizeof(title), "%s%s",
			 i == view->sort ? ">" : "",
			 i == VIEW_NAME ? page->group
					: title_of(page->figures, i));
		if (i < VIEW_NAME)
			put_right(cells, row, end, CELL_TITLE, title);
		else
			cells_put(cells, row, end - COLUMN, CELL_TITLE, title);
	}
}

static void
draw_head(const struct live_page *page, const struct live_view *view,
	  struct cells *cells)
{
	const struct figures *figures = page->figures;
	unsigned column = 0;
	struct str text;

	str_init(&text);
	str_add(&text, "xtrace ");
	escape_name(&text, page->subject ? page->subject : "");
	cells_put(cells, 0, column, CELL_PLAIN, str_text(&text));
	str_clear(&text);
	str_addf(&text, " %s %s", view->paused ? "PAUSED" : "", page->clock);
	put_right(cells, 0, cells->width, CELL_PLAIN, str_text(&text));
	str_clear(&text);
	if (figures->sampled)
		str_add_count(&text, figures->calls, "sample, ", "samples, ");
	else
		str_add_count(&text, figures->calls, "call, ", "calls, ");
	add_rate(&text, figures->rate);
	str_add(&text, "/s, ");
	if (!figures->sampled)
		str_add_count(&text, figures->errors, "error, ", "errors, ");
	if (figures->spent > 0)
		stamp_add_short(&text, (uint64_t)figures->spent);
	else
		str_add(&text, "no time");
	str_addf(&text, " in them, %zu in flight%s", page->call_count,
		 page->partly ? ", not all (--budget)" : "");
	cells_put(cells, 1, 0, CELL_PLAIN, str_text(&text));
	str_release(&text);
}

static void
draw_call(struct cells *cells, unsigned row, const struct page_call *call)
{
	unsigned column = TID_COLUMN + SINCE_COLUMN + 2;
	struct str text;

	if (cells->width < 2 * column)
		return;
	str_init(&text);
	str_add_signed(&text, call->tid);
	put_right(cells, row, TID_COLUMN, CELL_PLAIN, str_text(&text));
	str_clear(&text);
	if (call->before)
		str_add_char(&text, '>');
	stamp_add_short(&text, call->elapsed);
	put_right(cells, row, TID_COLUMN + 1 + SINCE_COLUMN, CELL_PLAIN,
		  str_text(&text));
	str_clear(&text);
	if (call->where) {
		add_end(&text, call->where, (cells->width - column) / 2);
		str_add(&text, "  ");
	}
	column = cells_put(cells, row, column, CELL_PLAIN, str_text(&text));
	str_clear(&text);
	escape_name(&text, call->text);
	cells_put(cells, row, column, CELL_PLAIN, str_text(&text));
	str_release(&text);
}

/* Draws the calls in flight from this row on, as many as fit. */
static void
draw_calls(const struct live_page *page, struct cells *cells, unsigned row,
	   unsigned room)
{
	char more[32];

	cells_paint(cells, row, CELL_TITLE);
	cells_put(cells, row, 0, CELL_TITLE, " thread       for in flight");
	if (page->call_count == 0)
		cells_put(cells, row + 1, TID_COLUMN + SINCE_COLUMN + 2,
			  CELL_QUIET, "nothing");
	for (size_t i = 0; i < page->call_count && i < room; i++)
		draw_call(cells, row + 1 + (unsigned)i, &page->calls[i]);
	if (page->call_count <= room)
		return;
	snprintf(more, sizeof(more), "and %zu more", page->call_count - room);
	put_right(cells, row, cells->width, CELL_TITLE, more);
}

/* Draws the last row with the text that the user is typing. */
static void
draw_typed(struct cells *cells, const char *title, const struct str *typed,
	   bool cursor)
{
	unsigned row = cells->height - 1, column;
	struct str text;

	str_init(&text);
	column = cells_put(cells, row, 0, CELL_PLAIN, title);
	escape_name(&text, str_text(typed));
	cells->cursor_column =
		cells_put(cells, row, column, CELL_PLAIN, str_text(&text));
	cells->cursor_row = row;
	cells->cursor = cursor;
	str_release(&text);
}

static void
draw_foot(const struct live_page *page, const struct live_view *view,
	  struct cells *cells)
{
	unsigned row = cells->height - 1;
	struct str text;

	str_init(&text);
	if (view->mode == VIEW_SAVE) {
		draw_typed(cells,
			   view->flame ? "write the flame graph into: "
				       : "write JSON into: ",
			   &view->file, true);
	} else if (view->mode == VIEW_FILTER) {
		draw_typed(cells, "filter: ", &view->filter, true);
	} else if (view->filter.length > 0) {
		draw_typed(cells, "filter: ", &view->filter, false);
	} else if (page->message) {
		escape_name(&text, page->message);
		cells_put(cells, row, 0, CELL_PLAIN, str_text(&text));
	} else {
		cells_put(cells, row, 0, CELL_QUIET,
			  "q leaves  s sorts  g groups  / filters  p pauses  r "
			  "resets  ? lists the keys");
	}
	str_release(&text);
}

static void
draw_help(struct cells *cells)
{
	cells_put(cells, 0, 0, CELL_TITLE, "Keys of xtrace --live");
	for (unsigned i = 0; i < array_size(help); i++)
		cells_put(cells, i + 2, 2, CELL_PLAIN, help[i]);
}

/* How many rows the calls in flight get, with their title. */
static unsigned
rows_of_calls(const struct live_page *page, const struct cells *cells)
{
	unsigned most = cells->height / 3, wanted;

	wanted =
		page->call_count < most ? (unsigned)page->call_count + 1 : most;
	return wanted < 2 ? 2 : wanted;
}

static void
draw_table(const struct live_page *page, struct live_view *view,
	   struct cells *cells)
{
	unsigned calls = rows_of_calls(page, cells), room;
	struct figures *figures = page->figures;
	size_t first = 0;

	view->rows = figures->lines.count;
	if (view->chosen >= view->rows)
		view->chosen = view->rows ? view->rows - 1 : 0;
	draw_head(page, view, cells);
	draw_foot(page, view, cells);
	if (cells->height < HEAD_ROWS + FOOT_ROWS + calls + 1)
		return;
	room = cells->height - HEAD_ROWS - FOOT_ROWS - calls;
	view->page = room;
	if (view->chosen >= room)
		first = view->chosen - room + 1;
	draw_titles(page, view, cells, HEAD_ROWS - 1);
	for (size_t i = first; i < view->rows && i - first < room; i++)
		draw_line(cells, HEAD_ROWS + (unsigned)(i - first),
			  &figures->lines.at[i], i == view->chosen);
	draw_calls(page, cells, HEAD_ROWS + room, calls - 1);
}

/* The end of the part of the line that fits into one row of the screen. */
static const char *
end_of_row(const char *line, size_t width)
{
	size_t length = strcspn(line, "\n");
	size_t fitting = utf8_fitting(line, length, width);

	return line + (fitting > 0 || length == 0 ? fitting : 1);
}

/* The part of the text for the next row of the screen. */
static const char *
next_row(const char *at, size_t width)
{
	const char *end = end_of_row(at, width);

	return end + (*end == '\n');
}

/* Draws the text from the row view->scroll on, or from an earlier row if the
 * page would not be full. A long line has several rows. */
static void
draw_text(const struct live_page *page, struct live_view *view,
	  struct cells *cells)
{
	const char *text = page->text ? page->text : "";
	size_t room = cells->height - 1, rows = 0, row = 0;
	struct str part;

	for (const char *at = text; *at; at = next_row(at, cells->width))
		rows++;
	view->page = room;
	if (view->scroll + room > rows)
		view->scroll = rows > room ? rows - room : 0;
	str_init(&part);
	for (const char *at = text; *at && row < view->scroll + room; row++) {
		const char *end = end_of_row(at, cells->width);

		str_clear(&part);
		str_add_bytes(&part, at, (size_t)(end - at));
		if (row >= view->scroll)
			cells_put(cells, (unsigned)(row - view->scroll), 0,
				  CELL_PLAIN, str_text(&part));
		at = next_row(at, cells->width);
	}
	cells_put(cells, (unsigned)room, 0, CELL_QUIET,
		  view->mode == VIEW_STACKS
			  ? "up and down scroll, t looks again, Escape goes "
			    "back, q leaves"
			  : "up and down scroll, Escape goes back, q leaves");
	str_release(&part);
}

void
page_draw(const struct live_page *page, struct live_view *view,
	  struct cells *cells)
{
	if (cells->height == 0 || cells->width == 0)
		return;
	if (view->mode == VIEW_HELP)
		draw_help(cells);
	else if (view->mode == VIEW_DETAILS || view->mode == VIEW_STACKS)
		draw_text(page, view, cells);
	else
		draw_table(page, view, cells);
}
