/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree sink grows a tree of stacks and writes it at the end of the run. With
 * --interval, and if the out is a file, it also writes the tree meanwhile, so
 * that the file always contains a complete picture.
 */
#ifndef OUTPUT_STACKS_TREESINK_H
#define OUTPUT_STACKS_TREESINK_H

#include "output/sink.h"

struct tree;

/* A form in which a tree is written. */
struct tree_form {
	const char *name;
	void (*write)(const struct tree *tree, const struct look *look,
		      struct out *out);
};

struct sink *tree_sink_new(const struct look *look, struct out *out,
			   const struct tree_form *form);

#endif
