/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples in the rows of a table of calls. */
#ifndef OUTPUT_LIVE_SAMPLED_H
#define OUTPUT_LIVE_SAMPLED_H

#include "output/event.h"
#include "output/tables/summary_rows.h"

/* Counts an EVENT_SAMPLE as a call that took the sample's time. by: "where",
 * "function" or "thread". The rows must be grouped by function. */
void sampled_count(struct summary_rows *rows, const struct event *event,
		   const char *by);

#endif
