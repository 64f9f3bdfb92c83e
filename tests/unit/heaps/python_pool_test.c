/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pools made by hand, of each size, and damaged ones: each bit is changed in
 * turn. */
#include "heaps/python_pool.h"
#include "tests/unit/heaps/suites.h"

#include <stdlib.h>
#include <string.h>

#define AT UINT64_C(0x7f0000404000)

static void
put32(uint8_t *pool, unsigned at, uint32_t word)
{
	memcpy(pool + at, &word, sizeof(word));
}

static void
put64(uint8_t *pool, unsigned at, uint64_t word)
{
	memcpy(pool + at, &word, sizeof(word));
}

/* Makes a pool with blocks of this size. The program has used the first `used`
 * blocks, and every third block of them is free again. Returns the number of
 * blocks in use. */
static int
make_pool(uint8_t *pool, unsigned size, unsigned used)
{
	uint64_t next = 0;
	unsigned unused = 0;

	memset(pool, 0xa5, PYTHON_POOL_SIZE);
	for (unsigned i = 0; i < used; i += 3) {
		put64(pool, 48 + i * size, next);
		next = AT + 48 + i * size;
		unused++;
	}
	put32(pool, 0, used - unused);
	put64(pool, 8, next);
	put32(pool, 36, size / 16 - 1);
	put32(pool, 40, 48 + used * size);
	return (int)(used - unused);
}

START_TEST(blocks_in_use)
{
	/* Sanitizers report reads behind the end of the pool. */
	uint8_t *copy = malloc(PYTHON_POOL_SIZE);

	for (unsigned size = 16; size <= 512; size += 16) {
		unsigned most = (PYTHON_POOL_SIZE - 48) / size;
		const unsigned used[] = { 2, most / 2, most };

		for (unsigned i = 0; i < 3; i++) {
			struct python_pool pool;
			int in_use = make_pool(copy, size, used[i]);

			ck_assert_int_eq(python_pool_read(copy, AT, &pool),
					 in_use);
			ck_assert_uint_eq(pool.size, size);
			ck_assert_uint_eq(pool.count, used[i]);
			for (unsigned k = 0; k < pool.count; k++)
				ck_assert(pool.unused[k] == (k % 3 == 0));
			ck_assert_uint_eq(python_pool_block(&pool, 1),
					  48 + size);
		}
	}
	free(copy);
}
END_TEST

START_TEST(free_pool)
{
	uint8_t *copy = malloc(PYTHON_POOL_SIZE);
	struct python_pool pool;

	make_pool(copy, 48, 30);
	put32(copy, 0, 0);
	ck_assert_int_eq(python_pool_read(copy, AT, &pool), 0);
	free(copy);
}
END_TEST

START_TEST(changed_while_it_was_copied)
{
	static const struct {
		unsigned at;
		uint32_t word;
	} damages[] = {
		{ 0, 21 },	{ 0, 19 },     { 0, UINT32_MAX },
		{ 8, 0 },	{ 8, 1 },      { 8, 0x404000 + 48 + 8 },
		{ 12, 0x7e00 }, { 36, 32 },    { 36, UINT32_MAX },
		{ 40, 0 },	{ 40, 16384 }, { 40, UINT32_MAX },
		{ 40, 100 },
	};
	uint8_t *copy = malloc(PYTHON_POOL_SIZE);

	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct python_pool pool;

		ck_assert_int_eq(make_pool(copy, 48, 30), 20);
		put32(copy, damages[i].at, damages[i].word);
		if (python_pool_read(copy, AT, &pool) != -1)
			ck_abort_msg("damage %zu", i);
	}
	free(copy);
}
END_TEST

START_TEST(each_bit)
{
	uint8_t *copy = malloc(PYTHON_POOL_SIZE);
	int in_use = make_pool(copy, 32, 500);

	for (unsigned bit = 0; bit < PYTHON_POOL_SIZE * 8; bit++) {
		struct python_pool pool;
		int got;

		copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
		got = python_pool_read(copy, AT, &pool);
		/* The content of a block and the rest of the header do not
		 * matter. */
		if (got != -1 && got != in_use)
			ck_abort_msg("bit %u: %d in use", bit, got);
		if (got > 0 && pool.count > PYTHON_POOL_BLOCKS)
			ck_abort_msg("bit %u: %u blocks", bit, pool.count);
		copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	free(copy);
}
END_TEST

Suite *
python_pool_suite(void)
{
	Suite *suite = suite_create("python_pool");
	TCase *tests = tcase_create("pools");

	tcase_add_test(tests, blocks_in_use);
	tcase_add_test(tests, free_pool);
	tcase_add_test(tests, changed_while_it_was_copied);
	tcase_add_test(tests, each_bit);
	suite_add_tcase(suite, tests);
	return suite;
}
