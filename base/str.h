/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A str is text that grows. It is always terminated. Its bytes are at .text,
 * which is NULL until something is added; str_text() is never NULL.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include "base/attr.h"

#include <stdarg.h>
#include <stddef.h>

struct str {
	char *text;
	size_t length;
	size_t room;
};

void str_init(struct str *str);
void str_release(struct str *str);
/* Makes the text empty and keeps its memory. */
void str_clear(struct str *str);
/* Cuts the text to length, which must not exceed the present length. */
void str_cut(struct str *str, size_t length);

void str_add(struct str *str, const char *text);
void str_add_bytes(struct str *str, const char *bytes, size_t length);
void str_add_char(struct str *str, char c);
void str_add_repeated(struct str *str, char c, size_t count);
void str_add_unsigned(struct str *str, unsigned long long value);
void str_add_signed(struct str *str, long long value);
/* Adds "0x" and lower-case hexadecimal digits. */
void str_add_hex(struct str *str, unsigned long long value);
/* Adds "1 call" or "2 calls". */
void str_add_count(struct str *str, unsigned long long count, const char *one,
		   const char *several);
void str_addf(struct str *str, const char *format, ...) printf_like(2, 3);
void str_addv(struct str *str, const char *format, va_list arguments)
	printf_like(2, 0);

/* The text, or "" if nothing was ever added. str owns it. */
const char *str_text(const struct str *str);
/* Returns the text, which the caller frees. str is then as after str_init(). */
char *str_take(struct str *str);

#endif
