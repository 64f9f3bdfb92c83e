/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A percentile costs more than the other figures, because it looks at a whole
 * histogram. Therefore it is computed for the rows that are shown, and for all
 * rows only if they are sorted by it: see figures_percentile().
 */
#include "output/live/figures.h"

#include "base/clock.h"

#include <string.h>

void
figures_init(struct figures *figures, const struct summary_rows *rows,
	     uint64_t now)
{
	*figures = (struct figures){ .of = rows, .counted = now };
}

void
figures_release(struct figures *figures)
{
	vec_release(&figures->lines);
	vec_release(&figures->rates);
}

void
figures_count(struct figures *figures, uint64_t now)
{
	double seconds = (double)clock_between(figures->counted, now) /
			 (double)CLOCK_SECOND;

	vec_clear(&figures->rates);
	figures->calls = figures->errors = 0;
	figures->spent = 0;
	figures->rate = 0;
	for (size_t i = 0; i < figures->of->list.count; i++) {
		struct summary_row *row = figures->of->list.at[i];
		uint64_t calls = summary_tally_calls(&row->recent);
		double rate = seconds > 0 ? (double)calls / seconds : 0;

		vec_push(&figures->rates, rate);
		if (calls > 0 || row->recent.errors > 0)
			summary_tally_merge(&row->whole, &row->recent);
		figures->calls += summary_tally_calls(&row->whole);
		figures->errors += row->whole.errors;
		figures->spent += row->whole.spent;
		figures->rate += rate;
	}
	figures->counted = now;
}

/* Sorts numbers, the largest first. Names, and rows with equal numbers, are
 * sorted from a to z. */
static int
compare_numbers(double a, double b)
{
	if (a == b)
		return 0;
	return a < b ? 1 : -1;
}

static double
number_of(const struct figures_line *line)
{
	switch (line->sort) {
	case VIEW_TOTAL:
		return (double)line->total;
	case VIEW_CALLS:
		return (double)line->calls;
	case VIEW_RATE:
		return line->rate;
	case VIEW_P95:
		return line->known_p95 ? (double)line->p95 : -1;
	case VIEW_ERRORS:
		return (double)line->errors;
	case VIEW_ROWS:
		return line->known_rows ? (double)line->rows : -1;
	case VIEW_NAME:
	case VIEW_SORTS:
		break;
	}
	return 0;
}

static int
compare_lines(const void *left, const void *right)
{
	const struct figures_line *a = left, *b = right;
	int order = compare_numbers(number_of(a), number_of(b));

	return order ? order : strcmp(a->row->name, b->row->name);
}

static struct figures_line
line_of(const struct figures *figures, size_t i, enum view_sort sort)
{
	const struct summary_row *row = figures->of->list.at[i];
	const struct summary_tally *tally = &row->whole;
	const char *by = figures->of->look->group_by;
	struct figures_line line = {
		.row = row,
		.sort = sort,
		.total = event_shown(summary_tally_sum(tally)),
		.calls = summary_tally_calls(tally),
		.errors = tally->errors,
		.rows = tally->rows,
		.known_rows = tally->has_rows,
		.place = figures->places || (by && !strcmp(by, "where")),
		.known_p95 = tally->times.count > 0 && !figures->sampled,
		.known_errors = !figures->sampled,
		.rate = i < figures->rates.count ? figures->rates.at[i] : 0,
	};

	if (sort == VIEW_P95)
		figures_percentile(&line);
	return line;
}

void
figures_percentile(struct figures_line *line)
{
	line->p95 = histogram_percentile(&line->row->whole.times, 950);
	/* Measuring errors cancel out in the total, but not in a percentile. */
	if (line->p95 > line->total)
		line->p95 = line->total;
}

void
figures_choose(struct figures *figures, const char *filter, enum view_sort sort)
{
	vec_clear(&figures->lines);
	for (size_t i = 0; i < figures->of->list.count; i++) {
		const struct summary_row *row = figures->of->list.at[i];

		if (summary_tally_calls(&row->whole) == 0 ||
		    (*filter && !strcasestr(row->name, filter)))
			continue;
		vec_push(&figures->lines, line_of(figures, i, sort));
	}
	vec_sort(&figures->lines, compare_lines);
}
