/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A nesting knows for every thread which traced calls are open and which call
 * is nested in which. From this it computes the part of a call's time that was
 * its own.
 */
#ifndef OUTPUT_NESTING_H
#define OUTPUT_NESTING_H

#include "base/attr.h"
#include "base/map.h"
#include "output/event.h"

#include <stdint.h>

/* One open call. */
struct nested {
	struct nested *outer; /* NULL: the outermost call of its thread */
	/* total duration of the ended calls directly within this call, in ns */
	int64_t inner;
	addr_t entry; /* address of the function */
	void *mark;   /* for the sink's use */
	addr_t place; /* for the sink's use */
};

struct nesting {
	/* tid -> struct nested of the innermost open call */
	struct map threads;
	struct nested *idle;
};

void nesting_init(struct nesting *nesting);
void nesting_release(struct nesting *nesting);

/* At EVENT_ENTRY: notes the call. The sink keeps the result with the call. */
struct nested *nesting_enter(struct nesting *nesting,
			     const struct event *event);
/* The innermost open call of the thread, or NULL. */
struct nested *nesting_innermost(const struct nesting *nesting, pid_t tid);
/*
 * At EVENT_RETURN: frees nested and returns the call's own time. nested may be
 * NULL if the call's entry was not seen.
 */
int64_t nesting_leave(struct nesting *nesting, const struct event *event,
		      struct nested *nested);

/* At EVENT_SUM_WITHIN: adds the event's time to the time of ended calls within
 * the innermost open call of the thread. */
void nesting_add_inner(struct nesting *nesting, const struct event *event);

#endif
