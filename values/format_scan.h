/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scan is the place in a format that is being read, and what was found so
 * far. It is of those who read formats: format.c, format_results.c.
 */
#ifndef VALUES_FORMAT_SCAN_H
#define VALUES_FORMAT_SCAN_H

#include "base/vec.h"
#include "values/format.h"

#include <stdbool.h>

struct lens;

struct scan {
	const char *at;
	const char *end;
	struct arena *arena;
	long next; /* the argument that one without a number takes */
	vec_of(struct format_argument) found;
};

void scan_init(struct scan *scan, const char *format, size_t length,
	       struct arena *arena);
/* Behind the next '%'; false where there is none. */
bool scan_to_directive(struct scan *scan);
/* What was found, in the arena; scan is at its end. */
const struct format_argument *scan_finish(struct scan *scan, size_t *ret_count);

/* Passes word, or one of characters, if it stands here. */
bool scan_accept(struct scan *scan, const char *word);
bool scan_accept_any(struct scan *scan, const char *characters);
/* -1 where there is none. */
long scan_accept_number(struct scan *scan);
/* "N$": the index; -1 and nothing passed where there is none. */
long scan_accept_position(struct scan *scan);
/* "h", "ll" ...: how many bytes an integer has then; 4 without. */
unsigned scan_size(struct scan *scan);

struct type *scan_integer(struct scan *scan, unsigned bytes, bool is_signed,
			  const struct lens *lens);
/* Notes that argument index, or the next where it is -1, has this type; the
 * index, or -1 where it is nonsense. */
long scan_note(struct scan *scan, long index, struct type *type);

#endif
