/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Non-ASCII characters in UTF-8: how long they are, whether they may be shown,
 * and how wide they are. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The non-ASCII character at the start of bytes (length is not 0). Returns its
 * two to four bytes' length, or 0 if there is no such character.
 */
unsigned utf8_decode(const char *bytes, size_t length, uint32_t *ret_character);

/*
 * False for non-ASCII characters that must not be written as they are: the C1
 * controls, which terminals obey, and characters that change the direction or
 * the order of the text around them and would make a line appear to say
 * something else. All of these are below U+10000.
 */
bool utf8_harmless(uint32_t character);

/*
 * True if the bytes read as text: valid UTF-8 without control characters other
 * than tab, line feed and carriage return. If the text is cut, its last
 * character may be incomplete.
 */
bool utf8_is_text(const char *bytes, size_t length, bool cut);

/* The columns that the text takes on a terminal. A byte that is no character
 * counts as one column. */
size_t utf8_columns(const char *bytes, size_t length);
/* How many of the bytes fit into that many columns. */
size_t utf8_fitting(const char *bytes, size_t length, size_t columns);

#endif
