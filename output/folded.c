/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folded stacks, the text that flame graphs are drawn from (Brendan Gregg's
 * stackcollapse format): one line a stack, frames with ';' between, outermost
 * first, a space and a number. Ours are
 *
 *	python3 1234;thread 1240;mysql_real_query;send 1523
 *
 * the program, the thread, the frames of the script where they are known (-w),
 * the traced calls, and their own time in
 * microseconds (or how many there were). Own time is what makes the widths
 * add up: a frame is as wide as itself and all that is above it.
 *
 * Stacks are kept as a tree, a node for each function under each stack, so
 * memory grows with the number of different stacks and not of calls; at
 * NODES_MOST of them, a call that would need a new node counts for the node
 * it is called from, which keeps the sums and loses a name. So does one
 * deeper than DEPTH_MOST, since a recursion of a hundred thousand calls would
 * be as many lines, each as long. A ';' or newline within a name would be
 * taken for the format's and becomes ',' or a space. The lines are sorted as
 * bytes; two files are merged by adding equal lines.
 */
#include "output/sink.h"

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "output/frames.h"
#include "output/label.h"
#include "output/nesting.h"
#include "output/out.h"

#include <stdlib.h>
#include <string.h>

/* With their names and maps some 50 MB. */
#define NODES_MOST (1u << 18)
#define DEPTH_MOST 500u

struct node {
	struct node *outer;
	struct strmap inner;
	char *name;
	unsigned depth;
	uint64_t self; /* nanoseconds */
	uint64_t calls;
};

struct lines {
	char **at;
	size_t count;
	size_t room;
};

struct folded_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	struct nesting nesting;
	struct node root; /* nameless; programs are within */
	size_t nodes;
	struct map programs; /* pid -> name, as it is now */
	struct map threads;  /* tid -> node */
	struct str scratch;
};

/* The node called name within outer; outer itself when there are too many. */
static struct node *
node_within(struct folded_sink *folded, struct node *outer, const char *name)
{
	struct node *node = strmap_get(&outer->inner, name);

	if (node)
		return node;
	if (folded->nodes == NODES_MOST || outer->depth == DEPTH_MOST)
		return outer;
	folded->nodes++;
	node = xcalloc(1, sizeof(*node));
	node->outer = outer;
	node->name = xstrdup(name);
	node->depth = outer->depth + 1;
	strmap_put(&outer->inner, name, node);
	return node;
}

static void
node_release(struct node *node)
{
	size_t cursor = 0;
	void *inner;

	while (strmap_next(&node->inner, &cursor, NULL, &inner)) {
		node_release(inner);
		free(inner);
	}
	strmap_release(&node->inner);
	free(node->name);
}

/* "python3 1234" within the root, "thread 1240" within that. */
static struct node *
thread_node(struct folded_sink *folded, const struct event *event)
{
	struct node *node = map_get(&folded->threads, (uint64_t)event->tid);
	const char *program = map_get(&folded->programs, (uint64_t)event->pid);
	struct str *name = &folded->scratch;

	if (node)
		return node;
	str_clear(name);
	str_addf(name, "%s %d", program ? program : "process", event->pid);
	node = node_within(folded, &folded->root, name->text);
	str_clear(name);
	str_addf(name, "thread %d", event->tid);
	node = node_within(folded, node, name->text);
	map_put(&folded->threads, (uint64_t)event->tid, node);
	return node;
}

/* outer itself where it has that name and is to stand for both. */
static struct node *
node_below(struct folded_sink *folded, struct node *outer, const char *name)
{
	if (folded->look->collapse_recursion && strcmp(outer->name, name) == 0)
		return outer;
	return node_within(folded, outer, name);
}

/* The frames (-w) from the call around, or the thread, to this call. */
static struct node *
below_frames(struct folded_sink *folded, struct node *outer,
	     const struct event_call *call, addr_t around)
{
	for (unsigned i = frames_within(call, around); i-- > 0;) {
		str_clear(&folded->scratch);
		frames_add_label(&folded->scratch, &call->frames[i]);
		outer = node_below(folded, outer, folded->scratch.text);
	}
	return outer;
}

static void
enter(struct folded_sink *folded, const struct event *event)
{
	struct nested *nested = nesting_enter(&folded->nesting, event);
	const struct event_call *call = event->call;
	struct node *outer;

	if (nested->outer)
		outer = below_frames(folded, nested->outer->mark, call,
				     nested->outer->place);
	else
		outer = below_frames(folded, thread_node(folded, event), call,
				     0);
	event->call->kept[folded->sink.index] = nested;
	nested->mark = node_below(folded, outer, label_of(call));
	nested->place = call->frame_count ? call->frames[0].at : 0;
}

static void
leave(struct folded_sink *folded, const struct event *event)
{
	struct nested *nested = take(event->call->kept[folded->sink.index]);
	struct node *node = nested ? nested->mark : NULL;
	uint64_t self = nesting_leave(&folded->nesting, event, nested);

	if (event->call->end == CALL_ENTRY_ONLY)
		return;
	if (!node)
		node = node_within(folded, thread_node(folded, event),
				   label_of(event->call));
	node->self += self;
	node->calls++;
}

/* The process is another program from now on. */
static void
set_program(struct folded_sink *folded, const struct event *event)
{
	const char *slash;

	map_remove(&folded->threads, (uint64_t)event->tid);
	if (!event->text)
		return;
	slash = strrchr(event->text, '/');
	free(map_remove(&folded->programs, (uint64_t)event->pid));
	map_put(&folded->programs, (uint64_t)event->pid,
		xstrdup(slash ? slash + 1 : event->text));
}

static void
folded_event(struct sink *sink, const struct event *event)
{
	struct folded_sink *folded =
		container_of(sink, struct folded_sink, sink);

	if (event->kind == EVENT_ENTRY)
		enter(folded, event);
	else if (event->kind == EVENT_RETURN)
		leave(folded, event);
	else if (event->kind == EVENT_START || event->kind == EVENT_EXEC)
		set_program(folded, event);
}

static void
add_frame(struct str *line, const char *name)
{
	for (; *name; name++) {
		if (*name == ';')
			str_add_char(line, ',');
		else
			str_add_char(line, *name == '\n' ? ' ' : *name);
	}
}

static uint64_t
weight_of(const struct folded_sink *folded, const struct node *node)
{
	if (folded->look->weight == LOOK_WEIGHT_CALLS)
		return node->calls;
	return (node->self + 500) / 1000;
}

/* path is that of the node around and is left as it was. */
static void
collect(const struct folded_sink *folded, const struct node *node,
	struct str *path, struct lines *lines)
{
	uint64_t weight = weight_of(folded, node);
	size_t before = path->length, cursor = 0;
	const char *line;
	void *inner;

	if (node->name) {
		if (before > 0)
			str_add_char(path, ';');
		add_frame(path, node->name);
	}
	/* Too many nodes even for programs: the root counts for them. */
	line = path->length > 0 ? path->text : "other";
	if (weight > 0)
		vec_push(lines, xasprintf("%s %lu\n", line, weight));
	while (strmap_next(&node->inner, &cursor, NULL, &inner))
		collect(folded, inner, path, lines);
	str_cut(path, before);
}

static int
compare_lines(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static void
print(struct folded_sink *folded)
{
	struct lines lines = { 0 };
	struct str path;

	str_init(&path);
	collect(folded, &folded->root, &path, &lines);
	vec_sort(&lines, compare_lines);
	for (size_t i = 0; i < lines.count; i++) {
		out_write(folded->out, lines.at[i], strlen(lines.at[i]));
		out_flush(folded->out, true);
		free(lines.at[i]);
	}
	vec_release(&lines);
	str_release(&path);
}

static void
folded_close(struct sink *sink)
{
	struct folded_sink *folded =
		container_of(sink, struct folded_sink, sink);
	size_t cursor = 0;
	void *name;

	print(folded);
	while (map_next(&folded->programs, &cursor, NULL, &name))
		free(name);
	map_release(&folded->programs);
	map_release(&folded->threads);
	node_release(&folded->root);
	nesting_release(&folded->nesting);
	str_release(&folded->scratch);
	free(folded);
}

static const struct sink_ops ops = {
	.name = "folded",
	.blind = true,
	.event = folded_event,
	.close = folded_close,
};

struct sink *
folded_sink_new(const struct look *look, struct out *out)
{
	struct folded_sink *folded = xcalloc(1, sizeof(*folded));

	folded->sink.ops = &ops;
	folded->look = look;
	folded->out = out;
	nesting_init(&folded->nesting);
	map_init(&folded->programs);
	map_init(&folded->threads);
	str_init(&folded->scratch);
	return &folded->sink;
}
