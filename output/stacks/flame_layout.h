/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which part of a tree is drawn: the weight of each node with its inner nodes,
 * their order, and which are too narrow. Inner frames begin at the left edge of
 * their outer frame, the widest first. Omitted frames and a node's own weight
 * are empty space at the right.
 */
#ifndef OUTPUT_STACKS_FLAME_LAYOUT_H
#define OUTPUT_STACKS_FLAME_LAYOUT_H

#include "base/attr.h"
#include "base/vec.h"
#include "output/stacks/tree.h"

#include <stdbool.h>

/* The most frames that are drawn. More would make a browser slow, and would be
 * fractions of a pixel. */
#define FLAME_FRAMES_MOST 6000

struct flame_frame {
	const struct tree_node *node;
	uint64_t weight; /* the node's weight with all inner nodes */
	uint64_t from;	 /* the left edge, in units of weight */
	uint64_t calls;	 /* the node's calls with all inner nodes */
	uint64_t before; /* the weight of the same stack in the old tree */
};

struct flame_layout {
	uint64_t weight; /* weight of the root */
	/* the frames that are drawn, outer frames before inner ones */
	vec_of(struct flame_frame) drawn;
	unsigned depth; /* depth of the deepest drawn frame */
	/* nodes with weight that are not drawn */
	size_t omitted;
	/* the weight of the heaviest omitted node */
	uint64_t omitted_most;
	size_t stacks;	    /* nodes with their own weight */
	uint64_t before;    /* the weight of the old tree */
	size_t gone_stacks; /* nodes that are only in the old tree */
	/* own weight of nodes that are only in the old tree */
	uint64_t gone;
};

/* against: an older tree, or NULL. */
void flame_layout_init(struct flame_layout *layout, const struct tree *tree,
		       enum look_weight weight, const struct tree *against);
void flame_layout_release(struct flame_layout *layout);

#endif
