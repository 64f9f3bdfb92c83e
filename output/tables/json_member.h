/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a line of JSON Lines that xtrace wrote, member by member. */
#ifndef OUTPUT_TABLES_JSON_MEMBER_H
#define OUTPUT_TABLES_JSON_MEMBER_H

#include "base/attr.h"
#include "base/str.h"

#include <stdbool.h>

/* A member of an object: a text, or a number. */
struct json_member {
	struct str key;
	struct str text; /* the value of a string, as UTF-8 */
	bool is_number;
	double number;
};

void json_member_init(struct json_member *member);
void json_member_release(struct json_member *member);

/*
 * Reads the member at *at, which is at first the object's opening bracket, and
 * moves *at behind it. Returns 1, 0 at the end of the object, or -EINVAL if
 * this is no object, or has other values than texts, numbers, {"$bytes": text}
 * and truth values. Members with truth values are skipped.
 */
must_check int json_member_next(struct json_member *member, const char **at);

#endif
