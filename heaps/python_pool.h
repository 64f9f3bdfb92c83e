/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One pool of CPython 3.11: which of its blocks are in use. */
#ifndef HEAPS_PYTHON_POOL_H
#define HEAPS_PYTHON_POOL_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stdint.h>

#define PYTHON_POOL_SIZE 16384u
/* How many blocks of 16 bytes, the smallest size, a pool has after its
 * header. */
#define PYTHON_POOL_BLOCKS 1021u

struct python_pool {
	unsigned size; /* size of a block in bytes */
	/* how many blocks were ever used; they are the first ones */
	unsigned count;
	bool unused[PYTHON_POOL_BLOCKS];
};

/* Reads the copy of the pool at that address. Returns the number of blocks in
 * use, 0 if the pool is free, or -1 if its parts do not agree. */
must_check int python_pool_read(const uint8_t *copy, addr_t at,
				struct python_pool *ret_pool);

/* The offset of a block in the pool. */
unsigned python_pool_block(const struct python_pool *pool, unsigned number);

#endif
