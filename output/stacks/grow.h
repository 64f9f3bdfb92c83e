/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growth (struct growth) makes a tree of stacks from events. The levels of
 * the tree are the process, its thread, the frames around the call (-w) and the
 * open traced calls. At each return the weight of the call is added.
 */
#ifndef OUTPUT_STACKS_GROW_H
#define OUTPUT_STACKS_GROW_H

#include "output/event.h"
#include "output/look.h"
#include "output/nesting.h"
#include "output/stacks/recent.h"
#include "output/stacks/tree.h"

struct growth {
	struct tree tree;
	const struct look *look;
	struct nesting nesting;
	struct map programs;  /* pid -> its present name */
	struct map threads;   /* tid -> the node of the thread */
	struct recent recent; /* the last samples */
	struct map late;      /* tid -> struct late, if frames come late */
	/* The own time of the last call that has ended: without the calls and
	 * samples within it. */
	int64_t self;
	struct str name;
};

void growth_init(struct growth *growth, const struct look *look);
void growth_release(struct growth *growth);

/* Removes all weights. The nodes stay, because open calls use them. */
void growth_reset(struct growth *growth);

/* kept is the sink's index in event_call.kept. */
void growth_event(struct growth *growth, const struct event *event,
		  unsigned kept);

#endif
