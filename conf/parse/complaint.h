/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A complaint is one mistake in a prototype file: its place, and a sentence
 * ("expected ')' before 'int'"). Parsing continues after it, so that a file may
 * have several complaints, at most COMPLAINTS_MOST.
 */
#ifndef CONF_PARSE_COMPLAINT_H
#define CONF_PARSE_COMPLAINT_H

#include "base/attr.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdarg.h>
#include <stdbool.h>

/* Limit for one file. One further complaint says that there were more. */
#define COMPLAINTS_MOST 1000

struct complaint {
	char *file;
	unsigned line;	 /* from 1; 0: the file as a whole */
	unsigned column; /* from 1, in bytes; 0: the file as a whole */
	char *text;	 /* the sentence */
	/* the part of the file's line that is shown, or NULL */
	char *source;
	unsigned source_column; /* the column of its first byte */
};

struct complaints {
	vec_of(struct complaint) list;
	size_t most; /* the limit; 0: none */
	/* "typedef a = int;" twice is a mistake, as for ltrace. */
	bool repeated;
	bool dropped; /* a complaint was beyond the limit */
};

void complaints_init(struct complaints *complaints);
void complaints_release(struct complaints *complaints);

void complaints_add(struct complaints *complaints, const char *file,
		    unsigned line, unsigned column, const char *format, ...)
	printf_like(5, 6);
void complaints_addv(struct complaints *complaints, const char *file,
		     unsigned line, unsigned column, const char *format,
		     va_list arguments) printf_like(5, 0);

/* Keeps the part of the line that is shown; text is the start of that line. */
void complaint_take_source(struct complaint *complaint, const char *text,
			   const char *end);

/* Removes the text that comes from the file; the place stays. */
void complaint_hush(struct complaint *complaint);

/* Adds "libc.conf:12:7: expected ')' before 'int'", without a newline. */
void complaint_print(const struct complaint *complaint, struct str *to);
/* Adds "libc.conf:12: error: expected ')' before 'int'", as ltrace has it. */
void complaint_print_as_ltrace(const struct complaint *complaint,
			       struct str *to);
/* Adds three lines: the complaint as complaint_print() writes it, the line of
 * the file, and a caret below the place. */
void complaint_print_with_caret(const struct complaint *complaint,
				struct str *to);

#endif
