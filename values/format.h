/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A format says how many arguments follow it, and the type of each: the values
 * that printf shows, or the places that scanf fills.
 */
#ifndef VALUES_FORMAT_H
#define VALUES_FORMAT_H

#include "base/arena.h"

#include <stddef.h>

struct type;

/* An argument of a format. */
struct format_argument {
	/* The type has the lens that shows the argument like printf. An
	 * argument that a format with numbered arguments skips is a long. */
	struct type *type;
	/* The most characters of a text; -1: the text ends with a NUL. */
	long precision;
	/* The index of the argument that gives the most characters (%.*s); -1:
	 * there is none. */
	long precision_argument;
	/* The same for the width (%5s, %*s); -1: there is none. */
	long width;
	long width_argument;
	/* scanf: the argument is filled in if at least this many conversions
	 * were made; else 0. */
	long conversion;
};

/*
 * The arguments, in arena, in the order in which the caller passed them. If a
 * part of the format is not understood, only the arguments before this part.
 * word: the size of an address, and of a long, in the program.
 */
const struct format_argument *format_arguments(const char *format,
					       size_t length, unsigned word,
					       struct arena *arena,
					       size_t *ret_count);
/* Like format_arguments(), for a scanf format. Each argument is a pointer to
 * what is filled in. */
const struct format_argument *format_results(const char *format, size_t length,
					     unsigned word, struct arena *arena,
					     size_t *ret_count);

#endif
