/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of --heap: the classes of a heap and their objects. */
#ifndef OUTPUT_TABLES_HEAP_TABLE_H
#define OUTPUT_TABLES_HEAP_TABLE_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* In place of a number of survivors or of bytes: the number is unknown. */
#define HEAP_TABLE_UNKNOWN UINT64_MAX

struct heap_table_row {
	uint64_t count, bytes;
	/* How many of the `count` objects the last garbage collection found in
	 * use, or HEAP_TABLE_UNKNOWN. */
	uint64_t survived;
	const char *name; /* any text, which is escaped when it is written */
};

/* Adds a number with a blank between each three digits. */
void heap_table_number(struct str *to, uint64_t number);
/* Adds the same text, right-aligned in a column of this width. */
void heap_table_column(struct str *to, uint64_t number, size_t width);

/* Adds the line above the rows. survivors: the table has a column for objects
 * that have survived a collection. */
void heap_table_head(struct str *to, bool survivors);

void heap_table_row(struct str *to, const struct heap_table_row *row);

struct heap_table_end {
	uint64_t count, bytes; /* sums of all rows */
	uint64_t survived; /* survivors of all rows, or HEAP_TABLE_UNKNOWN */
	uint64_t mapped;   /* bytes that the heap has */
	/* bytes in no object in pages that also have objects, or
	 * HEAP_TABLE_UNKNOWN */
	uint64_t fragmented;
	uint64_t resident; /* bytes of the process in memory; 0: unknown */
	/* how many pages changed too often and were not counted */
	uint64_t torn;
	/* blocks that are counted only by their bytes, in the rows of objects
	 * whose parts they are */
	uint64_t parts;
	unsigned long hidden;	 /* rows that are not shown */
	const char *not_counted; /* which memory is in no row, or NULL */
	/* the heap was copied while no thread of the process ran */
	bool copied_still;
	uint64_t held; /* ns for which threads were stopped for the copy */
};

/* The bytes of the heap that are in no object. */
static inline uint64_t
heap_table_free(const struct heap_table_end *end)
{
	return end->mapped > end->bytes ? end->mapped - end->bytes : 0;
}

/* Adds the lines below the rows. */
void heap_table_end(struct str *to, const struct heap_table_end *end);

/* Adds the lines above the rows of free memory, and above those of the
 * process's mappings. */
void heap_table_free_head(struct str *to);
void heap_table_mappings_head(struct str *to);
/* The name is "" for memory without a name. */
void heap_table_mapping(struct str *to, uint64_t resident, uint64_t mapped,
			const char *name);
/* Adds a line that says how many rows are not shown, if there are any. */
void heap_table_hidden(struct str *to, unsigned long hidden);

/* Adds the first lines of a table of what has changed since the census before,
 * which was taken `ns` nanoseconds ago. */
void heap_table_changes_head(struct str *to, uint64_t ns);
/* Adds the first lines of a table of what differs between the heaps of a
 * language in two files. */
void heap_table_compare_head(struct str *to, const char *language);
void heap_table_change(struct str *to, int64_t count, int64_t bytes,
		       const char *name);
/* Adds the sums. `hidden` is the number of rows that are not shown. */
void heap_table_changes_end(struct str *to, int64_t count, int64_t bytes,
			    unsigned long hidden);

/* The table of --alloc: memory that lines of the program have got. The name is
 * written as it is. */
void heap_table_growth_head(struct str *to);
void heap_table_growth(struct str *to, uint64_t count, uint64_t bytes,
		       const char *name);
/* Adds the sums. `hidden` is the number of rows that are not shown. */
void heap_table_growth_end(struct str *to, uint64_t count, uint64_t bytes,
			   unsigned long hidden);

#endif
