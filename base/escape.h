/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text with C escapes: what a terminal would not display as it is, or would
 * obey, is escaped.
 *
 * escape_text() is for values, which are written between quotes. escape_name()
 * is for names that xtrace did not make: names of functions, modules, files,
 * threads and processes, and other foreign text in a message. The result of an
 * escape_name*() function is not changed by a second one.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Adds no quotes around the text. Inside the text, the character in quote is
 * escaped. */
void escape_text(struct str *to, const char *bytes, size_t length, char quote,
		 bool ascii);

/* Writes one character, wide or not, between single quotes. */
void escape_character(struct str *to, uint32_t character, bool wide);

/* Names are written without quotes around them. A backslash and a quote are not
 * escaped, because they occur in many names. */
void escape_name(struct str *to, const char *name);
void escape_name_bytes(struct str *to, const char *name, size_t length);

/* Like escape_name(), into a buffer of room bytes. The result ends with a NUL,
 * and what does not fit is cut off. Async-signal-safe. Returns the length. */
size_t escape_name_into(char *to, size_t room, const char *name);

/* False if escape_name() might change the name. */
bool escape_spares(const char *name, size_t length);

#endif
