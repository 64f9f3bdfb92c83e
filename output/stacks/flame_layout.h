/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a tree is drawn: the weight of each node with all within it, their
 * order, and which are too narrow. Inner frames begin where their outer one
 * begins, the widest first, so what is left out, and a node's own weight, are
 * empty room at its right.
 */
#ifndef OUTPUT_STACKS_FLAME_LAYOUT_H
#define OUTPUT_STACKS_FLAME_LAYOUT_H

#include "base/attr.h"
#include "base/vec.h"
#include "output/stacks/tree.h"

#include <stdbool.h>

/* More would make a browser slow; they would be a fraction of a pixel. */
#define FLAME_FRAMES_MOST 6000

struct flame_frame {
	const struct tree_node *node;
	uint64_t weight; /* with all within */
	uint64_t from;	 /* of the root's weight, where it begins */
	uint64_t calls;	 /* with all within */
};

struct flame_layout {
	uint64_t weight;		  /* of everything */
	vec_of(struct flame_frame) drawn; /* outer ones before inner ones */
	unsigned depth;			  /* of the deepest that is drawn */
	size_t omitted;			  /* nodes of any weight that are not */
	uint64_t omitted_most;		  /* what the heaviest of them weighs */
	size_t stacks;			  /* with a weight of their own */
};

void flame_layout_init(struct flame_layout *layout, const struct tree *tree,
		       enum look_weight weight);
void flame_layout_release(struct flame_layout *layout);

#endif
