/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tells one call of a method of Ruby from the next one. */
#ifndef STACKS_RUBY_CALL_H
#define STACKS_RUBY_CALL_H

#include "stacks/peek.h"
#include "stacks/ruby_layout.h"
#include "stacks/source.h"

/* Stores the state of the script's frame at that address; false if it is not
 * known. */
bool ruby_call_state(struct peek *peek, const struct ruby_layout *layout,
		     addr_t frame, struct source_frame_state *ret_state);

#endif
