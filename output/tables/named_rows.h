/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a table that are found by their names. A row is a struct of the
 * table, whose first member is `char *name`.
 */
#ifndef OUTPUT_TABLES_NAMED_ROWS_H
#define OUTPUT_TABLES_NAMED_ROWS_H

#include "base/map.h"
#include "base/vec.h"

struct named_rows {
	struct strmap by_name;
	vec_of(void *) list; /* in the order of their first find */
};

void named_rows_init(struct named_rows *rows);
/* Frees the rows and their names. */
void named_rows_release(struct named_rows *rows);

/* The row with this name. A new one has `size` bytes, which are 0 behind the
 * name. */
void *named_rows_find(struct named_rows *rows, const char *name, size_t size);

#endif
