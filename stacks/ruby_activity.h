/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a thread of Ruby collect garbage, and does it have the lock (GVL)? */
#ifndef STACKS_RUBY_ACTIVITY_H
#define STACKS_RUBY_ACTIVITY_H

#include "arch/arch.h"
#include "stacks/peek.h"
#include "stacks/ruby_layout.h"
#include "stacks/source.h"

/* Where the VM has its heap (objspace). */
struct ruby_heap {
	const struct arch *arch;
	addr_t gc_count; /* rb_gc_count(), or 0 */
	/* offset of the pointer to the heap in the VM; 0: not known yet */
	addr_t offset;
};

/*
 * Adds whether the thread has the lock or waits for it, and whether it collects
 * garbage. thread is the address of its rb_thread_t in this VM; if it is 0,
 * nothing is added.
 */
void ruby_add_activity(struct ruby_heap *heap, const struct ruby_layout *layout,
		       struct peek *peek, addr_t vm, addr_t thread,
		       struct source_activity *activity);

#endif
