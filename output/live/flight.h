/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A call that is in flight, as the page shows it. */
#ifndef OUTPUT_LIVE_FLIGHT_H
#define OUTPUT_LIVE_FLIGHT_H

#include "output/event.h"
#include "output/live/page.h"

/* Makes what the page shows of the call of an EVENT_OPEN. flight_release()
 * frees the texts in it. */
struct page_call flight_of(const struct event *event);
void flight_release(struct page_call *call);
/* The longest call first, for vec_sort(). */
int flight_compare(const void *left, const void *right);

#endif
