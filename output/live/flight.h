/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calls that are in flight, as the page shows them. */
#ifndef OUTPUT_LIVE_FLIGHT_H
#define OUTPUT_LIVE_FLIGHT_H

#include "base/vec.h"
#include "output/event.h"
#include "output/live/page.h"

struct flights {
	/* told since the last page; and the calls of the page, the longest
	 * first */
	vec_of(struct page_call) told, shown;
};

/* Takes an EVENT_OPEN. Calls beyond 1000 are not taken. */
void flights_tell(struct flights *flights, const struct event *event);
/* The next page will show the calls that were told. If it is paused, they are
 * dropped. */
void flights_take(struct flights *flights, bool paused);
void flights_release(struct flights *flights);

#endif
