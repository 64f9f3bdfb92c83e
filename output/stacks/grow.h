/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growth makes a tree of stacks out of events: the process, its thread, the
 * frames around the call (-w), the traced calls that are open, and at each
 * return what the call weighed.
 */
#ifndef OUTPUT_STACKS_GROW_H
#define OUTPUT_STACKS_GROW_H

#include "output/event.h"
#include "output/look.h"
#include "output/nesting.h"
#include "output/stacks/tree.h"

struct growth {
	struct tree tree;
	const struct look *look;
	struct nesting nesting;
	struct map programs; /* pid -> name, as it is now */
	struct map threads;  /* tid -> node */
	struct map late;     /* tid -> struct late, where frames come late */
	struct str name;
};

void growth_init(struct growth *growth, const struct look *look);
void growth_release(struct growth *growth);

/* kept is where the sink's own pointer hangs on the event's call. */
void growth_event(struct growth *growth, const struct event *event,
		  unsigned kept);

#endif
