/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flame graph is a picture of a tree of stacks. It has a row for each depth,
 * with the outermost on top. Each frame is as wide as its weight with all inner
 * frames. It is one SVG or HTML file that needs no other file. A browser can
 * search and zoom it.
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
	FLAME_PLAIN, /* unknown */
};

enum flame_page {
	FLAME_SVG,
	FLAME_HTML,
};

/* Writes the picture. unit chooses the weight; FLAME_PLAIN uses
 * LOOK_WEIGHT_CALLS. */
void flame_write(const struct tree *tree, enum flame_unit unit,
		 enum flame_page page, struct out *out);

#endif
