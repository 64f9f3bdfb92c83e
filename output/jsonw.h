/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A jsonw appends JSON (RFC 8259) to a str, value by value. It adds the commas.
 * The caller writes keys before values in objects and closes the brackets;
 * nothing is checked.
 */
#ifndef OUTPUT_JSONW_H
#define OUTPUT_JSONW_H

#include "base/attr.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jsonw {
	struct str *to;
	bool comma; /* a comma is missing before the next value or key */
};

void jsonw_init(struct jsonw *json, struct str *to);

/* Opens an object with '{' or an array with '['. jsonw_close() closes it with
 * '}' or ']'. */
void jsonw_open(struct jsonw *json, char bracket);
void jsonw_close(struct jsonw *json, char bracket);

/* Adds a key. Bytes that are not UTF-8 become U+FFFD in a key; in a value they
 * are kept, see jsonw_text(). */
void jsonw_key(struct jsonw *json, const char *key);

/* Adds a string. If the bytes are not UTF-8: {"$bytes": "..."}, see jsonw.c. */
void jsonw_text(struct jsonw *json, const char *bytes, size_t length);
/* Adds {"$bytes": "..."}, whatever the bytes are. */
void jsonw_bytes(struct jsonw *json, const char *bytes, size_t length);
/* Adds a string that needs no escapes. */
void jsonw_ascii(struct jsonw *json, const char *text);
/* Adds a string such as "0x7ffd5a30". */
void jsonw_address(struct jsonw *json, uint64_t address);
void jsonw_unsigned(struct jsonw *json, uint64_t value);
void jsonw_signed(struct jsonw *json, int64_t value);
/* Adds the shortest decimal that reads back as value. "NaN", "Infinity" and
 * "-Infinity" are strings. */
void jsonw_double(struct jsonw *json, double value);
/* Adds digits that are a JSON number already. */
void jsonw_number(struct jsonw *json, const char *digits);
void jsonw_bool(struct jsonw *json, bool value);
void jsonw_null(struct jsonw *json);
/* Adds ns as seconds, with nine digits after the point. */
void jsonw_seconds(struct jsonw *json, uint64_t ns);

/* The length of a text that -s has cut, without a last character of UTF-8 that
 * is incomplete. */
size_t jsonw_whole_characters(const char *bytes, size_t length);

#endif
