/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first bytes of a pool of Python's heap, the rest is 0: whatever it
 * contains, its blocks are within it, and their number is right. */
#include "heaps/python_pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	uint8_t *copy = calloc(1, PYTHON_POOL_SIZE);
	struct python_pool pool;
	int in_use, counted = 0;

	memcpy(copy, bytes,
	       length < PYTHON_POOL_SIZE ? length : PYTHON_POOL_SIZE);
	in_use = python_pool_read(copy, 0, &pool);
	assert(in_use >= -1 && in_use <= (int)PYTHON_POOL_BLOCKS);
	for (unsigned i = 0; in_use > 0 && i < pool.count; i++) {
		counted += !pool.unused[i];
		assert(python_pool_block(&pool, i) + pool.size <=
		       PYTHON_POOL_SIZE);
	}
	assert(in_use <= 0 || counted == in_use);
	free(copy);
	return 0;
}
