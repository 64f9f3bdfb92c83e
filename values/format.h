/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A format says which arguments follow it, how many and the type of each:
 * printf's what it shows, scanf's where it puts what.
 */
#ifndef VALUES_FORMAT_H
#define VALUES_FORMAT_H

#include "base/arena.h"

#include <stddef.h>

struct type;

/* An argument that a format asks for. */
struct format_argument {
	/* With the lens that shows it as printf does; a long where a format
	 * that numbers its arguments leaves one out. */
	struct type *type;
	/* A text may be no longer than this; -1: it ends with a NUL ... */
	long precision;
	/* ... or than what the argument of this index says; -1: none does. */
	long precision_argument;
	/* scanf: it was filled in if so many conversions were made; else 0. */
	long conversion;
};

/*
 * The arguments, in arena, in the order in which the caller passed them; as
 * far as the format can be understood.
 */
const struct format_argument *format_arguments(const char *format,
					       size_t length,
					       struct arena *arena,
					       size_t *ret_count);
/* The same of a scanf format: each is a pointer to what is filled in. */
const struct format_argument *format_results(const char *format, size_t length,
					     struct arena *arena,
					     size_t *ret_count);

#endif
