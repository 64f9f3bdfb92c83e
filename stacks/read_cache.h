/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A read cache is a reader for code that reads the same places again and again,
 * such as walks of a program's stacks. It reads by pages and remembers which
 * pages the last walks needed. At the beginning of a walk it reads the needed
 * parts of these pages again, in one system call. Its answers are never older
 * than the walk, so freed and reused memory needs no check.
 *
 * A read cache is also a copy: it can begin while a thread is stopped, and the
 * walk can follow when the thread runs again. `missed` then tells how
 * often the walk needed what was not copied while the thread was stopped.
 */
#ifndef STACKS_READ_CACHE_H
#define STACKS_READ_CACHE_H

#include "base/reader.h"

#include <stdbool.h>

/* How many pages are kept: enough for deep stacks of several threads. Further
 * pages are read without being kept. */
#define READ_CACHE_PAGES 128u
#define READ_CACHE_CELLS 256u

struct read_cache_page {
	addr_t at;
	unsigned wanted; /* the last walk that needed it */
	/* Two ranges of the page's bytes: what walks have needed of it, and
	 * what was read for this walk. */
	uint16_t low, high;
	uint16_t first, end;
};

struct read_cache {
	/* The reader for the walk. Its views are valid until the walk ends. */
	struct reader reader;
	struct reader *memory;
	/* The memory of this walk is copied already: it is read directly. */
	bool direct;
	int error; /* -ESRCH if the process has ended */
	/* how often memory was read since the walk began */
	unsigned missed;
	unsigned walk;
	size_t count;
	size_t last; /* the index of the page that was read last */
	struct read_cache_page pages[READ_CACHE_PAGES];
	/* page number -> index in pages plus 1 */
	uint8_t cells[READ_CACHE_CELLS];
	/* the bytes of the pages, in the same order */
	uint8_t *bytes;
};

void read_cache_init(struct read_cache *cache);
void read_cache_release(struct read_cache *cache);

/* Begins a walk of memory as it is now. */
void read_cache_begin(struct read_cache *cache, struct reader *memory);

/* The next walk will need these bytes: they are read when it begins. All of
 * them must be readable. */
void read_cache_add(struct read_cache *cache, addr_t from, size_t length);

#endif
