/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growing text. Numbers are converted here instead of by printf(), because each
 * traced call prints several numbers and the parsing of printf's format would
 * be noticeable.
 */
#include "base/str.h"

#include "base/xmalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64u

void
str_init(struct str *str)
{
	*str = (struct str){ 0 };
}

void
str_release(struct str *str)
{
	free(str->text);
	str_init(str);
}

void
str_clear(struct str *str)
{
	str->length = 0;
	if (str->text)
		str->text[0] = '\0';
}

void
str_cut(struct str *str, size_t length)
{
	if (length >= str->length)
		return;
	str->length = length;
	str->text[length] = '\0';
}

static void
reserve(struct str *str, size_t more)
{
	size_t need = str->length + more + 1;
	size_t room = str->room ? str->room : FIRST_ROOM;

	if (need <= str->room)
		return;
	while (room < need)
		room *= 2;
	str->text = xrealloc(str->text, room);
	str->room = room;
}

void
str_add_bytes(struct str *str, const char *bytes, size_t length)
{
	reserve(str, length);
	if (length > 0)
		memcpy(str->text + str->length, bytes, length);
	str->length += length;
	str->text[str->length] = '\0';
}

void
str_add(struct str *str, const char *text)
{
	str_add_bytes(str, text, strlen(text));
}

void
str_add_char(struct str *str, char c)
{
	reserve(str, 1);
	str->text[str->length++] = c;
	str->text[str->length] = '\0';
}

void
str_add_repeated(struct str *str, char c, size_t count)
{
	reserve(str, count);
	memset(str->text + str->length, c, count);
	str->length += count;
	str->text[str->length] = '\0';
}

void
str_add_unsigned(struct str *str, unsigned long long value)
{
	char digits[24];
	char *at = digits + sizeof(digits);

	do {
		*--at = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	str_add_bytes(str, at, (size_t)(digits + sizeof(digits) - at));
}

void
str_add_signed(struct str *str, long long value)
{
	unsigned long long magnitude = (unsigned long long)value;

	if (value < 0) {
		str_add_char(str, '-');
		magnitude = -magnitude;
	}
	str_add_unsigned(str, magnitude);
}

void
str_add_hex(struct str *str, unsigned long long value)
{
	char digits[20];
	char *at = digits + sizeof(digits);

	do {
		*--at = "0123456789abcdef"[value % 16];
		value /= 16;
	} while (value > 0);
	str_add_bytes(str, "0x", 2);
	str_add_bytes(str, at, (size_t)(digits + sizeof(digits) - at));
}

void
str_addv(struct str *str, const char *format, va_list arguments)
{
	va_list again;
	int length;

	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	reserve(str, (size_t)length);
	vsnprintf(str->text + str->length, (size_t)length + 1, format,
		  arguments);
	str->length += (size_t)length;
}

void
str_add_count(struct str *str, unsigned long long count, const char *one,
	      const char *several)
{
	str_add_unsigned(str, count);
	str_add_char(str, ' ');
	str_add(str, count == 1 ? one : several);
}

void
str_addf(struct str *str, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	str_addv(str, format, arguments);
	va_end(arguments);
}

const char *
str_text(const struct str *str)
{
	return str->text ? str->text : "";
}

char *
str_take(struct str *str)
{
	char *text = str->text ? str->text : xstrdup("");

	str_init(str);
	return text;
}
