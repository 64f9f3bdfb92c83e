/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The blocks of an area: open calls and sums, as meters write them. */
#include "tests/unit/agent/area_fixture.h"
#include "tests/unit/agent/suites.h"

#include <string.h>

#define LOW UINT64_C(0x1000)
#define HIGH UINT64_C(0x9000)

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
	ck_assert_int_eq(area_open_within(&area, space, number, LOW, HIGH,
					  &(struct area_outer){ HIGH + 8, 77 }),
			 0);
	ck_assert_uint_eq(block->open[0].sp, HIGH);
	ck_assert_uint_eq(block->open[0].took, 77);
	ck_assert_uint_eq(block->open[0].step, HIGH + 8);
	open_calls(block, 3);
	block->sums[5] = (struct meter_sum){ 7, 70 };
	ck_assert_int_eq(area_open(&area, space, number, UINT64_MAX, 0), 0);
	ck_assert_uint_eq(block->low, UINT64_MAX);
	ck_assert_uint_eq(block->top, (addr_t)&block->open[0]);
	ck_assert_uint_eq(block->open[0].took, 0);
	/* area_open() keeps the sums of the block. */
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

/* Adds a thread to an area whose calls keep their arguments. Returns its block,
 * which has three open calls. */
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
	/* The block's next thread begins with no passed calls. */
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

/* Changes the block as close_call() does, but for calls with a histogram. */
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
area_blocks_suite(void)
{
	Suite *suite = suite_create("area_blocks");
	TCase *tests = tcase_create("area_blocks");

	tcase_add_checked_fixture(tests, area_setup, area_teardown);
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
