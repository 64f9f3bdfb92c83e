/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --histogram: of each function that is traced, the durations of its calls and,
 * if the user has given an expression, its values. A call counts when it has
 * ended. A call that began before the attach, or that xtrace leaves, has no
 * duration that is known. A call that is too short to be measured counts as
 * 0. A value that cannot be known is not counted.
 */
#include "output/sink.h"

#include "base/escape.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "output/label.h"
#include "output/left_out.h"
#include "output/out.h"
#include "output/tables/powers.h"

#include <stdlib.h>
#include <string.h>

/* The histograms of one function. */
struct function_powers {
	char *name;
	struct powers times, values;
};

struct histograms_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	struct strmap by_name;
	vec_of(struct function_powers *) list;
	struct left_outs left_outs;
};

static struct function_powers *
function_of(struct histograms_sink *histograms, const char *name)
{
	struct function_powers *function =
		strmap_get(&histograms->by_name, name);

	if (function)
		return function;
	function = xcalloc(1, sizeof(*function));
	function->name = xstrdup(name);
	strmap_put(&histograms->by_name, name, function);
	vec_push(&histograms->list, function);
	return function;
}

static void
histograms_event(struct sink *sink, const struct event *event)
{
	struct histograms_sink *histograms =
		container_of(sink, struct histograms_sink, sink);
	const struct event_call *call = event->call;
	struct function_powers *function;

	if (left_outs_take(&histograms->left_outs, event))
		return;
	if (event->kind != EVENT_RETURN || event_endless(call))
		return;
	function = function_of(histograms, label_of(call));
	if (!call->before && !call->point && call->end != CALL_UNFINISHED)
		powers_add(&function->times,
			   call->duration > 0 ? call->duration : 0);
	if (call->is_measured)
		powers_add(&function->values, call->measured);
}

/* Sorts functions by their number of calls, the largest first. Functions with
 * equal numbers are sorted by name. */
static int
compare(const void *left, const void *right)
{
	const struct function_powers *a =
		*(struct function_powers *const *)left;
	const struct function_powers *b =
		*(struct function_powers *const *)right;

	if (a->times.count != b->times.count)
		return a->times.count < b->times.count ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void
add_powers(const struct function_powers *function, const char *of,
	   const struct powers *powers, struct str *to)
{
	if (powers->count == 0)
		return;
	if (to->length)
		str_add_char(to, '\n');
	escape_name(to, function->name);
	str_add(to, ": ");
	escape_name(to, of);
	str_add(to, " of ");
	str_add_count(to, powers->count, "call", "calls");
	str_add_char(to, '\n');
	powers_draw(powers, to);
}

static void
histograms_close(struct sink *sink)
{
	struct histograms_sink *histograms =
		container_of(sink, struct histograms_sink, sink);
	const char *values = histograms->look->measured;
	struct str text;

	str_init(&text);
	vec_sort(&histograms->list, compare);
	for (size_t i = 0; i < histograms->list.count; i++) {
		struct function_powers *function = histograms->list.at[i];

		if (values)
			add_powers(function, values, &function->values, &text);
		add_powers(function, "nanoseconds", &function->times, &text);
		free(function->name);
		free(function);
	}
	if (!text.length)
		str_add(&text, "no call has ended\n");
	left_outs_add(&histograms->left_outs, "", &text);
	left_outs_release(&histograms->left_outs);
	out_write(histograms->out, text.text, text.length);
	str_release(&text);
	vec_release(&histograms->list);
	strmap_release(&histograms->by_name);
	free(histograms);
}

static const struct sink_ops ops = {
	.name = "histograms",
	.blind = true,
	.event = histograms_event,
	.close = histograms_close,
};

struct sink *
histograms_sink_new(const struct look *look, struct out *out)
{
	struct histograms_sink *histograms = xcalloc(1, sizeof(*histograms));

	histograms->sink.ops = &ops;
	histograms->look = look;
	histograms->out = out;
	return &histograms->sink;
}
