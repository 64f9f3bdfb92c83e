/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the line of a place in a Ruby instruction sequence. */
#ifndef STACKS_RUBY_LINES_H
#define STACKS_RUBY_LINES_H

#include "stacks/peek.h"
#include "stacks/ruby_layout.h"

/* The line of the instruction word at index `place` of the body; 0 if
 * unknown. */
unsigned ruby_line(struct peek *peek, const struct ruby_layout *layout,
		   addr_t body, uint64_t place);

#endif
