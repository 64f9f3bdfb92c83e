/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which fiber of Ruby has resumed another one. */
#ifndef STACKS_RUBY_FIBER_H
#define STACKS_RUBY_FIBER_H

#include "stacks/peek.h"
#include "stacks/ruby_layout.h"

/* The version whose fibers are known. */
#define RUBY_FIBER_VERSION 0x0301u

/* The execution context of the fiber that has resumed the one with this
 * execution context, and waits for it; 0 if none has, as for the first fiber of
 * a thread. thread: their rb_thread_t. */
addr_t ruby_resumer(struct peek *peek, const struct ruby_layout *layout,
		    addr_t thread, addr_t context);

#endif
