/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of PHP 8.2's allocator (Zend/zend_alloc.c). A chunk has 2 MiB, of
 * 512 pages; the first page describes the others. A run of pages is one large
 * block, or is divided into small blocks of one size. A huge block has its own
 * mapping.
 *
 * The free small blocks of a size are a list through all chunks, so nothing
 * tells whether one chunk alone was copied while it changed. Only the whole
 * can be checked: the blocks in use add up to the heap's own counter.
 */
#ifndef HEAPS_PHP_CHUNKS_H
#define HEAPS_PHP_CHUNKS_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/vec.h"
#include "heaps/heap_copy.h"

#include <stdbool.h>
#include <stdint.h>

struct php_chunk;

struct php_huge {
	addr_t at;
	uint64_t size;
	bool taken;
};

struct php_chunks {
	vec_of(struct php_chunk *) chunks; /* sorted by address */
	vec_of(struct php_huge) huge;
	uint64_t size;	 /* bytes of the blocks in use */
	uint64_t mapped; /* bytes that PHP has from the system */
};

/* A block in use. */
struct php_block {
	addr_t at;
	uint64_t size;
};

/* The size of the block that PHP takes for that many bytes. */
uint64_t php_block_for(uint64_t size);

/* Copies what the chunks contain, and the beginnings of huge blocks. 0; -EIO if
 * they make no sense; -EFAULT, -ESRCH or -EFBIG. */
must_check int php_chunks_copy(struct heap_copy *copy, addr_t heap);

/*
 * Reads which blocks are in use. Returns 0, or -EIO if the parts do not agree.
 * The caller releases the chunks in both cases.
 */
must_check int php_chunks_read(struct php_chunks *chunks, struct reader *memory,
			       addr_t heap);
void php_chunks_release(struct php_chunks *chunks);

/* The free bytes of the runs of pages in which a small block is in use. Call it
 * before php_chunks_take(). */
uint64_t php_chunks_fragmented(const struct php_chunks *chunks);

/* Finds the block in use that contains this address, and which was not found
 * before: each block is found once. */
bool php_chunks_take(struct php_chunks *chunks, addr_t at,
		     struct php_block *ret_block);

/* The position of php_chunks_next(); it begins as { 0 }. */
struct php_cursor {
	size_t chunk, huge;
	unsigned page, block;
};

/* The next block in use that was not taken; false after the last one. */
bool php_chunks_next(const struct php_chunks *chunks, struct php_cursor *cursor,
		     struct php_block *ret_block);

#endif
