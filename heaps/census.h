/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A census counts the objects of a script's heap by their class. It is taken
 * from the memory of the interpreter, and runs no code of the program.
 */
#ifndef HEAPS_CENSUS_H
#define HEAPS_CENSUS_H

#include "base/addr.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* The objects of a class, or the memory that is no object. */
struct census_row {
	const char *name; /* as the interpreter has it, not escaped */
	uint64_t count, bytes;
	/* how many of `count` the last collection found in use */
	uint64_t survived;
};

/* Memory that a process has mapped. */
struct census_mapping {
	const char *name; /* of a file, or "[heap]", or "" */
	uint64_t mapped, resident;
};

struct census_strings;

struct census {
	struct census_strings *strings; /* NULL: they are not wanted */
	/* What the whole process has mapped, if it is asked for. */
	vec_of(struct census_mapping) mappings;
	struct arena arena;
	struct map by_class; /* address of a class -> row */
	vec_of(struct census_row *) rows;
	/* Free memory, which is in no row of `rows` and in no sum. */
	vec_of(struct census_row *) free;
	uint64_t count, bytes; /* sums of all rows */
	/* How many blocks are parts of objects: their bytes are in the rows of
	 * the objects, and they are not in `count`. */
	uint64_t parts;
	uint64_t mapped; /* bytes that the heap has */
	/* Free bytes in pages that also have an object, with the bytes that the
	 * heap itself needs there. They cannot be given back to the system. A
	 * page is memory that the interpreter divides into objects of one
	 * size. */
	uint64_t fragmented;
	bool has_fragmented; /* fragmented is known */
	/* all pages, and the pages that changed, which are in no row */
	uint64_t pages, torn;
	bool has_survivors; /* the rows tell what survived */
	uint64_t survived;
	char not_counted[80]; /* which memory is in no row, or "" */
};

void census_init(struct census *census);
void census_release(struct census *census);

/* Adds a row for the class at that address. */
struct census_row *census_add(struct census *census, addr_t class,
			      const char *name);
/* The row of a class; NULL if the class has none. */
struct census_row *census_row(const struct census *census, addr_t class);

/* Adds objects to a row. */
void census_count(struct census *census, struct census_row *row,
		  uint64_t objects, uint64_t bytes);

/* A block that was counted in the row `from` is a part of an object of the row
 * `to`. */
void census_give(struct census *census, struct census_row *from,
		 struct census_row *to, uint64_t bytes);

/* One of the objects of a row has survived the last collection. */
void census_survivor(struct census *census, struct census_row *row);

/* Adds a row of free memory, unless it is of 0 pieces. */
void census_add_free(struct census *census, const char *name, uint64_t pieces,
		     uint64_t bytes);

/* Adds mappings. The name is copied. */
void census_add_mapping(struct census *census, const char *name,
			uint64_t mapped, uint64_t resident);

/* Sorts the rows with most bytes first, and removes rows without objects. */
void census_sort(struct census *census);

#endif
