/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The items of --budget, and how much each of them may cost. */
#include "tracer/report/left_out_parts.h"

#include "base/xmalloc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The shortest mean length of a window, and the length of the first window. */
#define WINDOW_LEAST_NS UINT64_C(2000000)
/* The part of the budget that is used. The rest covers costs that are not known
 * exactly, and windows whose breaks have not ended yet. */
#define USED_PART 0.8
/* An item that is called right after xtrace has begun may use in its first
 * window what it may cost in this time. */
#define FIRST_SAVED_NS UINT64_C(100000000)
/* The level is computed again at the earliest after this time. */
#define LEVEL_NS UINT64_C(5000000)

/* No function has this name. */
#define QUERIES "(queries)"

/* ---- items ------------------------------------------------------------------
 */

struct left_out *
left_out_new(struct session *session)
{
	struct left_out *left_out;

	if (session->options->budget <= 0)
		return NULL;
	left_out = xcalloc(1, sizeof(*left_out));
	left_out->session = session;
	left_out->part = session->options->budget / 100 * USED_PART;
	left_out->level = left_out->left_share = left_out->part;
	return left_out;
}

void
left_out_free(struct left_out *left_out)
{
	if (!left_out)
		return;
	for (size_t i = 0; i < left_out->items.count; i++) {
		vec_release(&left_out->items.at[i]->lifted);
		free(left_out->items.at[i]->name);
		free(left_out->items.at[i]);
	}
	vec_release(&left_out->items);
	strmap_release(&left_out->by_name);
	free(left_out);
}

/* What an item whose first call comes now may use besides its share: it has
 * used nothing since xtrace began. */
static double
saved_before(const struct left_out *left_out, uint64_t now)
{
	uint64_t saved = FIRST_SAVED_NS + (now - left_out->start);

	return saved < RECENT_NS ? (double)saved : (double)RECENT_NS;
}

static struct budgeted *
named_item(struct left_out *left_out, const char *name)
{
	struct budgeted *item = strmap_get(&left_out->by_name, name);
	uint64_t now = clock_now();

	if (item)
		return item;
	item = xcalloc(1, sizeof(*item));
	item->name = xstrdup(name);
	item->queries = !strcmp(name, QUERIES);
	budget_init(&item->budget, 1, now,
		    now ^ (uint64_t)getpid() << 32 ^ left_out->items.count);
	item->budget.saved_most = RECENT_NS;
	item->budget.until = now + WINDOW_LEAST_NS;
	item->budget.saved = saved_before(left_out, now);
	strmap_put(&left_out->by_name, name, item);
	vec_push(&left_out->items, item);
	return item;
}

struct budgeted *
left_out_item(struct left_out *left_out, struct tracepoint *tracepoint)
{
	if (tracepoint->budgeted)
		return tracepoint->budgeted;
	switch (tracepoint->kind) {
	case TRACEPOINT_ENTRY:
	case TRACEPOINT_GATE:
	case TRACEPOINT_CALLEE:
	case TRACEPOINT_SDT:
		tracepoint->budgeted = named_item(left_out, tracepoint->name);
		break;
	case TRACEPOINT_PROBED:
	case TRACEPOINT_SOCKET:
		tracepoint->budgeted = named_item(left_out, QUERIES);
		break;
	default:
		break;
	}
	return tracepoint->budgeted;
}

bool
left_out_skips(const struct tracepoint *tracepoint)
{
	return tracepoint->budgeted && tracepoint->budgeted->out;
}

uint64_t
left_out_looked_at(const struct budgeted *item, uint64_t now)
{
	return item->looked + (item->out ? 0 : now - item->budget.since);
}

uint64_t
left_out_left_at(const struct budgeted *item, uint64_t now)
{
	return item->left + (item->out ? now - item->budget.since : 0);
}

/* ---- how much each item may cost --------------------------------------------
 */

void
left_out_find_level(struct left_out *left_out, uint64_t now)
{
	size_t count = left_out->items.count;
	double *rates = xcalloc(count + 1, sizeof(*rates));

	for (size_t i = 0; i < count; i++) {
		const struct budgeted *item = left_out->items.at[i];

		if (item->recent > 0)
			rates[i] = item->recent_cost / item->recent;
	}
	left_out->level = shares_level(rates, count, left_out->left_share);
	left_out->level_time = now;
	free(rates);
}

/* Makes the item's next window so short that the break after it lasts no longer
 * than about RECENT_NS, if WINDOW_LEAST_NS permits it. */
static void
set_window(struct left_out *left_out, struct budgeted *item)
{
	double window = left_out->level * (double)RECENT_NS;

	if (window > (double)BUDGET_WINDOW_NS)
		window = (double)BUDGET_WINDOW_NS;
	if (window < (double)WINDOW_LEAST_NS)
		window = (double)WINDOW_LEAST_NS;
	item->budget.window = (uint64_t)window;
	item->budget.part = left_out->level;
}

static void
note_recent(struct budgeted *item, uint64_t length)
{
	item->recent_cost += (double)item->cost;
	item->recent += (double)length;
	if (item->recent > (double)RECENT_NS) {
		item->recent_cost /= 2;
		item->recent /= 2;
	}
}

void
left_out_set_budget(struct left_out *left_out, struct budgeted *item,
		    uint64_t now)
{
	note_recent(item, now - item->budget.since);
	if (now - left_out->level_time >= LEVEL_NS)
		left_out_find_level(left_out, now);
	set_window(left_out, item);
}
