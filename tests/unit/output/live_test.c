/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pages of --live and their keys, without a terminal. */
#include "suites.h"

#include "base/clock.h"
#include "output/live/cells.h"
#include "output/live/details.h"
#include "output/live/figures.h"
#include "output/live/page.h"
#include "output/live/sampled.h"
#include "output/live/view.h"
#include "output/look.h"
#include "stacks/stack.h"

#include <string.h>

#define MS 1000000

static const struct look look = { .string_length = 32 };
static struct summary_rows rows;
static struct figures figures;
static struct live_view view;
static struct cells cells;

static void
set_up(void)
{
	summary_rows_init(&rows, &look);
	figures_init(&figures, &rows, 0);
	view_init(&view, 3);
}

static void
tear_down(void)
{
	cells_release(&cells);
	view_release(&view);
	figures_release(&figures);
	summary_rows_release(&rows);
}

/* Counts calls of a function, of which this many fail. */
static void
called(const char *name, unsigned count, int64_t each, unsigned failed)
{
	for (unsigned i = 0; i < count; i++) {
		struct event_outcome outcome = { .failed = i < failed };
		struct event_call call = { .name = name,
					   .display = name,
					   .duration = each,
					   .outcome = &outcome };
		const struct event event = {
			.kind = EVENT_RETURN, .pid = 1, .tid = 1, .call = &call
		};

		summary_rows_count(&rows, &event, each);
	}
}

static void
three_functions(void)
{
	called("read", 10, 3 * MS, 0);
	called("Write", 40, MS, 2);
	called("poll", 1, 20 * MS, 0);
	figures_count(&figures, CLOCK_SECOND * 2);
}

/* Expects these names of lines, with blanks between them. */
static void
expect_lines(const char *filter, enum view_sort sort, const char *wanted)
{
	struct str names;

	figures_choose(&figures, filter, sort);
	str_init(&names);
	for (size_t i = 0; i < figures.lines.count; i++)
		str_addf(&names, "%s%s", i ? " " : "",
			 figures.lines.at[i].row->name);
	ck_assert_str_eq(str_text(&names), wanted);
	str_release(&names);
}

START_TEST(lines_are_sorted)
{
	three_functions();
	expect_lines("", VIEW_TOTAL, "Write read poll");
	expect_lines("", VIEW_CALLS, "Write read poll");
	expect_lines("", VIEW_RATE, "Write read poll");
	expect_lines("", VIEW_P95, "poll read Write");
	expect_lines("", VIEW_ERRORS, "Write poll read");
	expect_lines("", VIEW_ROWS, "Write poll read");
	expect_lines("", VIEW_NAME, "Write poll read");
}
END_TEST

START_TEST(filter_is_a_part_of_the_name)
{
	three_functions();
	expect_lines("r", VIEW_NAME, "Write read");
	expect_lines("WRI", VIEW_NAME, "Write");
	expect_lines("none", VIEW_NAME, "");
}
END_TEST

/* What was counted before the last second is in the sums, not in the rate. */
START_TEST(rates_are_of_the_last_second)
{
	three_functions();
	ck_assert_uint_eq(figures.calls, 51);
	ck_assert(figures.rate == 25.5);
	called("read", 5, MS, 0);
	ck_assert_uint_eq(figures.calls, 51);
	figures_count(&figures, CLOCK_SECOND * 3);
	ck_assert_uint_eq(figures.calls, 56);
	ck_assert_uint_eq(figures.errors, 2);
	ck_assert(figures.rate == 5);
	ck_assert_int_eq(figures.spent, 95 * MS);
	figures_choose(&figures, "read", VIEW_RATE);
	ck_assert(figures.lines.at[0].rate == 5);
	ck_assert_uint_eq(figures.lines.at[0].calls, 15);
	ck_assert_uint_eq(figures.lines.at[0].total, 35 * MS);
}
END_TEST

/* ---- keys -----------------------------------------------------------------
 */

static void
keys(const char *text)
{
	for (; *text; text++)
		ck_assert_int_eq(view_key(&view, (unsigned char)*text),
				 VIEW_NOTHING);
}

START_TEST(keys_sort_and_group)
{
	keys("ss");
	ck_assert_int_eq(view.sort, VIEW_RATE);
	ck_assert_int_eq(view_key(&view, VIEW_KEY_LEFT), VIEW_NOTHING);
	ck_assert_int_eq(view.sort, VIEW_CALLS);
	ck_assert_int_eq(view_key(&view, VIEW_KEY_LEFT), VIEW_NOTHING);
	ck_assert_int_eq(view_key(&view, VIEW_KEY_LEFT), VIEW_NOTHING);
	ck_assert_int_eq(view.sort, VIEW_NAME);
	ck_assert_int_eq(view_key(&view, VIEW_KEY_RIGHT), VIEW_NOTHING);
	ck_assert_int_eq(view.sort, VIEW_TOTAL);
	keys("gg");
	ck_assert_uint_eq(view.group, 2);
	keys("g");
	ck_assert_uint_eq(view.group, 0);
	keys("p");
	ck_assert(view.paused);
	keys(" ");
	ck_assert(!view.paused);
	ck_assert_int_eq(view_key(&view, 'q'), VIEW_LEAVE);
	ck_assert_int_eq(view_key(&view, 'r'), VIEW_RESET);
	ck_assert_int_eq(view_key(&view, 'L' & 0x1f), VIEW_REDRAW);
	/* Enter does nothing if the table has no row. */
	ck_assert_int_eq(view_key(&view, VIEW_KEY_ENTER), VIEW_NOTHING);
	ck_assert_int_eq(view.mode, VIEW_TABLE);
	ck_assert_int_eq(view_key(&view, 0), VIEW_NOTHING);
}
END_TEST

/* While a filter is typed, commands are text. */
START_TEST(filter_is_typed)
{
	keys("/qsr");
	ck_assert_str_eq(str_text(&view.filter), "qsr");
	ck_assert_int_eq(view.mode, VIEW_FILTER);
	ck_assert_int_eq(view_key(&view, 0xe4), VIEW_NOTHING);
	ck_assert_int_eq(view_key(&view, 0x20ac), VIEW_NOTHING);
	ck_assert_int_eq(view_key(&view, 0x1f600), VIEW_NOTHING);
	ck_assert_str_eq(str_text(&view.filter),
			 "qsr\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(view_key(&view, VIEW_KEY_BACKSPACE),
				 VIEW_NOTHING);
	/* Characters that a terminal obeys, or that reverse a line. */
	ck_assert_int_eq(view_key(&view, 7), VIEW_NOTHING);
	ck_assert_int_eq(view_key(&view, 0x9b), VIEW_NOTHING);
	ck_assert_int_eq(view_key(&view, 0x202e), VIEW_NOTHING);
	ck_assert_str_eq(str_text(&view.filter), "qs");
	ck_assert_int_eq(view_key(&view, VIEW_KEY_ENTER), VIEW_NOTHING);
	ck_assert_int_eq(view.mode, VIEW_TABLE);
	ck_assert_str_eq(str_text(&view.filter), "qs");
	ck_assert_int_eq(view_key(&view, VIEW_KEY_ESCAPE), VIEW_NOTHING);
	ck_assert_str_eq(str_text(&view.filter), "");
	keys("/");
	ck_assert_int_eq(view_key(&view, VIEW_KEY_BACKSPACE), VIEW_NOTHING);
	for (int i = 0; i < 1000; i++)
		keys("x");
	ck_assert_uint_le(view.filter.length, 200);
}
END_TEST

START_TEST(keys_choose_rows)
{
	view.rows = 10;
	view.page = 4;
	ck_assert_int_eq(view_key(&view, VIEW_KEY_UP), VIEW_NOTHING);
	ck_assert_uint_eq(view.chosen, 0);
	ck_assert_int_eq(view_key(&view, VIEW_KEY_DOWN), VIEW_NOTHING);
	ck_assert_int_eq(view_key(&view, VIEW_KEY_PAGE_DOWN), VIEW_NOTHING);
	ck_assert_uint_eq(view.chosen, 5);
	ck_assert_int_eq(view_key(&view, VIEW_KEY_PAGE_DOWN), VIEW_NOTHING);
	ck_assert_uint_eq(view.chosen, 9);
	ck_assert_int_eq(view_key(&view, VIEW_KEY_HOME), VIEW_NOTHING);
	ck_assert_uint_eq(view.chosen, 0);
	ck_assert_int_eq(view_key(&view, VIEW_KEY_END), VIEW_NOTHING);
	ck_assert_uint_eq(view.chosen, 9);
	view.rows = 0;
	ck_assert_int_eq(view_key(&view, VIEW_KEY_DOWN), VIEW_NOTHING);
	ck_assert_uint_eq(view.chosen, 0);
}
END_TEST

/* ---- pages ----------------------------------------------------------------
 */

static void
draw(unsigned height, unsigned width, const struct page_call *calls,
     size_t count)
{
	const struct live_page page = { .subject = "./server",
					.clock = "22:31:50",
					.group = "function",
					.figures = &figures,
					.calls = calls,
					.call_count = count };

	figures_choose(&figures, str_text(&view.filter), view.sort);
	cells_release(&cells);
	cells_init(&cells, height, width);
	page_draw(&page, &view, &cells);
}

static void
expect_row(unsigned row, const char *wanted)
{
	struct str text;

	str_init(&text);
	cells_add_row(&text, &cells, row);
	ck_assert_str_eq(str_text(&text), wanted);
	str_release(&text);
}

START_TEST(page_has_table_and_calls)
{
	char query[] = "select 1", where[] = "views.py:22 in index";
	char name[] = "poll";
	const struct page_call calls[] = {
		{ 1234, 2 * CLOCK_SECOND, true, query, where },
		{ 7, 3 * MS, false, name, NULL },
	};

	three_functions();
	draw(12, 80, calls, 2);
	expect_row(0, "xtrace ./server                                         "
		      "                22:31:50");
	expect_row(1, "51 calls, 25.5/s, 2 errors, 90.00ms in them, 2 in "
		      "flight");
	expect_row(2, " >total   calls      /s     p95  errors    rows "
		      "function");
	expect_row(3, "40.00ms      40    20.0 1.000ms       2         Write");
	expect_row(4, "30.00ms      10     5.0 3.000ms       0         read");
	expect_row(5, "20.00ms       1     0.5 20.00ms       0         poll");
	expect_row(8, " thread       for in flight");
	expect_row(9, "   1234   >2.000s views.py:22 in index  select 1");
	expect_row(10, "      7   3.000ms poll");
	ck_assert_int_eq(cells.at[3 * 80].style, CELL_CHOSEN);
	ck_assert_int_eq(cells.at[4 * 80].style, CELL_PLAIN);
}
END_TEST

/* A page can be drawn in any size. Nothing is drawn outside of it. */
START_TEST(page_fits_every_size)
{
	char query[] = "select \xe4\xb8\xad\xe6\x96\x87", where[] = "a.py:1";
	struct page_call calls[40];

	for (size_t i = 0; i < 40; i++)
		calls[i] = (struct page_call){ 1, MS, false, query, where };
	three_functions();
	for (unsigned height = 0; height < 30; height++) {
		for (unsigned width = 0; width < 90; width += 3)
			draw(height, width, calls, height);
	}
	view.mode = VIEW_HELP;
	for (unsigned height = 0; height < 30; height++)
		draw(height, 30, calls, 0);
}
END_TEST

START_TEST(chosen_row_is_shown)
{
	three_functions();
	ck_assert_int_eq(view_key(&view, VIEW_KEY_END), VIEW_NOTHING);
	draw(8, 80, NULL, 0);
	ck_assert_uint_eq(view.page, 2);
	ck_assert_uint_eq(view.rows, 3);
	ck_assert_int_eq(view_key(&view, VIEW_KEY_END), VIEW_NOTHING);
	draw(8, 80, NULL, 0);
	expect_row(4, "20.00ms       1     0.5 20.00ms       0         poll");
	ck_assert_int_eq(cells.at[4 * 80].style, CELL_CHOSEN);
}
END_TEST

START_TEST(foot_shows_what_is_typed)
{
	three_functions();
	keys("/rea");
	draw(12, 80, NULL, 0);
	expect_row(11, "filter: rea");
	ck_assert(cells.cursor);
	ck_assert_uint_eq(cells.cursor_row, 11);
	ck_assert_uint_eq(cells.cursor_column, 11);
	expect_row(3, "30.00ms      10     5.0 3.000ms       0         read");
	expect_row(4, "");
}
END_TEST

static void
add_text(struct str *to)
{
	for (unsigned i = 0; i < cells.height; i++) {
		cells_add_row(to, &cells, i);
		str_add_char(to, '\n');
	}
}

/* Long lines are continued, and the end stays on the page. */
START_TEST(details_are_scrolled)
{
	const struct live_page page = { .text = "one\n"
						"two two two\n"
						"\n"
						"four\n" };
	struct str text;

	view.rows = 1;
	ck_assert_int_eq(view_key(&view, VIEW_KEY_ENTER), VIEW_OPEN);
	ck_assert_int_eq(view.mode, VIEW_DETAILS);
	cells_init(&cells, 4, 8);
	page_draw(&page, &view, &cells);
	expect_row(0, "one");
	expect_row(1, "two two");
	expect_row(2, "two");
	ck_assert_int_eq(view_key(&view, VIEW_KEY_DOWN), VIEW_NOTHING);
	ck_assert_int_eq(view_key(&view, VIEW_KEY_PAGE_DOWN), VIEW_NOTHING);
	cells_release(&cells);
	cells_init(&cells, 4, 8);
	page_draw(&page, &view, &cells);
	expect_row(0, "two");
	ck_assert_int_eq(view_key(&view, VIEW_KEY_PAGE_DOWN), VIEW_NOTHING);
	cells_release(&cells);
	cells_init(&cells, 4, 8);
	page_draw(&page, &view, &cells);
	expect_row(0, "two");
	ck_assert_uint_eq(view.scroll, 2);
	ck_assert_int_eq(view_key(&view, VIEW_KEY_ESCAPE), VIEW_NOTHING);
	ck_assert_int_eq(view.mode, VIEW_TABLE);
	str_init(&text);
	add_text(&text);
	ck_assert_str_eq(str_text(&text), "two\n\nfour\nup and d\n");
	str_release(&text);
}
END_TEST

START_TEST(details_of_a_row)
{
	struct str text;

	called("read", 3, 700, 1);
	called("read", 1, 2 * MS, 0);
	called("read", 1, 3, 0);
	figures_count(&figures, CLOCK_SECOND);
	str_init(&text);
	details_add(&text, rows.list.at[0], NULL);
	ck_assert_str_eq(strtok(text.text, "\n"), "read");
	ck_assert_str_eq(strtok(NULL, "\n"),
			 "5 calls, total 2.002ms, max 2.000ms, mean 400.4us");
	ck_assert_str_eq(strtok(NULL, "\n"),
			 "p50 700ns, p95 2.000ms, p99 2.000ms");
	ck_assert_str_eq(strtok(NULL, "\n"), "1 error");
	ck_assert_str_eq(strtok(NULL, "\n"), "Nanoseconds of a call:");
	ck_assert(
		!strncmp(strtok(NULL, "\n"), "[2, 4)                  1 ", 26));
	for (int i = 0; i < 7; i++)
		ck_assert_ptr_nonnull(strtok(NULL, "\n"));
	ck_assert(
		!strncmp(strtok(NULL, "\n"), "[512, 1K)               3 ", 26));
	str_release(&text);
}
END_TEST

START_TEST(file_is_typed)
{
	keys("wa.json");
	ck_assert_int_eq(view.mode, VIEW_SAVE);
	draw(12, 80, NULL, 0);
	expect_row(11, "write JSON into: a.json");
	ck_assert_int_eq(view_key(&view, VIEW_KEY_ENTER), VIEW_WRITE);
	ck_assert_str_eq(str_text(&view.file), "a.json");
	ck_assert_int_eq(view.mode, VIEW_TABLE);
	keys("w");
	ck_assert_int_eq(view_key(&view, VIEW_KEY_ESCAPE), VIEW_NOTHING);
	ck_assert_int_eq(view.mode, VIEW_TABLE);
	keys("w");
	ck_assert_int_eq(view_key(&view, VIEW_KEY_ENTER), VIEW_NOTHING);
	keys("fa");
	draw(12, 80, NULL, 0);
	expect_row(11, "write the flame graph into: a");
	ck_assert(view.flame);
	ck_assert_int_eq(view_key(&view, VIEW_KEY_ESCAPE), VIEW_NOTHING);
	keys("w");
	ck_assert(!view.flame);
}
END_TEST

/* A row of samples has no percentile, no errors and no number of rows. A mark
 * is shown before the function. */
START_TEST(samples_have_rows)
{
	const struct frame frames[] = {
		{ .kind = FRAME_NATIVE, .function = "[GC]" },
		{ .kind = FRAME_NATIVE, .function = "collect", .module = "m" },
		{ .kind = FRAME_PYTHON,
		  .function = "find",
		  .file = "/u.py",
		  .line = 42 },
	};
	struct event_call call = { .frames = frames, .frame_count = 3 };
	struct event event = { .kind = EVENT_SAMPLE,
			       .pid = 7,
			       .tid = 8,
			       .call = &call,
			       .weight = 2 * MS };

	sampled_count(&rows, &event, "where");
	sampled_count(&rows, &event, "function");
	sampled_count(&rows, &event, "thread");
	call.frames++;
	call.frame_count--;
	sampled_count(&rows, &event, "where");
	sampled_count(&rows, &event, "where");
	call.frame_count = 0;
	sampled_count(&rows, &event, "where");
	figures.sampled = true;
	figures_count(&figures, CLOCK_SECOND * 2);
	view.sort = VIEW_NAME;
	draw(16, 80, NULL, 0);
	expect_row(1, "6 samples, 3.0/s, 12.00ms in them, 0 in flight");
	expect_row(2, "  total samples      /s                         "
		      ">function");
	expect_row(3, "4.000ms       2     1.0                         "
		      "/u.py:42 in find");
	expect_row(4, "2.000ms       1     0.5                         ?");
	expect_row(5, "2.000ms       1     0.5                         "
		      "[GC] /u.py:42 in find");
	expect_row(6, "2.000ms       1     0.5                         "
		      "[GC] collect@m");
	expect_row(7, "2.000ms       1     0.5                         "
		      "thread 8 of 7");
}
END_TEST

START_TEST(cells_keep_characters_whole)
{
	cells_init(&cells, 2, 5);
	ck_assert_uint_eq(cells_put(&cells, 0, 0, CELL_PLAIN,
				    "a\xe4\xb8\xad\xe6\x96\x87z"),
			  5);
	expect_row(0, "a\xe4\xb8\xad\xe6\x96\x87");
	ck_assert_uint_eq(cells_put(&cells, 1, 4, CELL_PLAIN, "\xe4\xb8\xad"),
			  5);
	expect_row(1, "");
	/* A byte that is no character, an accent without a width of its own. */
	ck_assert_uint_eq(cells_put(&cells, 1, 0, CELL_PLAIN,
				    "\xff"
				    "e\xcc\x81x"),
			  3);
	expect_row(1, " ex");
	ck_assert_uint_eq(cells_put(&cells, 2, 0, CELL_PLAIN, "x"), 0);
	ck_assert_uint_eq(cells_put(&cells, 0, 9, CELL_PLAIN, "x"), 5);
}
END_TEST

Suite *
live_suite(void)
{
	Suite *suite = suite_create("live");
	TCase *tests = tcase_create("live");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, lines_are_sorted);
	tcase_add_test(tests, filter_is_a_part_of_the_name);
	tcase_add_test(tests, rates_are_of_the_last_second);
	tcase_add_test(tests, keys_sort_and_group);
	tcase_add_test(tests, filter_is_typed);
	tcase_add_test(tests, keys_choose_rows);
	tcase_add_test(tests, page_has_table_and_calls);
	tcase_add_test(tests, page_fits_every_size);
	tcase_add_test(tests, chosen_row_is_shown);
	tcase_add_test(tests, foot_shows_what_is_typed);
	tcase_add_test(tests, details_are_scrolled);
	tcase_add_test(tests, details_of_a_row);
	tcase_add_test(tests, file_is_typed);
	tcase_add_test(tests, samples_have_rows);
	tcase_add_test(tests, cells_keep_characters_whole);
	suite_add_tcase(suite, tests);
	return suite;
}
