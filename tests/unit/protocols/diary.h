/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A listener that keeps a diary: one entry per query, in the order in which the
 * queries began, "KIND OUTCOME ROWS SQL" as in a .conversation file. It asserts
 * what listeners are promised: no query ends twice, or before it began. With
 * listener.wants_values, the values of the query follow, "[1, 'x', NULL]", with
 * 'x':25 for a value in the binary format of PostgreSQL's type 25.
 */
#ifndef TESTS_UNIT_PROTOCOLS_DIARY_H
#define TESTS_UNIT_PROTOCOLS_DIARY_H

#include "base/str.h"
#include "base/vec.h"
#include "protocols/query.h"

struct diary {
	struct query_listener listener;
	vec_of(char *) entries; /* NULL: began, but has not ended */
	vec_of(struct query) ends;
	/* the names of the notices, as in "encrypted lost " */
	char notices[256];
};

void diary_init(struct diary *diary);
/* Asserts that each query has ended: free the connection first. */
void diary_release(struct diary *diary);
/* Is there a query that has begun and not ended? */
bool diary_waits(const struct diary *diary);

#endif
