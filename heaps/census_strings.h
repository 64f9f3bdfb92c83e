/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The strings of a heap by content. Two strings count as one content if their
 * lengths and their first CENSUS_STRING_SHOWN bytes are equal. Only these bytes
 * of a string are read.
 */
#ifndef HEAPS_CENSUS_STRINGS_H
#define HEAPS_CENSUS_STRINGS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/reader.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CENSUS_STRING_SHOWN 64u

/* Strings of one content. */
struct census_string {
	uint64_t length; /* characters of Python, bytes of other languages */
	uint64_t count, bytes;
	struct census_string *next; /* another content with the same hash */
	size_t shown;		    /* how many bytes `text` has */
	bool cut;		    /* the string is longer than that */
	bool common;		    /* for the caller */
	char text[CENSUS_STRING_SHOWN];
};

struct census_strings {
	/* Where the text of a string is read, and the string's place once more,
	 * which tells whether the string still exists: the memory of the
	 * process, or a copy that has the texts. */
	struct reader *memory;
	struct arena arena;
	struct map by_hash; /* -> struct census_string */
	vec_of(struct census_string *) list;
	uint64_t count; /* strings whose text was read */
	/* Strings that changed while they were read, and strings whose contents
	 * are left out because there are too many contents. */
	uint64_t changed, left_out;
	/* Some addresses that may be of strings were not looked at, because
	 * there are too many. How many strings they have is not known. */
	bool not_looked;
};

struct census_strings *census_strings_new(struct reader *memory);
/* strings may be NULL. */
void census_strings_free(struct census_strings *strings);

/* A string whose beginning was read. */
struct census_text {
	const void *text;
	size_t shown; /* how many bytes `text` has: CENSUS_STRING_SHOWN at most
		       */
	bool cut;     /* the string is longer than that */
	uint64_t length; /* of the whole string */
};

/* Adds a string that has `bytes` bytes of memory. */
void census_strings_add(struct census_strings *strings,
			const struct census_text *text, uint64_t bytes);

/* Sort the list: the commonest, or the longest, contents come first. */
void census_strings_by_count(struct census_strings *strings);
void census_strings_by_length(struct census_strings *strings);

/* Describes a string of `length` bytes. The caller must read the first `shown`
 * bytes of it to `bytes`, which has room for CENSUS_STRING_SHOWN. */
static inline struct census_text
census_text_of(const uint8_t *bytes, uint64_t length)
{
	bool cut = length > CENSUS_STRING_SHOWN;

	return (struct census_text){
		.text = bytes,
		.shown = cut ? CENSUS_STRING_SHOWN : (size_t)length,
		.cut = cut,
		.length = length,
	};
}

#endif
