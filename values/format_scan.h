/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scan is the place in a format that is being read, and the arguments found
 * so far. format.c and format_results.c use it.
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
	unsigned word; /* the size of an address and of a long */
	bool is_long;  /* the last size was that of a long, or larger */
	long next;     /* the argument for a directive without a number */
	vec_of(struct format_argument) found;
};

void scan_init(struct scan *scan, const char *format, size_t length,
	       struct arena *arena, unsigned word);
/* Moves behind the next '%'; false if there is none. */
bool scan_to_directive(struct scan *scan);
/* Ends the scan. Returns the arguments, in the arena. */
const struct format_argument *scan_finish(struct scan *scan, size_t *ret_count);

/* If word, or one of characters, is next, moves behind it. */
bool scan_accept(struct scan *scan, const char *word);
bool scan_accept_any(struct scan *scan, const char *characters);
/* Reads a number, and moves behind it; -1 if there is none. */
long scan_accept_number(struct scan *scan);
/* "N$": the index. If there is none, returns -1 and does not move. */
long scan_accept_position(struct scan *scan);
/* "h", "ll" ...: the number of bytes of the integer; 4 without a size. */
unsigned scan_size(struct scan *scan);

struct type *scan_integer(struct scan *scan, unsigned bytes, bool is_signed,
			  const struct lens *lens);
struct type *scan_float(struct scan *scan, unsigned bytes, bool is_long_double,
			const struct lens *lens);
/* Notes that argument index, or the next one if it is -1, has this type.
 * Returns the index, or -1 if it is invalid. */
long scan_note(struct scan *scan, long index, struct type *type);

#endif
