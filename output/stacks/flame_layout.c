/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A node is created after its outer node and has a higher number. The sums are
 * therefore computed from the last number to the first.
 *
 * A frame is drawn if its width is at least 1/WIDTH_MOST of the whole and it is
 * among the FLAME_FRAMES_MOST heaviest. Frames with the same weight as the
 * heaviest frame beyond this number are all drawn or all omitted. They are
 * drawn if the weight is at least a hundredth of the whole, because then a row
 * has at most a hundred of them.
 */
#include "output/stacks/flame_layout.h"

#include "base/xmalloc.h"

#include <stdlib.h>

/* A third of a pixel in a window of 1300 pixels. */
#define WIDTH_MOST 4000

struct sums {
	const struct tree_node **nodes; /* indexed by the node's number */
	uint64_t *weight;
	uint64_t *calls;
	uint64_t least;
	size_t count;
};

static void
sums_init(struct sums *sums, const struct tree *tree, enum look_weight by)
{
	size_t count = tree->node_count;

	sums->count = count;
	sums->nodes = xcalloc(count, sizeof(*sums->nodes));
	sums->weight = xcalloc(count, sizeof(*sums->weight));
	sums->calls = xcalloc(count, sizeof(*sums->calls));
	for (const struct tree_node *node = &tree->root; node;
	     node = tree_next(node)) {
		sums->nodes[node->number] = node;
		sums->weight[node->number] = tree_weight(node, by);
		sums->calls[node->number] =
			tree_weight(node, LOOK_WEIGHT_CALLS);
	}
	for (size_t i = count - 1; i > 0; i--) {
		uint32_t outer = sums->nodes[i]->outer->number;

		sums->weight[outer] += sums->weight[i];
		sums->calls[outer] += sums->calls[i];
	}
}

static void
sums_release(struct sums *sums)
{
	free(sums->nodes);
	free(sums->weight);
	free(sums->calls);
}

static int
compare_weights(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? 1 : a > b ? -1 : 0;
}

/* The least weight of a frame that is drawn. */
static uint64_t
least_weight(const struct sums *sums)
{
	uint64_t whole = sums->weight[0], least, last;
	uint64_t *sorted;

	least = whole / WIDTH_MOST + (whole % WIDTH_MOST > 0);
	if (sums->count <= FLAME_FRAMES_MOST)
		return least;
	sorted = xcalloc(sums->count, sizeof(*sorted));
	for (size_t i = 0; i < sums->count; i++)
		sorted[i] = sums->weight[i];
	qsort(sorted, sums->count, sizeof(*sorted), compare_weights);
	last = sorted[FLAME_FRAMES_MOST];
	free(sorted);
	if (last < whole / 100)
		last++;
	return last > least ? last : least;
}

/* Sorts frames by weight, the heaviest first; with equal weights by name. */
static int
compare_frames(const void *left, const void *right)
{
	const struct flame_frame *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return strcmp(a->node->label->name, b->node->label->name);
}

/* What is needed while frames get their places: the layout, and the sums of the
 * trees. */
struct placing {
	struct flame_layout *layout;
	struct sums sums;
	const struct tree *old; /* NULL if the picture is no difference */
	struct sums old_sums;
};

/* The node of the old tree for the same stack, or NULL. */
static const struct tree_node *
old_of(const struct placing *placing, const struct tree_node *old_outer,
       const struct tree_node *node)
{
	return old_outer ? tree_find(placing->old, old_outer, node->label->name)
			 : NULL;
}

static void
place(struct placing *placing, const struct flame_frame *frame,
      const struct tree_node *old)
{
	struct flame_layout *layout = placing->layout;
	const struct sums *sums = &placing->sums;
	vec_of(struct flame_frame) inner = { 0 };
	uint64_t from = frame->from;

	vec_push(&layout->drawn, *frame);
	if (old)
		layout->drawn.at[layout->drawn.count - 1].before =
			placing->old_sums.weight[old->number];
	if (frame->node->depth > layout->depth)
		layout->depth = frame->node->depth;
	for (const struct tree_node *node = frame->node->inner; node;
	     node = node->next) {
		uint32_t number = node->number;
		struct flame_frame at = { .node = node,
					  .weight = sums->weight[number],
					  .calls = sums->calls[number] };

		if (at.weight >= sums->least && at.weight > 0)
			vec_push(&inner, at);
	}
	vec_sort(&inner, compare_frames);
	for (size_t i = 0; i < inner.count; i++) {
		inner.at[i].from = from;
		from += inner.at[i].weight;
		place(placing, &inner.at[i],
		      old_of(placing, old, inner.at[i].node));
	}
	vec_release(&inner);
}

static void
count_omitted(struct flame_layout *layout, const struct sums *sums,
	      enum look_weight by)
{
	for (size_t i = 0; i < sums->count; i++) {
		layout->stacks += tree_weight(sums->nodes[i], by) > 0;
		if (i == 0 || sums->weight[i] >= sums->least ||
		    sums->weight[i] == 0)
			continue;
		layout->omitted++;
		if (sums->weight[i] > layout->omitted_most)
			layout->omitted_most = sums->weight[i];
	}
}

/* Counts the stacks below `old`, a node of the old tree, that are not below
 * `node` in the new one. */
static void
count_gone(struct placing *placing, const struct tree *tree,
	   const struct tree_node *old, const struct tree_node *node,
	   enum look_weight by)
{
	uint64_t own = tree_weight(old, by);

	if (!node && own > 0) {
		placing->layout->gone_stacks++;
		placing->layout->gone += own;
	}
	for (const struct tree_node *at = old->inner; at; at = at->next)
		count_gone(placing, tree, at,
			   node ? tree_find(tree, node, at->label->name) : NULL,
			   by);
}

void
flame_layout_init(struct flame_layout *layout, const struct tree *tree,
		  enum look_weight by, const struct tree *against)
{
	struct flame_frame root = { .node = &tree->root };
	struct placing placing = { .layout = layout, .old = against };

	*layout = (struct flame_layout){ 0 };
	sums_init(&placing.sums, tree, by);
	placing.sums.least = least_weight(&placing.sums);
	if (against) {
		sums_init(&placing.old_sums, against, by);
		layout->before = placing.old_sums.weight[0];
		count_gone(&placing, tree, &against->root, &tree->root, by);
	}
	layout->weight = root.weight = placing.sums.weight[0];
	root.calls = placing.sums.calls[0];
	place(&placing, &root, against ? &against->root : NULL);
	count_omitted(layout, &placing.sums, by);
	sums_release(&placing.sums);
	sums_release(&placing.old_sums);
}

void
flame_layout_release(struct flame_layout *layout)
{
	vec_release(&layout->drawn);
}
