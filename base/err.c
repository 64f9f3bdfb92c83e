/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sentence of an error (base/err.h) is cut if it is too long. */
#include "base/err.h"

#include "base/escape.h"
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void add_line(struct err *err, size_t at, const char *format,
		     va_list arguments) printf_like(3, 0);

static void
add_line(struct err *err, size_t at, const char *format, va_list arguments)
{
	char line[ERR_TEXT];

	vsnprintf(line, sizeof(line), format, arguments);
	escape_name_into(err->text + at, sizeof(err->text) - at, line);
}

int
err_set(struct err *err, int code, const char *format, ...)
{
	va_list arguments;

	if (!err)
		return code;
	va_start(arguments, format);
	add_line(err, 0, format, arguments);
	va_end(arguments);
	return code;
}

void
err_add_line(struct err *err, const char *format, ...)
{
	size_t length = err ? strlen(err->text) : 0;
	va_list arguments;

	if (!err || length + 1 == sizeof(err->text))
		return;
	err->text[length] = '\n';
	va_start(arguments, format);
	add_line(err, length + 1, format, arguments);
	va_end(arguments);
}

void
err_point(struct err *err, const char *text, size_t column)
{
	struct str before;

	str_init(&before);
	escape_name_bytes(&before, text, strnlen(text, column));
	err_add_line(err, "  %s", text);
	err_add_line(err, "  %*s^", (int)before.length, "");
	str_release(&before);
}
