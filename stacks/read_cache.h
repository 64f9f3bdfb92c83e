/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A read cache is a reader for those who look at the same places again and
 * again, as the walks of a program's stacks do: it reads by pages, remembers
 * which pages the last walks looked at, and begins a walk by reading what they
 * wanted of them afresh at one go. Nothing that it answers is older than its
 * walk, so nothing need be checked against memory that was freed and used
 * again.
 */
#ifndef STACKS_READ_CACHE_H
#define STACKS_READ_CACHE_H

#include "base/reader.h"

#include <stdbool.h>

/* Deep stacks of several threads; more are read without being remembered. */
#define READ_CACHE_PAGES 128u
#define READ_CACHE_CELLS 256u

struct read_cache_page {
	addr_t at;
	unsigned wanted; /* by which walk last */
	/* What walks wanted of it, and what this one has: from, to. */
	uint16_t low, high;
	uint16_t first, end;
};

struct read_cache {
	/* What a walk looks through; its views hold until the walk's end. */
	struct reader reader;
	struct reader *memory;
	int error; /* -ESRCH once the process is gone */
	unsigned walk;
	size_t count;
	size_t last; /* the place of the page that was read last */
	struct read_cache_page pages[READ_CACHE_PAGES];
	uint8_t cells[READ_CACHE_CELLS]; /* page number -> place in pages, from
					    1 */
	uint8_t *bytes;			 /* of the pages, in their order */
};

void read_cache_init(struct read_cache *cache);
void read_cache_release(struct read_cache *cache);

/* A walk begins, of memory as it is now. */
void read_cache_begin(struct read_cache *cache, struct reader *memory);

#endif
