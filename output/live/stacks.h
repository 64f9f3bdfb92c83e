/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stacks of all threads, as they were when the user asked for them. */
#ifndef OUTPUT_LIVE_STACKS_H
#define OUTPUT_LIVE_STACKS_H

#include "base/str.h"
#include "base/vec.h"
#include "output/event.h"

struct live_stacks {
	bool wanted;   /* the user wants them anew */
	uint64_t when; /* when they were asked for last; 0: never */
	vec_of(struct live_stack) list;
};

struct live_stack {
	pid_t pid, tid;
	char *text; /* lines */
};

void live_stacks_release(struct live_stacks *stacks);

/* The user asks for the stacks: those of an earlier moment are dropped. */
void live_stacks_ask(struct live_stacks *stacks, uint64_t now);
/* True once after live_stacks_ask(). */
bool live_stacks_wanted(struct live_stacks *stacks);
/* Takes an EVENT_STACK. */
void live_stacks_take(struct live_stacks *stacks, const struct event *event);
/* Adds the stacks, by process and thread. clock is the time of day at which
 * they were asked for. */
void live_stacks_add(struct live_stacks *stacks, const char *clock,
		     struct str *to);

#endif
