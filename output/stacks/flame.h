/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flame graph is a picture of a tree of stacks: a row for each depth, the
 * outermost on top, each frame as wide as what it and all within it weigh. It
 * is one SVG file, or one HTML file, that needs nothing else: it can be looked
 * at as it is, and in a browser searched and walked through.
 */
#ifndef OUTPUT_STACKS_FLAME_H
#define OUTPUT_STACKS_FLAME_H

#include "base/attr.h"
#include "output/look.h"

struct out;
struct tree;

enum flame_unit {
	FLAME_TIME, /* microseconds */
	FLAME_CALLS,
	FLAME_BYTES,
	FLAME_PLAIN, /* who knows */
};

enum flame_page {
	FLAME_SVG,
	FLAME_HTML,
};

/* By the weight that the unit goes with; FLAME_PLAIN: LOOK_WEIGHT_CALLS. */
void flame_write(const struct tree *tree, enum flame_unit unit,
		 enum flame_page page, struct out *out);

#endif
