/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables and the blocks of an area. The area is in our own memory, which is
 * the tracee's here.
 */
#include "agent/area.h"
#include "tests/unit/agent/suites.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FIRST_POINTER UINT64_C(0x7f1200000740)
#define STACK_SIZE UINT64_C(0x801000) /* glibc's, with its guard */
#define LOW UINT64_C(0x1000)
#define HIGH UINT64_C(0x9000)

static struct tally tally;
static struct space *space;
static struct area area;
static const struct meter_tables *there; /* as meters see them */

static addr_t
map(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	ck_assert_ptr_ne(memory, MAP_FAILED);
	return (addr_t)memory;
}

static void
setup(void)
{
	struct err err = { "" };

	space = space_new(getpid(), &tally);
	ck_assert_int_eq(space_open(space, &err), 0);
	memset(&area, 0, sizeof(area));
	area.at = map(sizeof(struct meter_selects));
	there = (const struct meter_tables *)(uintptr_t)area.at;
	for (unsigned i = 0; i < AREA_GROUPS; i++)
		area.groups[i] = map((AREA_FIRST_GROUP << i) *
				     area_block_size(AREA_WHOLES));
	area.group_count = 1;
}

static void
teardown(void)
{
	space_unref(space);
}

static void
check_tables(void)
{
	ck_assert(!memcmp(there, &area.tables, sizeof(area.tables)));
}

/* ---- return addresses -----------------------------------------------------*/

/* Searches like a meter. */
static bool
is_awaited(addr_t address)
{
	const uint64_t *bucket =
		there->returns[meter_bucket(address, METER_RETURN_BITS)];

	return bucket[0] == address || bucket[1] == address;
}

/* The n-th address in the bucket of this one. */
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

	area.at = ADDR_PAGE; /* nothing is there */
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

/* The block that a meter finds, or NULL. */
static struct meter_block *
block_of(addr_t pointer)
{
	const struct meter_thread *bucket =
		there->threads[meter_bucket(pointer, METER_THREAD_BITS)];

	for (unsigned i = 0; i < METER_WAYS; i++)
		if (bucket[i].pointer == pointer)
			return (struct meter_block *)(uintptr_t)bucket[i].block;
	return NULL;
}

static struct meter_block *
add_thread(addr_t pointer, unsigned *ret_number)
{
	int number = area_add_thread(&area, space, pointer);

	ck_assert_int_ge(number, 0);
	*ret_number = (unsigned)number;
	ck_assert_ptr_nonnull(block_of(pointer));
	return block_of(pointer);
}

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
	/* The next thread gets the block that is free again. */
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
 * Gives blocks to threads until there is none. *pointer is the thread pointer
 * of the first thread, and afterwards the next one that is not used. Returns
 * the number of threads with a block; *ret_last is the last of their thread
 * pointers.
 */
static unsigned
fill(bool used[AREA_BLOCKS], addr_t *pointer, addr_t *ret_last)
{
	unsigned count = 0, refused = 0;

	for (; refused < 100; *pointer += STACK_SIZE) {
		int r = area_add_thread(&area, space, *pointer);

		refused = r == -ENOSPC ? refused + 1 : 0;
		if (r == -ENOSPC)
			continue; /* no block, or its bucket is full */
		ck_assert_int_ge(r, 0);
		ck_assert_int_lt(r, (int)AREA_BLOCKS);
		ck_assert(!used[r]);
		used[r] = true;
		*ret_last = *pointer;
		count++;
	}
	return count;
}

/* Each thread has memory of its own, and all of it is within the groups. */
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

/* ---- blocks ---------------------------------------------------------------*/

static struct area_calls calls;

/* Fills the block as if its thread were in `count` calls. */
static void
open_calls(struct meter_block *block, unsigned count)
{
	for (unsigned i = 1; i <= count; i++)
		block->open[i] = (struct meter_open){ .sp = HIGH - 16 * i,
						      .return_address = i,
						      .began = 100 + i };
	block->top = (addr_t)&block->open[count];
}

START_TEST(a_block_is_opened_and_closed)
{
	unsigned number;
	struct meter_block *block = add_thread(FIRST_POINTER, &number);

	ck_assert_int_eq(area_open(&area, space, number, LOW, HIGH), 0);
	ck_assert_uint_eq(block->low, LOW);
	ck_assert_uint_eq(block->open[0].sp, HIGH);
	open_calls(block, 3);
	block->sums[5] = (struct meter_sum){ 7, 70 };
	ck_assert_int_eq(area_open(&area, space, number, UINT64_MAX, 0), 0);
	ck_assert_uint_eq(block->low, UINT64_MAX);
	ck_assert_uint_eq(block->top, (addr_t)&block->open[0]);
	/* The sums of the block stay. */
	ck_assert_uint_eq(block->sums[5].calls, 7);
	ck_assert_uint_eq(block->sums[5].ticks, 70);
}
END_TEST

START_TEST(open_calls_are_taken)
{
	static const unsigned depths[] = { 0, 1, 5, METER_DEPTH };
	unsigned number;
	struct meter_block *block = add_thread(FIRST_POINTER, &number);

	for (unsigned i = 0; i < 4; i++) {
		ck_assert_int_eq(area_open(&area, space, number, LOW, HIGH), 0);
		open_calls(block, depths[i]);
		block->open[0].inner = 7 * i;
		ck_assert_int_eq(area_take_calls(&area, space, number, &calls),
				 0);
		ck_assert_uint_eq(calls.count, depths[i]);
		ck_assert_uint_eq(calls.inner, 7 * i);
		for (unsigned n = 0; n < calls.count; n++)
			ck_assert_uint_eq(calls.open[n].began, 101 + n);
		ck_assert_uint_eq(block->top, (addr_t)&block->open[0]);
		ck_assert_int_eq(area_take_calls(&area, space, number, &calls),
				 0);
		ck_assert_uint_eq(calls.count, 0);
		ck_assert_uint_eq(calls.inner, 0);
	}
}
END_TEST

START_TEST(a_damaged_block_has_no_calls)
{
	unsigned number;
	struct meter_block *block = add_thread(FIRST_POINTER, &number);

	block->top = (addr_t)&block->open[METER_DEPTH + 1];
	ck_assert_int_eq(area_take_calls(&area, space, number, &calls), 0);
	ck_assert_uint_eq(calls.count, 0);
	block->top = (addr_t)&block->open[0] - 64;
	ck_assert_int_eq(area_take_calls(&area, space, number, &calls), 0);
	ck_assert_uint_eq(calls.count, 0);
}
END_TEST

/* Changes the block as a return meter does, up to this step of its writes. */
static void
close_call(struct meter_block *block, enum meter_written written)
{
	struct meter_open *last = (struct meter_open *)(uintptr_t)block->top;
	struct meter_sum *sum = &block->sums[3];

	last->sums = offsetof(struct meter_block, sums[3]);
	last->took = 40;
	block->added = 1;
	if (written >= METER_TICKS)
		sum->ticks += last->took;
	if (written >= METER_CALLS)
		sum->calls++;
	if (written >= METER_CLOSED)
		block->top -= sizeof(*last);
}

START_TEST(what_a_return_meter_wrote_is_taken_back)
{
	static const enum meter_written told[] = { METER_NOTHING, METER_TICKS,
						   METER_CALLS, METER_CLOSED,
						   METER_IF_ADDED };
	unsigned number;
	struct meter_block *block = add_thread(FIRST_POINTER, &number);

	ck_assert_int_eq(area_open(&area, space, number, LOW, HIGH), 0);
	for (unsigned i = 0; i < 5; i++) {
		open_calls(block, 2);
		block->sums[3] = (struct meter_sum){ 9, 1000 };
		close_call(block, told[i]);
		area_take_back(&area, space, number, told[i]);
		ck_assert_uint_eq(block->top, (addr_t)&block->open[2]);
		ck_assert_uint_eq(block->sums[3].calls, 9);
		ck_assert_uint_eq(block->sums[3].ticks, 1000);
	}
	/* A thread that has passed the meter without counting has written
	 * nothing. */
	block->added = 0;
	area_take_back(&area, space, number, METER_IF_ADDED);
	ck_assert_uint_eq(block->top, (addr_t)&block->open[2]);
	ck_assert_uint_eq(block->sums[3].calls, 9);
}
END_TEST

START_TEST(what_an_entry_meter_wrote_is_taken_back)
{
	unsigned number;
	struct meter_block *block = add_thread(FIRST_POINTER, &number);

	ck_assert_int_eq(area_open(&area, space, number, LOW, HIGH), 0);
	open_calls(block, 2);
	area_take_back(&area, space, number, METER_NOTHING);
	ck_assert_uint_eq(block->top, (addr_t)&block->open[2]);
	area_take_back(&area, space, number, METER_OPENED);
	ck_assert_uint_eq(block->top, (addr_t)&block->open[1]);
}
END_TEST

/* A block for calls whose arguments are kept. */
static struct meter_block *
add_keeping(unsigned *ret_number)
{
	struct meter_block *block;

	area.kind = AREA_KEPT;
	block = add_thread(FIRST_POINTER, ret_number);
	ck_assert_int_eq(area_open(&area, space, *ret_number, LOW, HIGH), 0);
	open_calls(block, 3);
	block->passed = 9;
	return block;
}

START_TEST(what_is_kept_is_taken)
{
	unsigned number;
	struct meter_block *block = add_keeping(&number);
	uint64_t passed;

	for (unsigned i = 1; i <= 3; i++)
		block->kept[i].arguments[5] = 50 + i;
	ck_assert_int_eq(area_take_calls(&area, space, number, &calls), 0);
	ck_assert_uint_eq(calls.count, 3);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_eq(calls.kept[i].arguments[5], 51 + i);
	ck_assert_int_eq(area_read_passed(&area, space, number, &passed), 0);
	ck_assert_uint_eq(passed, 9);
	/* The next thread begins with none. */
	area_drop_thread(&area, space, FIRST_POINTER, number);
	add_thread(FIRST_POINTER, &number);
	ck_assert_int_eq(area_read_passed(&area, space, number, &passed), 0);
	ck_assert_uint_eq(passed, 0);
}
END_TEST

START_TEST(what_a_meter_that_selects_wrote_is_taken_back)
{
	static const struct {
		enum meter_written written;
		bool added, passed, closed;
	} rows[] = {
		{ METER_NOTHING, true, false, false },
		{ METER_PASSED, true, true, false },
		{ METER_CLOSED, true, true, true },
		{ METER_IF_ADDED, true, true, true },
		{ METER_IF_ADDED, false, false, false },
	};
	unsigned number;
	struct meter_block *block = add_keeping(&number);

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		block->added = rows[i].added;
		block->passed = 9 + rows[i].passed;
		block->top = (addr_t)&block->open[3 - rows[i].closed];
		area_take_back(&area, space, number, rows[i].written);
		ck_assert_uint_eq(block->passed, 9);
		ck_assert_uint_eq(block->top, (addr_t)&block->open[3]);
	}
}
END_TEST

START_TEST(tests_are_where_their_offset_says)
{
	struct meter_select select = { .least = 77 };
	const struct meter_select *functions;

	area.kind = AREA_KEPT;
	functions = ((const struct meter_selects *)there)->functions;
	for (unsigned i = 0; i < METER_SUMS; i += METER_SUMS - 1) {
		uint64_t offset = area_sums_offset(&area, i);

		ck_assert_int_eq(area_set_select(&area, space, i, &select), 0);
		ck_assert_uint_eq(functions[i].least, 77);
		ck_assert_uint_eq(area.at + offset, (addr_t)&functions[i]);
		ck_assert_uint_eq(area_function(&area, offset), i);
	}
	ck_assert_uint_eq(functions[1].least, 0);
}
END_TEST

START_TEST(sums_are_read_of_their_block)
{
	static struct meter_sum sums[METER_SUMS];
	unsigned first, second;
	struct meter_block *a = add_thread(FIRST_POINTER, &first);
	struct meter_block *b = add_thread(FIRST_POINTER + STACK_SIZE, &second);

	a->sums[0].calls = 1;
	a->sums[METER_SUMS - 1] = (struct meter_sum){ 2, 20 };
	b->sums[0].calls = 3;
	ck_assert_int_eq(area_read_sums(&area, space, first, METER_SUMS, sums),
			 0);
	ck_assert_uint_eq(sums[0].calls, 1);
	ck_assert_uint_eq(sums[METER_SUMS - 1].calls, 2);
	ck_assert_uint_eq(sums[METER_SUMS - 1].ticks, 20);
	ck_assert_int_eq(area_read_sums(&area, space, second, METER_SUMS, sums),
			 0);
	ck_assert_uint_eq(sums[0].calls, 3);
	ck_assert_uint_eq(sums[METER_SUMS - 1].calls, 0);
}
END_TEST

START_TEST(sums_with_histograms_are_read)
{
	static struct meter_sum sums[METER_WHOLES];
	static struct meter_whole whole;
	unsigned number;
	struct meter_block *block;

	area.kind = AREA_WHOLES;
	ck_assert_uint_eq(area_functions(true), METER_WHOLES);
	for (unsigned i = 0; i < METER_WHOLES; i++)
		ck_assert_uint_eq(area_function(&area,
						area_sums_offset(&area, i)),
				  i);
	block = add_thread(FIRST_POINTER, &number);
	block->wholes[0].calls = 1;
	block->wholes[2] = (struct meter_whole){ .calls = 3, .ticks = 30 };
	block->wholes[2].steps[METER_STEPS - 1] = 3;
	ck_assert_int_eq(area_read_sums(&area, space, number, 3, sums), 0);
	ck_assert_uint_eq(sums[0].calls, 1);
	ck_assert_uint_eq(sums[1].calls, 0);
	ck_assert_uint_eq(sums[2].ticks, 30);
	ck_assert_int_eq(area_read_whole(&area, space, number, 2, &whole), 0);
	ck_assert(!memcmp(&whole, &block->wholes[2], sizeof(whole)));
	/* The next thread of the block finds nothing of the thread before
	 * it. */
	area_drop_thread(&area, space, FIRST_POINTER, number);
	ck_assert_ptr_eq(add_thread(FIRST_POINTER, &number), block);
	memset(&whole, 0, sizeof(whole));
	ck_assert(!memcmp(&whole, &block->wholes[2], sizeof(whole)));
}
END_TEST

/* As close_call(), with a histogram. */
static void
close_whole(struct meter_block *block, enum meter_written written)
{
	struct meter_open *last = (struct meter_open *)(uintptr_t)block->top;
	struct meter_whole *sum = &block->wholes[3];

	*last = (struct meter_open){
		.sums = offsetof(struct meter_block, wholes[3]),
		.took = 40,
		.inner = 15,
		.step = meter_step(40),
		.most = sum->most,
	};
	block->added = 1;
	sum->ticks += written >= METER_TICKS ? 40 : 0;
	sum->calls += written >= METER_CALLS;
	sum->steps[40] += written >= METER_STEP;
	last[-1].inner += written >= METER_INNER ? 40 : 0;
	sum->own += written >= METER_OWN ? 25 : 0;
	if (written >= METER_MOST)
		sum->most = 40;
	if (written >= METER_CLOSED)
		block->top -= sizeof(*last);
}

START_TEST(what_a_meter_wrote_with_a_histogram_is_taken_back)
{
	static const struct meter_whole before = {
		.calls = 9, .ticks = 1000, .own = 500, .most = 30
	};
	unsigned number;
	struct meter_block *block;

	area.kind = AREA_WHOLES;
	block = add_thread(FIRST_POINTER, &number);
	ck_assert_int_eq(area_open(&area, space, number, LOW, HIGH), 0);
	for (enum meter_written told = METER_NOTHING; told <= METER_IF_ADDED;
	     told++) {
		if (told == METER_OPENED)
			continue;
		open_calls(block, 2);
		block->open[1].inner = 3;
		block->wholes[3] = before;
		close_whole(block, told);
		area_take_back(&area, space, number, told);
		ck_assert_uint_eq(block->top, (addr_t)&block->open[2]);
		ck_assert_uint_eq(block->open[1].inner, 3);
		ck_assert(!memcmp(&block->wholes[3], &before, sizeof(before)));
	}
}
END_TEST

Suite *
area_suite(void)
{
	Suite *suite = suite_create("area");
	TCase *tests = tcase_create("area");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, return_addresses_are_added_and_dropped);
	tcase_add_test(tests, a_bucket_of_return_addresses_is_full);
	tcase_add_test(tests, addresses_are_dropped_while_they_are_listed);
	tcase_add_test(tests, what_cannot_be_written_is_not_known);
	tcase_add_test(tests, a_new_block_is_closed_and_empty);
	tcase_add_test(tests, a_pointer_is_of_one_thread);
	tcase_add_test(tests, a_bucket_of_threads_is_full);
	tcase_add_test(tests, blocks_are_in_groups);
	tcase_add_test(tests, a_block_is_opened_and_closed);
	tcase_add_test(tests, open_calls_are_taken);
	tcase_add_test(tests, a_damaged_block_has_no_calls);
	tcase_add_test(tests, what_a_return_meter_wrote_is_taken_back);
	tcase_add_test(tests, what_an_entry_meter_wrote_is_taken_back);
	tcase_add_test(tests, what_is_kept_is_taken);
	tcase_add_test(tests, what_a_meter_that_selects_wrote_is_taken_back);
	tcase_add_test(tests, tests_are_where_their_offset_says);
	tcase_add_test(tests, sums_are_read_of_their_block);
	tcase_add_test(tests, sums_with_histograms_are_read);
	tcase_add_test(tests,
		       what_a_meter_wrote_with_a_histogram_is_taken_back);
	suite_add_tcase(suite, tests);
	return suite;
}
