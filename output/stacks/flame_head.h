/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head of a flame graph, above its frames: title, sums, legend, and the
 * style. */
#ifndef OUTPUT_STACKS_FLAME_HEAD_H
#define OUTPUT_STACKS_FLAME_HEAD_H

#include "base/str.h"
#include "output/stacks/flame.h"
#include "output/stacks/flame_layout.h"

#define FLAME_ROW 19 /* height of a row, in pixels */
#define FLAME_HEAD 114
#define FLAME_FOOT 40

/*
 * Adds everything from the start of the picture up to the opening tag of the
 * element with the frames.
 */
void flame_add_head(struct str *to, const struct flame_about *about,
		    const struct flame_layout *layout, const struct tree *tree);

/* The kind of a frame: 'p' processes and threads, 's' frames of a script, 'n'
 * native frames, 'c' traced calls. */
char flame_kind(const struct tree_node *node);

#endif
