/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The chunks of malloc() of glibc: a block that a program has got, or memory
 * that is free. Free chunks are in lists of several kinds. Chunks are counted
 * by the class of their size.
 */
#ifndef HEAPS_GLIBC_CHUNKS_H
#define HEAPS_GLIBC_CHUNKS_H

#include "base/attr.h"
#include "base/reader.h"
#include "heaps/glibc_arenas.h"

/* Where a chunk is. */
enum glibc_list {
	GLIBC_TCACHE, /* the cache of a thread */
	GLIBC_FAST,
	GLIBC_UNSORTED,
	GLIBC_SMALL,
	GLIBC_LARGE,
	GLIBC_USED, /* in no list: it is in use */
	GLIBC_LISTS,
};

/* A class for each size up to 1040 bytes, and one for each power of two. */
#define GLIBC_CLASSES_EXACT 64u
#define GLIBC_CLASSES 92u

struct glibc_tally {
	uint64_t count[GLIBC_LISTS][GLIBC_CLASSES];
	uint64_t bytes[GLIBC_LISTS][GLIBC_CLASSES];
	uint64_t all_bytes; /* of all chunks */
};

/* The least and the largest chunk of a class. */
void glibc_class_sizes(unsigned class, uint64_t *ret_least,
		       uint64_t *ret_largest);

/*
 * Counts the chunks of all heaps, except the top chunks. 0; or -EAGAIN if the
 * lists and the chunks do not fit together, which `reason` explains: then the
 * tally is wrong.
 */
must_check int glibc_chunks(struct glibc_arenas *arenas, struct reader *memory,
			    struct glibc_tally *tally);

#endif
