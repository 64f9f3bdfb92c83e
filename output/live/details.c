/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures that are not known are left out. The histogram by powers of two
 * contains only calls whose beginning was seen.
 */
#include "output/live/details.h"

#include "base/escape.h"
#include "base/vec.h"
#include "output/stamp.h"
#include "output/tables/powers.h"

#include <string.h>

/* Adds the text, which may have several lines, with escapes for characters that
 * a terminal would obey. Each line begins with the indent, so a text of the
 * program cannot look like another part of the page. */
static void
add_lines(struct str *to, const char *indent, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		str_add(to, indent);
		escape_name_bytes(to, text, length);
		str_add_char(to, '\n');
		text += length + (text[length] == '\n');
	}
}

static void
add_time(struct str *to, const char *name, uint64_t ns)
{
	str_addf(to, ", %s ", name);
	stamp_add_short(to, ns);
}

static void
add_figures(struct str *to, const struct summary_tally *tally)
{
	const struct histogram *times = &tally->times;

	str_add_count(to, summary_tally_calls(tally), "call", "calls");
	add_time(to, "total", event_shown(summary_tally_sum(tally)));
	add_time(to, "max", summary_tally_most(tally));
	if (times->count > 0) {
		add_time(to, "mean", histogram_mean(times));
		str_add(to, "\np50 ");
		stamp_add_short(to, histogram_percentile(times, 500));
		add_time(to, "p95", histogram_percentile(times, 950));
		add_time(to, "p99", histogram_percentile(times, 990));
	}
	str_add_char(to, '\n');
	str_add_count(to, tally->errors, "error", "errors");
	if (tally->has_rows)
		str_addf(to, ", %llu rows", (unsigned long long)tally->rows);
	if (tally->has_bytes)
		str_addf(to, ", %llu bytes", (unsigned long long)tally->bytes);
	if (tally->has_first && tally->fetch > 0)
		add_time(to, "fetching", (uint64_t)tally->fetch);
	if (tally->before > 0)
		str_addf(to, ", %llu in flight at the attach",
			 (unsigned long long)tally->before);
	str_add_char(to, '\n');
}

static void
add_slowest(struct str *to, const struct summary_tally *tally)
{
	if (!tally->sample)
		return;
	str_add(to, "\nThe slowest call, of ");
	escape_name(to, tally->sample_function);
	str_add(to, ":\n");
	add_lines(to, "  ", tally->sample);
	/* The lines of a stack have an indent of their own. */
	if (tally->sample_stack)
		add_lines(to, "",
			  tally->sample_stack + (*tally->sample_stack == '\n'));
}

static int
compare_totals(const void *left, const void *right)
{
	const struct summary_row *a = *(struct summary_row *const *)left;
	const struct summary_row *b = *(struct summary_row *const *)right;
	int64_t one = summary_tally_sum(&a->whole);
	int64_t two = summary_tally_sum(&b->whole);

	return one == two ? strcmp(a->name, b->name) : one < two ? 1 : -1;
}

static void
add_callers(struct str *to, const char *name,
	    const struct summary_rows *callers)
{
	size_t length = strlen(name);
	vec_of(struct summary_row *) found = { 0 };

	for (size_t i = 0; i < callers->list.count; i++) {
		struct summary_row *row = callers->list.at[i];

		if (!strncmp(row->name, name, length) &&
		    !strncmp(row->name + length, DETAILS_AT,
			     strlen(DETAILS_AT)))
			vec_push(&found, row);
	}
	vec_sort(&found, compare_totals);
	if (found.count > 0)
		str_add(to, "\nBy line:\n");
	for (size_t i = 0; i < found.count; i++) {
		str_add(to, "    ");
		stamp_add_short(to, event_shown(summary_tally_sum(
					    &found.at[i]->whole)));
		str_add(to, " in ");
		str_add_count(to, summary_tally_calls(&found.at[i]->whole),
			      "call", "calls");
		str_add_char(to, ' ');
		escape_name(to,
			    found.at[i]->name + length + strlen(DETAILS_AT));
		str_add_char(to, '\n');
	}
	vec_release(&found);
}

void
details_add(struct str *to, const struct summary_row *row,
	    const struct summary_rows *callers)
{
	struct powers powers = { .count = 0 };

	escape_name(to, row->name);
	str_add_char(to, '\n');
	add_figures(to, &row->whole);
	add_slowest(to, &row->whole);
	if (callers)
		add_callers(to, row->name, callers);
	powers_add_all(&powers, &row->whole.times);
	if (powers.count == 0)
		return;
	str_add(to, "\nNanoseconds of a call:\n");
	powers_draw(&powers, to);
}
