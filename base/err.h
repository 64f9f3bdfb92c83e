/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An error is a value: a negative errno, which is the return value, and one
 * sentence. The function that knows the reason makes the sentence, and tracer/
 * prints it once.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/attr.h"

#include <stddef.h>

#define ERR_TEXT 1024

struct err {
	char text[ERR_TEXT];
};

/*
 * Writes the sentence, unless err is NULL, and returns code, a negative errno.
 * Names in the sentence may contain any bytes: they are escaped
 * (escape_name()), so that the sentence is one line without control characters.
 */
int err_set(struct err *err, int code, const char *format, ...)
	printf_like(3, 4);

/* Adds one more line below the sentence. The line has no newline at its end. */
void err_add_line(struct err *err, const char *format, ...) printf_like(2, 3);

/* Adds two lines: the text in which the mistake is, and a caret below its byte
 * at column, which is counted from 0. */
void err_point(struct err *err, const char *text, size_t column);

#endif
