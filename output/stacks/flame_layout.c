/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A node is created after its outer node and has a higher number. The sums are
 * therefore computed from the last number to the first.
 *
 * A frame is drawn if its width is at least 1/WIDTH_MOST of the whole and it is
 * among the FLAME_FRAMES_MOST heaviest. Frames with the same weight as the last
 * of these are all drawn or all omitted. They are drawn if such a frame is
 * visible, because then a row cannot have many of them.
 */
#include "output/stacks/flame_layout.h"

#include "base/xmalloc.h"

#include <stdlib.h>

/* A third of a pixel in a window of 1300 pixels. */
#define WIDTH_MOST 4000

struct sums {
	const struct tree_node **nodes; /* by number */
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
		sums->calls[node->number] = node->self[LOOK_WEIGHT_CALLS];
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

/* The heavier frame first; by name if both are equal. */
static int
compare_frames(const void *left, const void *right)
{
	const struct flame_frame *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return strcmp(a->node->label->name, b->node->label->name);
}

static void
place(struct flame_layout *layout, const struct sums *sums,
      const struct flame_frame *frame)
{
	vec_of(struct flame_frame) inner = { 0 };
	uint64_t from = frame->from;

	vec_push(&layout->drawn, *frame);
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
		place(layout, sums, &inner.at[i]);
	}
	vec_release(&inner);
}

void
flame_layout_init(struct flame_layout *layout, const struct tree *tree,
		  enum look_weight by)
{
	struct flame_frame root = { .node = &tree->root };
	struct sums sums;

	*layout = (struct flame_layout){ 0 };
	sums_init(&sums, tree, by);
	sums.least = least_weight(&sums);
	layout->weight = root.weight = sums.weight[0];
	root.calls = sums.calls[0];
	place(layout, &sums, &root);
	for (size_t i = 0; i < sums.count; i++) {
		layout->stacks += tree_weight(sums.nodes[i], by) > 0;
		if (i == 0 || sums.weight[i] >= sums.least ||
		    sums.weight[i] == 0)
			continue;
		layout->omitted++;
		if (sums.weight[i] > layout->omitted_most)
			layout->omitted_most = sums.weight[i];
	}
	sums_release(&sums);
}

void
flame_layout_release(struct flame_layout *layout)
{
	vec_release(&layout->drawn);
}
