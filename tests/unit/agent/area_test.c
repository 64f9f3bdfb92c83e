/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of an area: its return addresses and its threads. */
#include "tests/unit/agent/area_fixture.h"
#include "tests/unit/agent/suites.h"

#include <errno.h>
#include <string.h>

/* ---- return addresses -----------------------------------------------------*/

/* Searches the table of return addresses as a meter does. */
static bool
is_awaited(addr_t address)
{
	const uint64_t *bucket =
		there->returns[meter_bucket(address, METER_RETURN_BITS)];

	return bucket[0] == address || bucket[1] == address;
}

/* The n-th address after `address` that is in the same bucket. */
static addr_t
same_bucket(addr_t address, unsigned bits, unsigned n)
{
	addr_t at = address;

	while (n > 0) {
		at += 8;
		n -= meter_bucket(at, bits) == meter_bucket(address, bits);
	}
	return at;
}

static unsigned
count_returns(void)
{
	unsigned count = 0;

	for (unsigned b = 0; b < 1u << METER_RETURN_BITS; b++)
		for (unsigned i = 0; i < METER_WAYS; i++)
			count += there->returns[b][i] != 0;
	return count;
}

START_TEST(return_addresses_are_added_and_dropped)
{
	for (addr_t at = 0x401000; at < 0x401100; at += 16) {
		ck_assert(!is_awaited(at));
		ck_assert_int_eq(area_add_return(&area, space, at), 0);
		ck_assert(is_awaited(at));
	}
	ck_assert_uint_eq(count_returns(), 16);
	/* An address that is known is not added again. */
	ck_assert_int_eq(area_add_return(&area, space, 0x401010), 0);
	ck_assert_uint_eq(count_returns(), 16);
	area_drop_return(&area, space, 0x401010);
	area_drop_return(&area, space, 0x999999); /* was never added */
	ck_assert(!is_awaited(0x401010));
	ck_assert(is_awaited(0x401020));
	ck_assert_uint_eq(count_returns(), 15);
	check_tables();
}
END_TEST

START_TEST(a_bucket_of_return_addresses_is_full)
{
	addr_t at[3];

	for (unsigned i = 0; i < 3; i++)
		at[i] = same_bucket(0x401000, METER_RETURN_BITS, i);
	ck_assert_int_eq(area_add_return(&area, space, at[0]), 0);
	ck_assert_int_eq(area_add_return(&area, space, at[1]), 0);
	ck_assert_int_eq(area_add_return(&area, space, at[2]), -ENOSPC);
	ck_assert(is_awaited(at[0]) && is_awaited(at[1]) && !is_awaited(at[2]));
	area_drop_return(&area, space, at[0]);
	ck_assert_int_eq(area_add_return(&area, space, at[2]), 0);
	ck_assert(!is_awaited(at[0]) && is_awaited(at[1]) && is_awaited(at[2]));
	check_tables();
}
END_TEST

static void
drop_every_second(void *context, addr_t address)
{
	unsigned *count = context;

	if (++*count % 2)
		area_drop_return(&area, space, address);
}

START_TEST(addresses_are_dropped_while_they_are_listed)
{
	unsigned count = 0;

	for (addr_t at = 0x401000; at < 0x401400; at += 16)
		ck_assert_int_eq(area_add_return(&area, space, at), 0);
	area_each_return(&area, drop_every_second, &count);
	ck_assert_uint_eq(count, 64);
	ck_assert_uint_eq(count_returns(), 32);
	check_tables();
}
END_TEST

START_TEST(what_cannot_be_written_is_not_known)
{
	addr_t mapped = area.at;

	area.at = ADDR_PAGE; /* no memory is mapped there */
	ck_assert_int_lt(area_add_return(&area, space, 0x401000), 0);
	ck_assert_int_lt(area_add_thread(&area, space, FIRST_POINTER), 0);
	area.at = mapped;
	ck_assert_int_eq(area_add_return(&area, space, 0x401000), 0);
	ck_assert(is_awaited(0x401000));
	ck_assert_int_eq(area_add_thread(&area, space, FIRST_POINTER), 0);
	check_tables();
}
END_TEST

/* ---- threads --------------------------------------------------------------*/

START_TEST(a_new_block_is_closed_and_empty)
{
	static const struct meter_sum nothing[METER_SUMS];
	unsigned number;
	struct meter_block *block = add_thread(FIRST_POINTER, &number);

	ck_assert_uint_eq(block->low, UINT64_MAX);
	ck_assert_uint_eq(block->top, (addr_t)&block->open[0]);
	ck_assert_uint_eq(block->full, (addr_t)&block->open[METER_DEPTH]);
	memset(block->sums, 0x11, sizeof(block->sums));
	area_drop_thread(&area, space, FIRST_POINTER, number);
	ck_assert_ptr_null(block_of(FIRST_POINTER));
	/* The next thread gets the block that this thread has given back. */
	ck_assert_ptr_eq(add_thread(FIRST_POINTER + STACK_SIZE, &number),
			 block);
	ck_assert(!memcmp(block->sums, nothing, sizeof(nothing)));
	check_tables();
}
END_TEST

START_TEST(a_pointer_is_of_one_thread)
{
	unsigned number;

	add_thread(FIRST_POINTER, &number);
	ck_assert_int_eq(area_add_thread(&area, space, FIRST_POINTER), -EEXIST);
	ck_assert_int_eq(area_add_thread(&area, space, 0), -ENOSPC);
	check_tables();
}
END_TEST

START_TEST(a_bucket_of_threads_is_full)
{
	addr_t at[3];
	unsigned number;

	for (unsigned i = 0; i < 3; i++)
		at[i] = same_bucket(FIRST_POINTER, METER_THREAD_BITS, i);
	add_thread(at[0], &number);
	add_thread(at[1], &number);
	ck_assert_int_eq(area_add_thread(&area, space, at[2]), -ENOSPC);
	area_drop_thread(&area, space, at[1], number);
	add_thread(at[2], &number);
	ck_assert_ptr_nonnull(block_of(at[0]));
	ck_assert_ptr_null(block_of(at[1]));
	check_tables();
}
END_TEST

/*
 * Gives blocks to threads until no block is left. At the call, *pointer is the
 * thread pointer of the first thread; at the return, it is a thread pointer
 * that no thread has. Returns the number of threads with a block; *ret_last is
 * the last of their thread pointers.
 */
static unsigned
fill(bool used[AREA_BLOCKS], addr_t *pointer, addr_t *ret_last)
{
	unsigned count = 0, refused = 0;

	for (; refused < 100; *pointer += STACK_SIZE) {
		int r = area_add_thread(&area, space, *pointer);

		refused = r == -ENOSPC ? refused + 1 : 0;
		if (r == -ENOSPC)
			continue; /* the thread gets no block */
		ck_assert_int_ge(r, 0);
		ck_assert_int_lt(r, (int)AREA_BLOCKS);
		ck_assert(!used[r]);
		used[r] = true;
		*ret_last = *pointer;
		count++;
	}
	return count;
}

/* Checks that each thread has a block of its own, and that all blocks are
 * within the groups. */
static void
check_apart(addr_t pointer, addr_t last)
{
	static uint64_t zeros;
	unsigned seen = 0;

	for (; pointer <= last; pointer += STACK_SIZE) {
		struct meter_block *block = block_of(pointer);

		if (!block)
			continue;
		zeros += block->sums[0].calls == 0;
		block->sums[0].calls = pointer;
		block->sums[METER_SUMS - 1].calls = pointer;
	}
	for (pointer = FIRST_POINTER; pointer <= last; pointer += STACK_SIZE) {
		const struct meter_block *block = block_of(pointer);

		if (!block)
			continue;
		seen++;
		ck_assert_uint_eq(block->sums[0].calls, pointer);
		ck_assert_uint_eq(block->sums[METER_SUMS - 1].calls, pointer);
	}
	ck_assert_uint_eq(zeros, seen);
}

START_TEST(blocks_are_in_groups)
{
	static bool used[AREA_BLOCKS];
	addr_t pointer = FIRST_POINTER, last = 0, first;
	unsigned count = 0;

	for (unsigned groups = 1; groups <= AREA_GROUPS; groups++) {
		area.group_count = groups;
		ck_assert(!area_may_grow(&area));
		first = pointer;
		count += fill(used, &pointer, &last);
		ck_assert_uint_eq(count,
				  AREA_FIRST_GROUP * ((1u << groups) - 1));
		ck_assert_int_eq(area_may_grow(&area), groups < AREA_GROUPS);
		check_apart(first, last);
	}
	ck_assert_uint_eq(count, AREA_BLOCKS);
	/* A block that was given back can be used again. */
	area_drop_thread(&area, space, last, 999);
	ck_assert_int_eq(area_add_thread(&area, space, last), 999);
	check_tables();
}
END_TEST

Suite *
area_suite(void)
{
	Suite *suite = suite_create("area");
	TCase *tests = tcase_create("area");

	tcase_add_checked_fixture(tests, area_setup, area_teardown);
	tcase_add_test(tests, return_addresses_are_added_and_dropped);
	tcase_add_test(tests, a_bucket_of_return_addresses_is_full);
	tcase_add_test(tests, addresses_are_dropped_while_they_are_listed);
	tcase_add_test(tests, what_cannot_be_written_is_not_known);
	tcase_add_test(tests, a_new_block_is_closed_and_empty);
	tcase_add_test(tests, a_pointer_is_of_one_thread);
	tcase_add_test(tests, a_bucket_of_threads_is_full);
	tcase_add_test(tests, blocks_are_in_groups);
	suite_add_tcase(suite, tests);
	return suite;
}
