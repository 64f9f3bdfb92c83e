/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last samples of each thread, and their nodes in a tree. A query is told
 * to the sinks when it is over. The samples that were taken meanwhile are a
 * part of its time, so they are moved below its node.
 */
#ifndef OUTPUT_STACKS_RECENT_H
#define OUTPUT_STACKS_RECENT_H

#include "base/map.h"
#include "output/event.h"

#include <stdint.h>

struct tree_node;

struct recent {
	struct map threads; /* tid -> struct recent_samples */
};

/* A sample, which is a part of the time before `when`. */
struct recent_sample {
	uint64_t when, weight;
	struct tree_node *node;
};

void recent_init(struct recent *recent);
void recent_release(struct recent *recent);

void recent_add(struct recent *recent, const struct event *event,
		struct tree_node *node);

/*
 * Calls `move` for each sample of the thread since began, with the part of its
 * weight since then, and forgets them.
 */
void recent_take(struct recent *recent, pid_t tid, uint64_t began,
		 void (*move)(const struct recent_sample *sample,
			      uint64_t weight, void *user),
		 void *user);

#endif
