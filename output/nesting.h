/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A nesting knows, for every thread, which traced calls are open within which,
 * and so what part of a call's time was its own.
 */
#ifndef OUTPUT_NESTING_H
#define OUTPUT_NESTING_H

#include "base/attr.h"
#include "base/map.h"
#include "output/event.h"

#include <stdint.h>

/* One open call. */
struct nested {
	struct nested *outer; /* NULL: the outermost of its thread */
	uint64_t inner;	      /* time of ended calls directly within */
	addr_t entry;	      /* of its function */
	void *mark;	      /* the sink's */
	addr_t place;	      /* the sink's too */
};

struct nesting {
	struct map threads; /* tid -> struct nested, the innermost */
	struct nested *idle;
};

void nesting_init(struct nesting *nesting);
void nesting_release(struct nesting *nesting);

/* At EVENT_ENTRY. What comes back is kept on the call by the sink. */
struct nested *nesting_enter(struct nesting *nesting,
			     const struct event *event);
/*
 * At EVENT_RETURN: frees nested and returns the call's own time. nested may
 * be NULL, a call whose entry we have not seen.
 */
uint64_t nesting_leave(struct nesting *nesting, const struct event *event,
		       struct nested *nested);

#endif
