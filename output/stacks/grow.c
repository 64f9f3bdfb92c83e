/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The widths in a picture add up because own times are used: a frame is as wide
 * as its own time and the times of all inner frames.
 *
 * A nested call has some frames in common with the outer call. Only the frames
 * between the two calls get nodes between their nodes.
 *
 * If frames are known only at the return (--stack-min-time), a thread's calls
 * grow outside the picture until the outermost of them returns with its frames.
 * Then all of them are moved to these frames. The frames between two calls are
 * not known then, so there are none.
 */
#include "output/stacks/grow.h"

#include "base/xmalloc.h"
#include "output/stacks/asked.h"
#include "output/frames.h"
#include "output/label.h"
#include "output/query.h"

#include <stdlib.h>
#include <string.h>

/* A line that begins with '#' is a comment in a folded file. */
static void
add_program(struct str *to, const char *program)
{
	if (*program == '#')
		str_add(to, "\\043");
	str_add(to, program + (*program == '#'));
}

static struct tree_node *
process_node(struct growth *growth, pid_t pid)
{
	const char *program = map_get(&growth->programs, (uint64_t)pid);
	struct tree_label label = { .kind = TREE_PROCESS };
	struct str *name = &growth->name;

	str_clear(name);
	add_program(name, program ? program : "process");
	if (growth->look->merge != LOOK_MERGE_PROGRAM)
		str_addf(name, " %d", pid);
	label.name = name->text;
	return tree_within(&growth->tree, &growth->tree.root, &label);
}

/* The node of the event's thread: "thread 1240" below "python3 1234" below the
 * root, without the parts that --merge joins. */
static struct tree_node *
thread_node(struct growth *growth, const struct event *event)
{
	struct tree_node *node =
		map_get(&growth->threads, (uint64_t)event->tid);
	struct tree_label label = { .kind = TREE_THREAD };
	struct str *name = &growth->name;

	if (node)
		return node;
	node = process_node(growth, event->pid);
	if (growth->look->merge == LOOK_MERGE_NONE) {
		str_clear(name);
		str_addf(name, "thread %d", event->tid);
		label.name = name->text;
		node = tree_within(&growth->tree, node, &label);
	}
	map_put(&growth->threads, (uint64_t)event->tid, node);
	return node;
}

/* A node below outer; or outer itself, if it has the same name and recursion is
 * collapsed. */
static struct tree_node *
node_below(struct growth *growth, struct tree_node *outer,
	   const struct tree_label *label)
{
	if (growth->look->collapse_recursion &&
	    tree_is_called(outer, label->name))
		return outer;
	return tree_within(&growth->tree, outer, label);
}

static struct tree_node *
below_frame(struct growth *growth, struct tree_node *outer,
	    const struct frame *frame)
{
	struct tree_label label = {
		.kind = TREE_FRAME,
		.function = frame->function,
		.file = frame->file,
		.line = frame->line,
		.module = frame->module,
	};

	str_clear(&growth->name);
	frames_add_label(&growth->name, frame);
	label.name = growth->name.text;
	return node_below(growth, outer, &label);
}

/* Adds the frames (-w) from the thread to this call. */
static struct tree_node *
below_all_frames(struct growth *growth, struct tree_node *outer,
		 const struct event_call *call)
{
	for (unsigned i = call->frame_count; i-- > 0;)
		outer = below_frame(growth, outer, &call->frames[i]);
	return outer;
}

/* Adds the frames from the outer call to this one. The outer function is a
 * native frame, too, but has a node already. */
static struct tree_node *
below_frames(struct growth *growth, const struct nested *around,
	     const struct event_call *call)
{
	struct tree_node *outer = around->mark;
	unsigned i = frames_within(call, around->place);

	if (i > 0 && call->frames[i - 1].kind == FRAME_NATIVE &&
	    call->frames[i - 1].start == around->entry)
		i--;
	while (i-- > 0)
		outer = below_frame(growth, outer, &call->frames[i]);
	return outer;
}

/* A query of a set is called by its fingerprint, other calls by their
 * function. */
static const char *
name_of(struct growth *growth, const struct event_call *call)
{
	const struct argument *sql = call->bare ? query_argument(call) : NULL;
	struct str name;

	str_init(&name);
	str_clear(&growth->name);
	if (sql && query_add_name(&name, sql))
		query_add_folded(&growth->name, str_text(&name));
	str_release(&name);
	return growth->name.length > 0 ? growth->name.text : label_of(call);
}

static struct tree_node *
below_call(struct growth *growth, struct tree_node *outer,
	   const struct event_call *call)
{
	struct tree_label label = {
		.name = name_of(growth, call),
		.kind = TREE_CALL,
		.symbol = call->name,
		.module = call->module,
	};

	return node_below(growth, outer, &label);
}

/* ---- late frames -----------------------------------------------------------
 */

/* The calls of one thread within its outermost call. They grow outside the
 * picture until the outermost call returns. */
struct late {
	struct tree_node *apart;
	vec_of(struct tree_node *) weighty;
};

static struct late *
late_of(struct growth *growth, const struct event *event)
{
	struct late *late = map_get(&growth->late, (uint64_t)event->tid);

	if (late)
		return late;
	late = xcalloc(1, sizeof(*late));
	late->apart = tree_apart(&growth->tree);
	map_put(&growth->late, (uint64_t)event->tid, late);
	return late;
}

static void
free_late(struct late *late)
{
	if (!late)
		return;
	vec_release(&late->weighty);
	free(late);
}

static bool
has_weight(const struct tree_node *node)
{
	for (size_t i = 0; i < LOOK_WEIGHTS; i++) {
		if (node->self[i])
			return true;
	}
	return false;
}

/* The node below `to` that corresponds to node below `from`. */
static struct tree_node *
place_of(struct growth *growth, const struct tree_node *node,
	 const struct tree_node *from, struct tree_node *to)
{
	if (node == from || !node->outer)
		return to;
	return node_below(growth, place_of(growth, node->outer, from, to),
			  node->label);
}

/* Moves everything below `from` into the picture, below `to`. */
static void
put(struct growth *growth, struct late *late, const struct tree_node *from,
    struct tree_node *to)
{
	for (size_t i = 0; i < late->weighty.count; i++) {
		struct tree_node *node = late->weighty.at[i];
		struct tree_node *place = place_of(growth, node, from, to);

		for (size_t k = 0; k < LOOK_WEIGHTS; k++) {
			place->self[k] += node->self[k];
			node->self[k] = 0;
		}
	}
	vec_clear(&late->weighty);
}

/* ---- events -----------------------------------------------------------------
 */

static void
enter(struct growth *growth, const struct event *event, unsigned kept)
{
	struct nested *nested = nesting_enter(&growth->nesting, event);
	const struct event_call *call = event->call;
	struct tree_node *outer;

	if (nested->outer)
		outer = below_frames(growth, nested->outer, call);
	else if (growth->look->frames_late)
		outer = late_of(growth, event)->apart;
	else
		outer = below_all_frames(growth, thread_node(growth, event),
					 call);
	event->call->kept[kept] = nested;
	nested->mark = below_call(growth, outer, call);
	nested->place = call->frame_count ? call->frames[0].at : 0;
}

static void
weigh(struct growth *growth, struct tree_node *node, const struct event *event,
      int64_t self)
{
	node->self[LOOK_WEIGHT_TIME] += self;
	node->self[LOOK_WEIGHT_CALLS]++;
	if (growth->look->weight == LOOK_WEIGHT_BYTES)
		node->self[LOOK_WEIGHT_BYTES] +=
			(int64_t)asked_bytes(event->call);
}

static struct tree_node *
below_thread(struct growth *growth, const struct event *event)
{
	return below_call(growth,
			  below_all_frames(growth, thread_node(growth, event),
					   event->call),
			  event->call);
}

/* The state of moving samples below a call. */
struct moving {
	struct growth *growth;
	struct tree_node *to;
	int64_t left; /* the call's own time that is in no sample yet */
	int64_t moved;
};

static bool
is_within(const struct tree_node *node, const struct tree_node *outer)
{
	while (node && node != outer)
		node = node->outer;
	return node != NULL;
}

/* Moves a part of the sample's time below the query. A sample whose lines are
 * not those of the query was taken while the program worked between two parts
 * of the answer, and stays. */
static void
move_sample(const struct recent_sample *sample, uint64_t weight, void *user)
{
	struct moving *moving = user;
	struct tree_node *place;

	if (!is_within(sample->node, moving->to->outer) ||
	    is_within(sample->node, moving->to) || moving->left <= 0)
		return;
	if ((int64_t)weight > moving->left)
		weight = (uint64_t)moving->left;
	place = place_of(moving->growth, sample->node, moving->to->outer,
			 moving->to);
	sample->node->self[LOOK_WEIGHT_TIME] -= (int64_t)weight;
	place->self[LOOK_WEIGHT_TIME] += (int64_t)weight;
	if (sample->weight == weight) {
		sample->node->self[LOOK_WEIGHT_CALLS]--;
		place->self[LOOK_WEIGHT_CALLS]++;
	}
	moving->left -= (int64_t)weight;
	moving->moved += (int64_t)weight;
}

/* Moves the samples that were taken during the call below its node: a query is
 * told to the sinks only when it is over. Returns the time of these samples. */
static int64_t
take_recent(struct growth *growth, const struct event *event,
	    struct tree_node *node, int64_t self)
{
	struct moving moving = { .growth = growth, .to = node, .left = self };

	recent_take(&growth->recent, event->tid, event->call->began,
		    move_sample, &moving);
	return moving.moved;
}

static void
leave(struct growth *growth, const struct event *event, unsigned kept)
{
	struct nested *nested = take(event->call->kept[kept]);
	struct tree_node *node = nested ? nested->mark : NULL;
	bool outermost = !nested || !nested->outer;
	int64_t self = nesting_leave(&growth->nesting, event, nested);
	struct late *late = node && growth->look->frames_late
				    ? late_of(growth, event)
				    : NULL;

	growth->self = self;
	if (event_endless(event->call))
		return;
	if (!node)
		node = below_thread(growth, event);
	if (late && !has_weight(node))
		vec_push(&late->weighty, node);
	if (!late)
		self -= take_recent(growth, event, node, self);
	weigh(growth, node, event, self);
	if (late && outermost)
		put(growth, late, node, below_thread(growth, event));
}

/* Adds a sample below the thread, or if a call is open, below that. */
static void
take_sample(struct growth *growth, const struct event *event)
{
	struct nested *around = nesting_innermost(&growth->nesting, event->tid);
	struct tree_node *node =
		around && around->mark
			? below_frames(growth, around, event->call)
			: below_all_frames(growth, thread_node(growth, event),
					   event->call);

	if (around)
		around->inner += (int64_t)event->weight;
	else
		recent_add(&growth->recent, event, node);
	node->self[LOOK_WEIGHT_TIME] += (int64_t)event->weight;
	node->self[LOOK_WEIGHT_CALLS]++;
}

static void
take_growth(struct growth *growth, const struct event *event)
{
	struct tree_node *node =
		below_all_frames(growth, thread_node(growth, event),
				 event->call);

	node->self[LOOK_WEIGHT_BYTES] +=
		(int64_t)((double)event->weight / event->seen);
	node->self[LOOK_WEIGHT_CALLS]++;
}

/* If a program got memory after its last window, the stack is not known: the
 * bytes are shown as [not watched] below the process. */
static void
take_unwatched(struct growth *growth, const struct event *event)
{
	struct tree_label label = { .kind = TREE_FRAME,
				    .name = "[not watched]",
				    .function = "[not watched]" };
	struct tree_node *process;

	if (event->extrapolated || event->change == EVENT_CHANGE_UNKNOWN ||
	    event->change <= 0)
		return;
	process = process_node(growth, event->pid);
	tree_within(&growth->tree, process, &label)->self[LOOK_WEIGHT_BYTES] +=
		event->change;
}

/* From now on the process runs another program, so it gets another node. */
static void
set_program(struct growth *growth, const struct event *event)
{
	const char *slash;

	map_remove(&growth->threads, (uint64_t)event->tid);
	if (!event->text)
		return;
	slash = strrchr(event->text, '/');
	free(map_remove(&growth->programs, (uint64_t)event->pid));
	map_put(&growth->programs, (uint64_t)event->pid,
		xstrdup(slash ? slash + 1 : event->text));
}

static void
forget_thread(struct growth *growth, const struct event *event)
{
	struct late *late = map_remove(&growth->late, (uint64_t)event->tid);

	if (late)
		put(growth, late, late->apart, thread_node(growth, event));
	free_late(late);
	map_remove(&growth->threads, (uint64_t)event->tid);
}

void
growth_event(struct growth *growth, const struct event *event, unsigned kept)
{
	if (growth->tree.began == 0)
		growth->tree.began = event->when;
	growth->tree.ended = event->when;
	if (event->kind == EVENT_ENTRY)
		enter(growth, event, kept);
	else if (event->kind == EVENT_RETURN)
		leave(growth, event, kept);
	else if (event->kind == EVENT_SAMPLE)
		take_sample(growth, event);
	else if (event->kind == EVENT_GROWTH)
		take_growth(growth, event);
	else if (event->kind == EVENT_UNWATCHED)
		take_unwatched(growth, event);
	else if (event->kind == EVENT_START || event->kind == EVENT_EXEC)
		set_program(growth, event);
	else if (event->kind == EVENT_THREAD_END ||
		 event->kind == EVENT_EXITED || event->kind == EVENT_KILLED)
		forget_thread(growth, event);
}

void
growth_init(struct growth *growth, const struct look *look)
{
	*growth = (struct growth){ .look = look };
	tree_init(&growth->tree);
	nesting_init(&growth->nesting);
	map_init(&growth->programs);
	map_init(&growth->threads);
	map_init(&growth->late);
	recent_init(&growth->recent);
	str_init(&growth->name);
}

void
growth_reset(struct growth *growth)
{
	struct tree *tree = &growth->tree;
	struct tree_node *root = &tree->root;

	for (const struct tree_node *node = root; node; node = tree_next(node))
		memset(((struct tree_node *)node)->self, 0, sizeof(node->self));
	tree->began = tree->ended;
}

void
growth_release(struct growth *growth)
{
	size_t cursor = 0;
	void *name;

	while (map_next(&growth->programs, &cursor, NULL, &name))
		free(name);
	map_release(&growth->programs);
	map_release(&growth->threads);
	recent_release(&growth->recent);
	for (cursor = 0; map_next(&growth->late, &cursor, NULL, &name);)
		free_late(name);
	map_release(&growth->late);
	tree_release(&growth->tree);
	nesting_release(&growth->nesting);
	str_release(&growth->name);
}
