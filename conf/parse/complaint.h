/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A complaint is one thing wrong with a prototype file: where, and a sentence
 * ("expected ')' before 'int'"). Parsing goes on after it, so a file has as
 * many as it deserves.
 */
#ifndef CONF_COMPLAINT_H
#define CONF_COMPLAINT_H

#include "base/attr.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdarg.h>

struct complaint {
	char *file;
	unsigned line;	 /* both from 1; a column is a byte; */
	unsigned column; /* 0, 0: the file as a whole */
	char *text;	 /* the sentence */
	char *source;	 /* the line of the file, or NULL */
};

struct complaints {
	vec_of(struct complaint) list;
};

void complaints_init(struct complaints *complaints);
void complaints_release(struct complaints *complaints);

void complaints_add(struct complaints *complaints, const char *file,
		    unsigned line, unsigned column, const char *format, ...)
	printf_like(5, 6);
void complaints_addv(struct complaints *complaints, const char *file,
		     unsigned line, unsigned column, const char *format,
		     va_list arguments) printf_like(5, 0);

/* "libc.conf:12:7: expected ')' before 'int'", no newline. */
void complaint_print(const struct complaint *complaint, struct str *to);
/* The same, the line of the file below it and a caret below that; newlines. */
void complaint_print_with_caret(const struct complaint *complaint,
				struct str *to);

#endif
