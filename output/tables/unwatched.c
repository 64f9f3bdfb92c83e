/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel tells how much memory a program has. What the program got in a gap
 * and gave back in the same gap is not known. */
#include "output/tables/unwatched.h"

#include "output/event.h"
#include "output/tables/heap_table.h"

#include <inttypes.h>

void
unwatched_take(struct unwatched *unwatched, const struct event *event)
{
	struct unwatched_sum *sum = &unwatched->sums[!event->extrapolated];

	if (event->kind != EVENT_UNWATCHED)
		return;
	sum->gaps++;
	sum->ns += event->weight;
	if (event->change == EVENT_CHANGE_UNKNOWN)
		return;
	sum->known++;
	if (event->change > 0)
		sum->grew += (uint64_t)event->change;
	else
		sum->shrank += -(uint64_t)event->change;
}

static void
add_bytes(struct str *to, const char *verb, uint64_t bytes)
{
	if (bytes == 0)
		return;
	str_add(to, verb);
	heap_table_number(to, bytes);
	str_add(to, " bytes");
}

static void
add_changes(struct str *to, const struct unwatched_sum *sum)
{
	if (sum->known == 0) {
		str_add(to, "; it is unknown how much memory was got in this "
			    "time");
		return;
	}
	str_add(to, "; private writable memory ");
	add_bytes(to, "grew by ", sum->grew);
	if (sum->grew > 0 && sum->shrank > 0)
		str_add(to, " and ");
	add_bytes(to, "shrank by ", sum->shrank);
	if (sum->grew == 0 && sum->shrank == 0)
		str_add(to, "has kept its size");
	str_add(to, " in this time");
	if (sum->known < sum->gaps)
		str_addf(to, " (known for %" PRIu64 " of them)", sum->known);
}

void
unwatched_add_text(struct str *to, const struct unwatched_sum *sum, bool last)
{
	uint64_t ms = (sum->ns + 500000) / 1000000;

	str_addf(to, "not watched: %s%" PRIu64 ".%03" PRIu64 " s",
		 last ? "the last " : "", ms / 1000, ms % 1000);
	if (!last)
		str_addf(to,
			 " in %" PRIu64 " break%s, to which later growth "
			 "is extrapolated",
			 sum->gaps, sum->gaps == 1 ? "" : "s");
	else if (sum->gaps > 1)
		str_addf(to, " of %" PRIu64 " programs together", sum->gaps);
	add_changes(to, sum);
}
