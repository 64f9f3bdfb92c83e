/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of --heap: the classes of a heap and their objects. */
#ifndef OUTPUT_TABLES_HEAP_TABLE_H
#define OUTPUT_TABLES_HEAP_TABLE_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* Adds the line above the rows. */
void heap_table_head(struct str *to);

/* Adds a row; the name may be hostile. */
void heap_table_row(struct str *to, uint64_t count, uint64_t bytes,
		    const char *name);

struct heap_table_end {
	uint64_t count, bytes;	 /* of all rows */
	uint64_t mapped;	 /* bytes that the heap has */
	uint64_t torn;		 /* pages that changed too often, not counted */
	unsigned long hidden;	 /* rows that are not shown */
	const char *not_counted; /* or NULL */
	bool copied_still;	 /* while no thread of the process ran */
	uint64_t held;		 /* ns for which threads were stopped for it */
};

/* Adds the lines below the rows. */
void heap_table_end(struct str *to, const struct heap_table_end *end);

/* The table of what has changed since the census before, so many ns ago. */
void heap_table_changes_head(struct str *to, uint64_t ns);
void heap_table_change(struct str *to, int64_t count, int64_t bytes,
		       const char *name);
/* The sums; hidden rows are not shown. */
void heap_table_changes_end(struct str *to, int64_t count, int64_t bytes,
			    unsigned long hidden);

#endif
