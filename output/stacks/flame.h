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

#include <stdbool.h>
#include <stdint.h>

struct out;
struct tree;

enum flame_unit {
	FLAME_TIME, /* the weight is a time in microseconds */
	FLAME_CALLS,
	FLAME_BYTES,
	FLAME_PLAIN, /* the unit is not known */
};

enum flame_page {
	FLAME_SVG,
	FLAME_HTML,
};

struct flame_about {
	enum flame_unit unit; /* chooses the weight; FLAME_PLAIN: calls */
	enum flame_page page;
	bool upward; /* the outermost frame is at the bottom, like flames */
	const char *command; /* what was traced; NULL: unknown */
	uint64_t began;	     /* nanoseconds since the Epoch, or 0 */
	uint64_t lasted;     /* nanoseconds, or 0 */
	/* an older tree: frames show the change; or NULL */
	const struct tree *against;
};

/* Writes the flame graph of the tree. */
void flame_write(const struct tree *tree, const struct flame_about *about,
		 struct out *out);

/* Writes the flame graph of a tree of this run. The look says how. */
void flame_write_page(const struct tree *tree, const struct look *look,
		      enum flame_page page, struct out *out);

#endif
