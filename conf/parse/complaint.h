/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A complaint is one thing wrong with a prototype file: where, and a sentence
 * ("expected ')' before 'int'"). Parsing goes on after it, so a file has as
 * many as it deserves, up to COMPLAINTS_MOST.
 */
#ifndef CONF_PARSE_COMPLAINT_H
#define CONF_PARSE_COMPLAINT_H

#include "base/attr.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdarg.h>
#include <stdbool.h>

/* Of one file; one more says that there were others. */
#define COMPLAINTS_MOST 1000

struct complaint {
	char *file;
	unsigned line;	 /* both from 1; a column is a byte; */
	unsigned column; /* 0, 0: the file as a whole */
	char *text;	 /* the sentence */
	char *source;	 /* what is shown of the line of the file, or NULL */
	unsigned source_column; /* of its first byte */
};

struct complaints {
	vec_of(struct complaint) list;
	size_t most;  /* more are not kept; 0: all are */
	bool dropped; /* one was not kept */
};

void complaints_init(struct complaints *complaints);
void complaints_release(struct complaints *complaints);

void complaints_add(struct complaints *complaints, const char *file,
		    unsigned line, unsigned column, const char *format, ...)
	printf_like(5, 6);
void complaints_addv(struct complaints *complaints, const char *file,
		     unsigned line, unsigned column, const char *format,
		     va_list arguments) printf_like(5, 0);

/* Keeps what is shown of its line; text is where that line begins. */
void complaint_take_source(struct complaint *complaint, const char *text,
			   const char *end);

/* Takes out the words that come from the file; the place stays. */
void complaint_hush(struct complaint *complaint);

/* "libc.conf:12:7: expected ')' before 'int'", no newline. */
void complaint_print(const struct complaint *complaint, struct str *to);
/* The same, the line of the file below it and a caret below that; newlines. */
void complaint_print_with_caret(const struct complaint *complaint,
				struct str *to);

#endif
