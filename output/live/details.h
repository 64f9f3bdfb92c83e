/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The details of a row, as lines of text. */
#ifndef OUTPUT_LIVE_DETAILS_H
#define OUTPUT_LIVE_DETAILS_H

#include "base/str.h"
#include "output/tables/summary_rows.h"

/* A name that these rows add to the name of a row: "query at line". */
#define DETAILS_AT " at "

/*
 * Adds what is known of the row: its figures, the text and the stack of the
 * slowest call, how long the calls took, and the rows of `callers` whose names
 * are that of the row with DETAILS_AT and a line behind it. callers may be
 * NULL.
 */
void details_add(struct str *to, const struct summary_row *row,
		 const struct summary_rows *callers);

#endif
