/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The details of a row, as lines of text. */
#ifndef OUTPUT_LIVE_DETAILS_H
#define OUTPUT_LIVE_DETAILS_H

#include "base/str.h"
#include "output/tables/summary_rows.h"

/* In the names of rows that are grouped by query and line, this is between the
 * two: "query at line". */
#define DETAILS_AT " at "

/*
 * Adds what is known of the row: its figures, the text and the stack of the
 * slowest call, and how long the calls took. If callers is not NULL, also adds
 * the lines that made the calls. These are the rows of `callers` whose names
 * are the row's name, DETAILS_AT and a line.
 */
void details_add(struct str *to, const struct summary_row *row,
		 const struct summary_rows *callers);

#endif
