/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors as values; see the header. A sentence too long is cut. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

int
err_set(struct err *err, int code, const char *format, ...)
{
	va_list arguments;

	if (!err)
		return code;
	va_start(arguments, format);
	vsnprintf(err->text, sizeof(err->text), format, arguments);
	va_end(arguments);
	return code;
}
