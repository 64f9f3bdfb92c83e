/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pool (Objects/obmalloc.c, struct pool_header):
 *
 *	 0	number of blocks in use
 *	 8	the first free block; each free block has the next one
 *	36	size of the blocks, in units of 16 bytes, less one
 *	40	offset of the first block that was never used
 *	48	blocks
 *
 * The numbers of free blocks and of blocks in use must add up to the number of
 * blocks that were ever used.
 */
#include "heaps/python_pool.h"

#include "heaps/words.h"

#define IN_USE 0
#define FIRST_FREE 8
#define SIZE_INDEX 36
#define NEVER_USED 40
#define BLOCKS 48u
#define UNIT 16u
#define SIZES 32u

unsigned
python_pool_block(const struct python_pool *pool, unsigned number)
{
	return BLOCKS + number * pool->size;
}

/* Marks the free blocks. Returns their number, or -1. */
static int
mark_free(const uint8_t *copy, addr_t at, struct python_pool *pool)
{
	int unused = 0;
	addr_t next = word64(copy, FIRST_FREE);

	while (next != 0) {
		addr_t offset = next - at - BLOCKS;
		addr_t number = offset / pool->size;

		if (number >= pool->count || offset % pool->size != 0 ||
		    pool->unused[number])
			return -1;
		pool->unused[number] = true;
		unused++;
		next = word64(copy, python_pool_block(pool, (unsigned)number));
	}
	return unused;
}

int
python_pool_read(const uint8_t *copy, addr_t at, struct python_pool *ret_pool)
{
	struct python_pool pool = { 0 };
	uint32_t in_use = word32(copy, IN_USE), index, end;
	int unused;

	if (in_use == 0)
		return 0;
	index = word32(copy, SIZE_INDEX);
	end = word32(copy, NEVER_USED);
	if (index >= SIZES || end < BLOCKS)
		return -1;
	pool.size = (index + 1) * UNIT;
	pool.count = (end - BLOCKS) / pool.size;
	if (pool.count > (PYTHON_POOL_SIZE - BLOCKS) / pool.size ||
	    (end - BLOCKS) % pool.size != 0)
		return -1;
	unused = mark_free(copy, at, &pool);
	if (unused < 0 || in_use + (unsigned)unused != pool.count)
		return -1;
	*ret_pool = pool;
	return (int)in_use;
}
