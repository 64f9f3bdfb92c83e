/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the line of a query tells besides its result and its duration. */
#ifndef OUTPUT_LINES_PARTS_H
#define OUTPUT_LINES_PARTS_H

#include "base/str.h"
#include "output/event.h"
#include "output/lines/line.h"
#include "output/look.h"

/*
 * Adds " (id 47065fe3, first 0.060000, 20 rows, 800543 bytes)" for a call that
 * has ended: the query's id with --query-id, and the parts of the duration with
 * -T; the rest of the duration is the time of fetching. Nothing is added if
 * none of it is known.
 */
void parts_add(struct str *to, const struct event_call *call,
	       const struct look *look);

/* Adds the error of a query that has failed: ERROR 1064 (42000) "You have an
 * error in your SQL syntax". Nothing is added if none of it is known. */
void parts_add_failure(struct line *line, const struct event_outcome *outcome);

#endif
