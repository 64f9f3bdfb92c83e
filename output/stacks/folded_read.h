/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads folded stacks, of xtrace or another program, into a tree. */
#ifndef OUTPUT_STACKS_FOLDED_READ_H
#define OUTPUT_STACKS_FOLDED_READ_H

#include "base/attr.h"
#include "base/err.h"
#include "output/look.h"

struct tree;

/*
 * Reads one line, "a;b;c 12", and modifies it. weight says what the number is
 * (time: microseconds). collapse: direct recursion becomes one node. Empty
 * lines and lines that begin with # are ignored. -EINVAL with a sentence if
 * there is no number, or if it is too large. nameless: processes and threads
 * lose their numbers, which are different in each run.
 */
must_check int folded_read(struct tree *tree, char *line,
			   enum look_weight weight, bool collapse,
			   bool nameless, struct err *err);

#endif
