/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --heap --json: an event for each class of a heap, and one for the heap. */
#ifndef OUTPUT_TABLES_HEAP_JSON_H
#define OUTPUT_TABLES_HEAP_JSON_H

#include "base/str.h"
#include "output/tables/heap_table.h"

#include <sys/types.h>

/* What the events of a heap have in common. */
struct heap_json {
	uint64_t when; /* ns since the Epoch */
	pid_t pid;
	const char *language; /* "PHP 8.2" */
};

struct jsonw;

/* Begins an event: adds what the events of a heap have in common. */
void heap_json_begin(struct jsonw *json, struct str *to, const char *event,
		     const struct heap_json *heap);

/* Adds the event of a class. */
void heap_json_row(struct str *to, const struct heap_json *heap,
		   const struct heap_table_row *row);

/* Adds the event of free memory of one kind and size. */
void heap_json_free(struct str *to, const struct heap_json *heap,
		    const struct heap_table_row *row);

/* Adds the event of what a process has mapped of a file. */
void heap_json_mapping(struct str *to, const struct heap_json *heap,
		       uint64_t resident, uint64_t mapped, const char *name);

/* Adds the event of the heap, after the events of its classes. `classes` is the
 * number of these. */
void heap_json_end(struct str *to, const struct heap_json *heap, size_t classes,
		   const struct heap_table_end *end);

#endif
