/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares censuses that --heap --json wrote: how many objects each class has
 * gained or lost. Classes are joined by their names, and the heaps of all
 * processes of a file are added up, because two runs have other addresses and
 * other processes.
 */
#ifndef OUTPUT_TABLES_HEAP_COMPARE_H
#define OUTPUT_TABLES_HEAP_COMPARE_H

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "output/tables/compare.h"

#include <stdbool.h>
#include <stddef.h>

struct heap_compare;

/* Is this line of a file a line of a census? */
bool heap_compare_knows(const char *line);

/* If a file has several censuses of a heap (--interval), the last one counts.
 * With `first`, the first one counts on the side COMPARE_BEFORE. */
struct heap_compare *heap_compare_new(bool first);
void heap_compare_free(struct heap_compare *compare);

/* Takes one line of a file. Returns -EINVAL and a message if it is no line of a
 * census. */
must_check int heap_compare_line(struct heap_compare *compare,
				 enum compare_side side, const char *line,
				 struct err *err);
/* How many heaps the file of this side has. A heap without the line at its end
 * does not count. */
size_t heap_compare_heaps(const struct heap_compare *compare,
			  enum compare_side side);

/* Adds a table of the differences for each language. Each table has at most
 * `most` rows. */
void heap_compare_add(struct str *to, struct heap_compare *compare,
		      size_t most);

#endif
