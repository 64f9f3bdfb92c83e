/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text as one writes it in C: what a terminal would not show as it is, or
 * would obey, is escaped.
 *
 * escape_text() is for values, which stand between quotes. escape_name() is
 * for names that xtrace has not made: of functions, modules, files, threads and
 * processes, and for whatever else is in a message. What an escape_name*()
 * function has written is left as it is by all of them.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No quotes round it; those in it, if they are this one, are escaped. */
void escape_text(struct str *to, const char *bytes, size_t length, char quote,
		 bool ascii);

/* One character, wide or not, between single quotes. */
void escape_character(struct str *to, uint32_t character, bool wide);

/* A backslash and quotes are parts of many names, and stay as they are. */
void escape_name(struct str *to, const char *name);
void escape_name_bytes(struct str *to, const char *name, size_t length);

/* The same into a buffer of room bytes, with a NUL behind it; what has no room
 * is cut off. Async-signal-safe. Returns the length. */
size_t escape_name_into(char *to, size_t room, const char *name);

/* False if escape_name() might change it. */
bool escape_spares(const char *name, size_t length);

#endif
