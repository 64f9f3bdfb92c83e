/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows are joined by their names: the fingerprints of queries, which do not
 * depend on the run. The two runs may have had different lengths, so their
 * means are compared and not their sums.
 *
 * A mean differs if it is a tenth larger or smaller; a query is asked more
 * often if its part of all calls has doubled.
 */
#include "output/tables/compare.h"

#include "base/escape.h"
#include "base/xmalloc.h"
#include "output/query.h"
#include "output/stamp.h"
#include "output/tables/json_member.h"
#include "output/tables/named_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TENTH 1.1
#define TWICE 2.0

/* How rows differ, in the order in which they are printed: the most serious
 * difference first. */
enum difference { SLOWER, MORE, NEW, GONE, FASTER, SAME, DIFFERENCES };

struct compare_value {
	bool known;
	double calls, total; /* total in seconds */
};

struct compare_row {
	char *name;
	bool sql;
	struct compare_value sides[COMPARE_SIDES];
	enum difference difference;
};

struct compare {
	struct named_rows rows; /* of struct compare_row */
	size_t counts[COMPARE_SIDES];
	double calls[COMPARE_SIDES];
	bool complete[COMPARE_SIDES]; /* the end of a table was read */
	struct json_member member;
};

/* ---- reading ---------------------------------------------------------------
 */

struct compare *
compare_new(void)
{
	struct compare *compare = xcalloc(1, sizeof(*compare));

	named_rows_init(&compare->rows);
	json_member_init(&compare->member);
	return compare;
}

void
compare_free(struct compare *compare)
{
	if (!compare)
		return;
	named_rows_release(&compare->rows);
	json_member_release(&compare->member);
	free(compare);
}

size_t
compare_rows(const struct compare *compare, enum compare_side side)
{
	return compare->counts[side];
}

static struct compare_row *
row_of(struct compare *compare, const char *name)
{
	return named_rows_find(&compare->rows, name,
			       sizeof(struct compare_row));
}

/* Forgets a side's table, because the file has a further one. */
static void
forget(struct compare *compare, enum compare_side side)
{
	for (size_t i = 0; i < compare->rows.list.count; i++) {
		struct compare_row *row = compare->rows.list.at[i];

		row->sides[side] = (struct compare_value){ 0 };
	}
	compare->counts[side] = 0;
	compare->calls[side] = 0;
	compare->complete[side] = false;
}

/* The members of a line that the comparison uses. */
struct compare_text {
	char *event, *name;
	bool sql, has_calls, has_total;
	double calls, total;
};

static void
take_member(struct compare_text *text, const struct json_member *member)
{
	const char *key = str_text(&member->key);

	if (!member->is_number && !strcmp(key, "event")) {
		free(text->event);
		text->event = xstrdup(str_text(&member->text));
	} else if (!member->is_number && !strcmp(key, "name")) {
		free(text->name);
		text->name = xstrdup(str_text(&member->text));
	} else if (!strcmp(key, "query")) {
		text->sql = true;
	} else if (member->is_number && !strcmp(key, "calls")) {
		text->has_calls = true;
		text->calls = member->number;
	} else if (member->is_number && !strcmp(key, "total")) {
		text->has_total = true;
		text->total = member->number;
	}
}

static int
take_text(struct compare *compare, enum compare_side side,
	  const struct compare_text *text)
{
	struct compare_row *row;

	if (!text->event)
		return -EINVAL;
	if (!strcmp(text->event, "summary")) {
		compare->complete[side] = true;
		return 0;
	}
	if (strcmp(text->event, "row") != 0 || !text->name ||
	    !text->has_calls || !text->has_total || text->calls <= 0)
		return -EINVAL;
	if (compare->complete[side])
		forget(compare, side);
	row = row_of(compare, text->name);
	row->sql |= text->sql;
	row->sides[side] =
		(struct compare_value){ true, text->calls, text->total };
	compare->counts[side]++;
	compare->calls[side] += text->calls;
	return 0;
}

int
compare_line(struct compare *compare, enum compare_side side, const char *line,
	     struct err *err)
{
	struct compare_text text = { 0 };
	const char *at = line;
	int r;

	while ((r = json_member_next(&compare->member, &at)) > 0)
		take_member(&text, &compare->member);
	if (r == 0)
		r = take_text(compare, side, &text);
	free(text.event);
	free(text.name);
	return r < 0 ? err_set(err, r,
			       "not a line of a table that --summary --json "
			       "writes")
		     : 0;
}

/* ---- comparing -------------------------------------------------------------
 */

static double
mean_of(const struct compare_row *row, enum compare_side side)
{
	const struct compare_value *value = &row->sides[side];

	return value->known ? value->total / value->calls : 0;
}

/* The share of the row's calls in all calls of the run. */
static double
part_of(const struct compare *compare, const struct compare_row *row,
	enum compare_side side)
{
	return row->sides[side].calls / compare->calls[side];
}

static enum difference
judge(const struct compare *compare, const struct compare_row *row)
{
	double before = mean_of(row, COMPARE_BEFORE);
	double after = mean_of(row, COMPARE_AFTER);

	if (!row->sides[COMPARE_BEFORE].known)
		return NEW;
	if (!row->sides[COMPARE_AFTER].known)
		return GONE;
	if (after >= TENTH * before)
		return SLOWER;
	if (part_of(compare, row, COMPARE_AFTER) >=
	    TWICE * part_of(compare, row, COMPARE_BEFORE))
		return MORE;
	return before >= TENTH * after ? FASTER : SAME;
}

/* The number of seconds by which rows with the same kind of difference are
 * ordered: if the row is slower or faster, what its calls cost more or less,
 * otherwise their total time. */
static double
weight_of(const struct compare_row *row)
{
	double before = mean_of(row, COMPARE_BEFORE);
	double after = mean_of(row, COMPARE_AFTER);

	switch (row->difference) {
	case SLOWER:
		return (after - before) * row->sides[COMPARE_AFTER].calls;
	case FASTER:
		return (before - after) * row->sides[COMPARE_AFTER].calls;
	case GONE:
		return row->sides[COMPARE_BEFORE].total;
	default:
		return row->sides[COMPARE_AFTER].total;
	}
}

static int
compare_order(const void *left, const void *right)
{
	const struct compare_row *a = *(struct compare_row *const *)left;
	const struct compare_row *b = *(struct compare_row *const *)right;
	double one = weight_of(a), two = weight_of(b);

	if (a->difference != b->difference)
		return a->difference < b->difference ? -1 : 1;
	if (one < two || one > two)
		return one < two ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* ---- the table -------------------------------------------------------------
 */

static const char *const words[DIFFERENCES] = {
	[SLOWER] = "slower", [MORE] = "more",	  [NEW] = "new",
	[GONE] = "gone",     [FASTER] = "faster", [SAME] = "the same",
};

static void
add_right(struct str *to, const char *text, int width)
{
	str_addf(to, "%*s ", width, text);
}

static void
add_mean(struct str *to, const struct compare_row *row, enum compare_side side)
{
	double seconds = mean_of(row, side);
	struct str text;

	str_init(&text);
	/* The mean comes from a file, which may contain any number. If it
	 * cannot be the time of a call, the column is empty. */
	if (row->sides[side].known && seconds >= 0 && seconds < 1e9)
		stamp_add_short(&text, event_shown((int64_t)(seconds * 1e9)));
	add_right(to, str_text(&text), 8);
	str_release(&text);
}

static void
add_calls(struct str *to, const struct compare_row *row, enum compare_side side)
{
	char text[32] = "";

	if (row->sides[side].known)
		snprintf(text, sizeof(text), "%.0f", row->sides[side].calls);
	add_right(to, text, 7);
}

static void
add_row(struct str *to, const struct compare_row *row)
{
	double before = mean_of(row, COMPARE_BEFORE);
	double after = mean_of(row, COMPARE_AFTER);
	struct str name = { 0 };
	char factor[32] = "";

	if (row->sides[COMPARE_BEFORE].known &&
	    row->sides[COMPARE_AFTER].known && before > 0)
		snprintf(factor, sizeof(factor), "x %.2f", after / before);
	str_addf(to, "%-6s ", words[row->difference]);
	add_mean(to, row, COMPARE_BEFORE);
	add_mean(to, row, COMPARE_AFTER);
	add_right(to, factor, 8);
	add_calls(to, row, COMPARE_BEFORE);
	add_calls(to, row, COMPARE_AFTER);
	str_add_char(to, ' ');
	if (row->sql)
		query_add_folded(&name, row->name);
	escape_name(to, row->sql ? str_text(&name) : row->name);
	str_add_char(to, '\n');
	str_release(&name);
}

void
compare_add(struct str *to, struct compare *compare)
{
	size_t counts[DIFFERENCES] = { 0 };

	for (size_t i = 0; i < compare->rows.list.count; i++) {
		struct compare_row *row = compare->rows.list.at[i];

		row->difference = judge(compare, row);
		if (row->sides[COMPARE_BEFORE].known ||
		    row->sides[COMPARE_AFTER].known)
			counts[row->difference]++;
	}
	vec_sort(&compare->rows.list, compare_order);
	str_add(to,
		"         before    after   change   calls   calls  name\n");
	for (size_t i = 0; i < compare->rows.list.count; i++) {
		const struct compare_row *row = compare->rows.list.at[i];

		if (row->difference != SAME &&
		    (row->sides[COMPARE_BEFORE].known ||
		     row->sides[COMPARE_AFTER].known))
			add_row(to, row);
	}
	for (enum difference i = 0; i < DIFFERENCES; i++)
		str_addf(to, "%s%zu %s", i ? ", " : "", counts[i], words[i]);
	str_add_char(to, '\n');
}
