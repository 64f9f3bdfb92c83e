/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A listener that keeps a diary: one entry a query, in the order in which
 * they began, "KIND OUTCOME ROWS SQL" as in a .conversation file. What a
 * listener is promised is asserted: whoever begins ends, once, and after it
 * began. With listener.wants_values, behind that "[1, 'x', NULL]".
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
	char notices[256]; /* "compressed ", ... */
};

void diary_init(struct diary *diary);
void diary_release(struct diary *diary);

#endif
