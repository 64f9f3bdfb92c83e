/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An error is a value: a negative errno that travels as the return value, and
 * one sentence made where the reason is known and printed once, by tracer/.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/attr.h"

#define ERR_TEXT 1024

struct err {
	char text[ERR_TEXT];
};

/*
 * Writes the sentence (err may be NULL) and returns code, a negative errno.
 * Names in it may be any bytes: the sentence is one line and has no control
 * character (escape_name()).
 */
int err_set(struct err *err, int code, const char *format, ...)
	printf_like(3, 4);

/* One more line below the sentence, without the newline at its end. */
void err_add_line(struct err *err, const char *format, ...) printf_like(2, 3);

#endif
