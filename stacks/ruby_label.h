/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name of a frame in Ruby's backtraces: "find", "block in find"; from 3.4
 * on "User#find", "block in User.find". */
#ifndef STACKS_RUBY_LABEL_H
#define STACKS_RUBY_LABEL_H

#include "stacks/ruby_names.h"

/* The label of a script's frame; ep is its environment. NULL if unknown. */
const char *ruby_script_label(struct peek *peek,
			      const struct ruby_layout *layout, addr_t iseq,
			      addr_t ep, struct arena *arena);

/* The label of a method that is written in C. */
const char *ruby_method_label(struct peek *peek,
			      const struct ruby_layout *layout,
			      struct ruby_names *names, addr_t ep,
			      struct arena *arena);

/* Is this the code of a rescue or an ensure, which runs in its own frame? */
bool ruby_is_rescue(struct peek *peek, addr_t iseq);

#endif
