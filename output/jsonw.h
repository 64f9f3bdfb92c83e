/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A jsonw appends JSON (RFC 8259) to a str, value after value; it puts the
 * commas. Keys come before values in objects, brackets are closed by whoever
 * opened them; it does not check.
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
	bool comma; /* before the next value or key */
};

void jsonw_init(struct jsonw *json, struct str *to);

/* '{' or '[', later '}' or ']'. */
void jsonw_open(struct jsonw *json, char bracket);
void jsonw_close(struct jsonw *json, char bracket);

/* Bytes that are no UTF-8 become U+FFFD here, and here only. */
void jsonw_key(struct jsonw *json, const char *key);

/* A string; where the bytes are no UTF-8, {"$bytes": "..."}, see jsonw.c. */
void jsonw_text(struct jsonw *json, const char *bytes, size_t length);
/* A string that needs no escapes. */
void jsonw_ascii(struct jsonw *json, const char *text);
/* "0x7ffd5a30", a string. */
void jsonw_address(struct jsonw *json, uint64_t address);
void jsonw_unsigned(struct jsonw *json, uint64_t value);
void jsonw_signed(struct jsonw *json, int64_t value);
/* The shortest decimal that reads back as value; "NaN", "Infinity" and
 * "-Infinity" are strings. */
void jsonw_double(struct jsonw *json, double value);
/* Digits that are a JSON number already. */
void jsonw_number(struct jsonw *json, const char *digits);
void jsonw_bool(struct jsonw *json, bool value);
void jsonw_null(struct jsonw *json);
/* ns as seconds, with all nine digits behind the point. */
void jsonw_seconds(struct jsonw *json, uint64_t ns);

/* How many of length bytes remain when a character that -s has cut in its
 * middle is taken off the end. */
size_t jsonw_whole_characters(const char *bytes, size_t length);

#endif
