/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The languages whose heaps can be counted, and how. */
#ifndef HEAPS_HEAP_LANGUAGES_H
#define HEAPS_HEAP_LANGUAGES_H

#include "base/err.h"
#include "base/str.h"
#include "heaps/census.h"
#include "heaps/heap_copy.h"
#include "stacks/binary.h"

enum heap_way {
	HEAP_LIVE, /* the heap can be read while the program runs */
	/* the heap can be read while the program runs, but is copied first */
	HEAP_COPIED,
	HEAP_HELD, /* the heap is copied while the program does not run */
};

struct heap_language {
	const char *name; /* the language with its version: "PHP 8.2" */
	enum heap_way way;
	/* copy() and count() return 0; -ENOENT if the binary has no interpreter
	 * of the language; -EAGAIN and a message if the heap was about to
	 * change; or another error with a message. */
	int (*copy)(struct binary *binary, struct heap_copy *copy,
		    struct err *err);
	int (*count)(struct binary *binary, struct reader *memory,
		     struct census *census, struct err *err);
};

/* The languages whose heaps can be counted. The last element has no name. */
extern const struct heap_language heap_languages[];

/* Adds the names of the languages of such an array: "Python 3.11, Ruby 3.1, PHP
 * 8.2 or Perl 5.36". */
void heap_languages_names(struct str *to,
			  const struct heap_language *languages);

#endif
