/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nothing is written while the tree grows. At the end of an interval the file
 * is written anew and replaces the previous version (out_anew()). A pipe or a
 * terminal would get one tree after the other, and a reader could not tell
 * where one ends. Therefore they get the tree once, at the end.
 */
#include "output/stacks/treesink.h"

#include "base/clock.h"
#include "base/xmalloc.h"
#include "output/stacks/grow.h"
#include "output/out.h"
#include "values/fetch.h"

#include <stdlib.h>

struct tree_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	const struct tree_form *form;
	struct growth growth;
	uint64_t written; /* the time of the last write */
};

static void
tree_sink_event(struct sink *sink, const struct event *event)
{
	struct tree_sink *trees = container_of(sink, struct tree_sink, sink);

	if (event->kind == EVENT_ENTRY && !sink->ops->blind &&
	    event->call->arguments)
		arguments_keep(event->call->arguments, 0, 0);
	growth_event(&trees->growth, event, sink->index);
}

static void
tree_sink_tick(struct sink *sink)
{
	struct tree_sink *trees = container_of(sink, struct tree_sink, sink);
	uint64_t now = clock_now();

	if (trees->look->interval == 0 ||
	    now - trees->written < trees->look->interval)
		return;
	trees->written = now;
	if (!out_anew(trees->out))
		return;
	trees->form->write(&trees->growth.tree, trees->look, trees->out);
	out_complete(trees->out);
}

static void
tree_sink_close(struct sink *sink)
{
	struct tree_sink *trees = container_of(sink, struct tree_sink, sink);
	bool again = trees->look->interval > 0;
	bool anew = again && out_anew(trees->out);

	/* The file was renamed: its last version is replaced in place. */
	if (again && !anew)
		out_empty(trees->out);
	trees->form->write(&trees->growth.tree, trees->look, trees->out);
	if (anew)
		out_complete(trees->out);
	growth_release(&trees->growth);
	free(trees);
}

static const struct sink_ops ops = {
	.name = "tree",
	.blind = true,
	.sql = true,
	.whole = true,
	.event = tree_sink_event,
	.tick = tree_sink_tick,
	.close = tree_sink_close,
};

/* --weight bytes reads arguments and results. */
static const struct sink_ops reading_ops = {
	.name = "tree",
	.whole = true,
	.event = tree_sink_event,
	.tick = tree_sink_tick,
	.close = tree_sink_close,
};

struct sink *
tree_sink_new(const struct look *look, struct out *out,
	      const struct tree_form *form)
{
	struct tree_sink *trees = xcalloc(1, sizeof(*trees));

	trees->sink.ops =
		look->weight == LOOK_WEIGHT_BYTES ? &reading_ops : &ops;
	trees->look = look;
	trees->out = out;
	trees->form = form;
	trees->written = clock_now();
	growth_init(&trees->growth, look);
	return &trees->sink;
}
