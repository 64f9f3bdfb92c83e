/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of --heap-strings, below that of --heap: the commonest strings of
 * a heap and the longest ones. */
#ifndef OUTPUT_TABLES_HEAP_STRINGS_H
#define OUTPUT_TABLES_HEAP_STRINGS_H

#include "base/str.h"
#include "output/tables/heap_json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Strings of one content. */
struct heap_string {
	uint64_t count, bytes, length;
	const char *text; /* its beginning, any bytes */
	size_t shown;	  /* how many bytes of it are in `text` */
	bool cut;	  /* the string is longer */
};

/* Adds the line above the rows. longest: the rows are sorted by length. */
void heap_strings_head(struct str *to, bool longest);
void heap_strings_row(struct str *to, const struct heap_string *string);
void heap_strings_hidden(struct str *to, unsigned long hidden);

struct heap_strings_end {
	uint64_t count, contents;
	uint64_t changed;  /* strings that could not be read */
	uint64_t left_out; /* strings whose contents are in no row */
	bool not_looked;   /* some addresses were not looked at */
	size_t shown_most; /* how many bytes of each string were read at most */
};

void heap_strings_end(struct str *to, const struct heap_strings_end *end);

/* Adds an event instead of a row. */
void heap_strings_event(struct str *to, const struct heap_json *heap,
			const struct heap_string *string);

#endif
