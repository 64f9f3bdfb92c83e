/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folded stacks, of whoever wrote them, read into a tree. */
#ifndef OUTPUT_STACKS_FOLDED_READ_H
#define OUTPUT_STACKS_FOLDED_READ_H

#include "base/attr.h"
#include "base/err.h"
#include "output/look.h"

struct tree;

/*
 * One line, "a;b;c 12", which is taken apart. weight says what the number is
 * (time: microseconds); collapse: what is called by one of its name is that
 * one. Empty lines and those that begin with # say nothing.
 * -EINVAL with a sentence where there is no number, or one too large.
 */
must_check int folded_read(struct tree *tree, char *line,
			   enum look_weight weight, bool collapse,
			   struct err *err);

#endif
