/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Characters beyond ASCII in UTF-8: where one is, and whether it may be shown.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The character beyond ASCII at the front of bytes (length is not 0): the two
 * to four bytes that it takes, or 0 if there is none.
 */
unsigned utf8_decode(const char *bytes, size_t length, uint32_t *ret_character);

/*
 * False for a character beyond ASCII that is no letter or sign: a C1 control,
 * which terminals obey, and what changes the direction or the order of the
 * text around it, which would make a line say what it does not. All of these
 * are below U+10000.
 */
bool utf8_harmless(uint32_t character);

#endif
