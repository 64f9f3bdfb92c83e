/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The messages of --budget on stderr. */
#include "tracer/report/left_out_parts.h"

#include "base/str.h"
#include "tracer/model/say.h"

#include <string.h>

/* How many items a message names. */
#define SAID_MOST 5

void
left_out_say_cost(const struct session *session)
{
	const struct left_out *left_out = session->left_out;

	if (!left_out || left_out->time <= 0)
		return;
	say("budget: %g %%; the stops have cost the threads %.2f %% of their "
	    "time, %.2f %% at most in %d s",
	    session->options->budget, left_out->cost / left_out->time * 100,
	    shares_most(&left_out->period) * 100, SHARES_PERIOD);
}

/* The item that was left out for the longest time comes first. */
static int
compare_items(const void *left, const void *right)
{
	const struct budgeted *a = *(struct budgeted *const *)left;
	const struct budgeted *b = *(struct budgeted *const *)right;

	if (a->left != b->left)
		return a->left < b->left ? 1 : -1;
	return strcmp(a->name, b->name);
}

void
left_out_say(const struct session *session)
{
	struct left_out *left_out = session->left_out;
	size_t said = 0, more = 0;
	struct str text;

	if (!left_out)
		return;
	str_init(&text);
	vec_sort(&left_out->items, compare_items);
	for (size_t i = 0; i < left_out->items.count; i++) {
		const struct budgeted *item = left_out->items.at[i];
		uint64_t looked = left_out_looked_at(item, left_out->since);
		uint64_t left = left_out_left_at(item, left_out->since);

		if (item->breaks == 0)
			continue;
		if (said == SAID_MOST) {
			more++;
			continue;
		}
		str_addf(&text, "%s%s (looked at for %.1f %%)",
			 said++ ? ", " : "", item->name,
			 100 * (double)looked / (double)(looked + left));
	}
	if (more)
		str_addf(&text, " and %zu more", more);
	if (said)
		say("--budget has left out for a part of the time: %s",
		    str_text(&text));
	str_release(&text);
}
