/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A str is text that grows: always terminated, its bytes at .text (never
 * NULL once something was added; str_text() is always safe).
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
/* Empty, the memory kept. */
void str_clear(struct str *str);
/* Cut to length, which is at most what it is. */
void str_cut(struct str *str, size_t length);

void str_add(struct str *str, const char *text);
void str_add_bytes(struct str *str, const char *bytes, size_t length);
void str_add_char(struct str *str, char c);
void str_add_repeated(struct str *str, char c, size_t count);
void str_add_unsigned(struct str *str, unsigned long long value);
void str_add_signed(struct str *str, long long value);
/* "0x" and lower-case hexadecimal digits. */
void str_add_hex(struct str *str, unsigned long long value);
void str_addf(struct str *str, const char *format, ...) printf_like(2, 3);
void str_addv(struct str *str, const char *format, va_list arguments)
	printf_like(2, 0);

/* The text, "" when nothing was ever added; owned by str. */
const char *str_text(const struct str *str);
/* The text, to be freed by the caller; str is as after str_init(). */
char *str_take(struct str *str);

#endif
