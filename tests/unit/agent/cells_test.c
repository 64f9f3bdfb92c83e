/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cells of an area: their handles, and what a return meter has written. */
#include "tests/unit/agent/area_fixture.h"
#include "tests/unit/agent/suites.h"

#include "agent/cells.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static const struct meter_queries *queries;

static void *
map(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(memory, MAP_FAILED);
	return memory;
}

static void
setup(void)
{
	area_setup();
	area.kind = AREA_QUERIES;
	queries = map(sizeof(*queries));
	area.at = (addr_t)queries;
	there = &queries->tables;
	area.cells = (addr_t)map(METER_CELLS * sizeof(struct meter_cell));
}

/* Finds the cell of a handle as a meter does. */
static struct meter_cell *
cell_of(uint64_t handle)
{
	const struct meter_handle *bucket =
		queries->handles[meter_bucket(handle, METER_HANDLE_BITS)];

	for (unsigned i = 0; i < METER_WAYS; i++)
		if (bucket[i].handle == handle)
			return (struct meter_cell *)(uintptr_t)bucket[i].cell;
	return NULL;
}

START_TEST(handles_have_cells)
{
	struct meter_cell cell;

	ck_assert_int_eq(cells_add(&area, space, 0x1000), 0);
	ck_assert_int_eq(cells_add(&area, space, 0x2000), 0);
	ck_assert_int_eq(cells_add(&area, space, 0x1000), 0);
	ck_assert_ptr_nonnull(cell_of(0x1000));
	ck_assert_ptr_nonnull(cell_of(0x2000));
	ck_assert_ptr_ne(cell_of(0x1000), cell_of(0x2000));
	ck_assert_uint_eq(cells_find(&area, 0x1000), (addr_t)cell_of(0x1000));
	ck_assert_uint_eq(cells_find(&area, 0x3000), 0);
	ck_assert_int_eq(cells_add(&area, space, 0), 0);
	ck_assert_uint_eq(cells_find(&area, 0), 0);
	cell_of(0x2000)->total = 17;
	cells_set_followed(space, cells_find(&area, 0x2000));
	ck_assert_int_eq(cells_read(space, cells_find(&area, 0x2000), &cell),
			 0);
	ck_assert_uint_eq(cell.state, METER_CELL_FOLLOWED);
	ck_assert_uint_eq(cell.total, 17);
	cells_empty(space, cells_find(&area, 0x2000));
	ck_assert_uint_eq(cell_of(0x2000)->state, METER_CELL_IDLE);
}
END_TEST

START_TEST(a_dropped_handle_gives_its_cell_back)
{
	struct meter_cell *was;

	ck_assert_int_eq(cells_add(&area, space, 0x1000), 0);
	was = cell_of(0x1000);
	was->state = METER_CELL_ANSWERED;
	cells_drop(&area, space, 0x1000);
	cells_drop(&area, space, 0x9000); /* has no cell */
	ck_assert_ptr_null(cell_of(0x1000));
	ck_assert_uint_eq(cells_find(&area, 0x1000), 0);
	ck_assert_int_eq(cells_add(&area, space, 0x2000), 0);
	ck_assert_ptr_eq(cell_of(0x2000), was);
	ck_assert_uint_eq(was->state, METER_CELL_IDLE);
}
END_TEST

START_TEST(there_are_not_more_cells)
{
	unsigned count = 0;

	for (uint64_t handle = 16; handle < 16 * 10000; handle += 16) {
		int r = cells_add(&area, space, handle);

		ck_assert(r == 0 || r == -ENOSPC);
		ck_assert((r == 0) == (cell_of(handle) != NULL));
		count += r == 0;
	}
	ck_assert_uint_eq(count, METER_CELLS);
}
END_TEST

START_TEST(meters_are_told_what_is_followed)
{
	ck_assert_int_eq(cells_follow(&area, space, true), 0);
	ck_assert_uint_eq(queries->followed, 1);
	ck_assert_int_eq(cells_follow(&area, space, false), 0);
	ck_assert_uint_eq(queries->followed, 0);
}
END_TEST

/* Sets the block and the cell as a return meter leaves them when the open call
 * has returned. */
static struct meter_block *
returned(unsigned number, struct meter_block *block)
{
	struct meter_cell *cell = cell_of(0x1000);

	ck_assert_int_eq(area_open(&area, space, number, 0, UINT64_MAX), 0);
	block->open[1] = (struct meter_open){ .took = METER_CELL_ASKED,
					      .inner = (addr_t)cell,
					      .step = 100,
					      .most = 3 };
	*cell = (struct meter_cell){ .state = METER_CELL_ANSWERED,
				     .total = 150,
				     .count = 4 };
	block->top = (addr_t)&block->open[1];
	block->passed = 8;
	block->added = 1;
	return block;
}

START_TEST(what_a_return_wrote_is_taken_back)
{
	static const struct {
		enum meter_written written;
		bool cell, passed, closed;
	} rows[] = {
		{ METER_NOTHING, false, false, false },
		{ METER_CELL, true, false, false },
		{ METER_PASSED, true, true, false },
		{ METER_IF_ADDED, true, true, true },
	};
	struct meter_block *block;
	unsigned number;

	ck_assert_int_eq(cells_add(&area, space, 0x1000), 0);
	block = add_thread(FIRST_POINTER, &number);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		returned(number, block);
		if (rows[i].closed)
			block->top = (addr_t)&block->open[0];
		area_take_back(&area, space, number, rows[i].written);
		ck_assert_uint_eq(block->top, (addr_t)&block->open[1]);
		ck_assert_uint_eq(block->passed, rows[i].passed ? 7 : 8);
		ck_assert_uint_eq(cell_of(0x1000)->state,
				  rows[i].cell ? METER_CELL_ASKED
					       : METER_CELL_ANSWERED);
		ck_assert_uint_eq(cell_of(0x1000)->total,
				  rows[i].cell ? 100 : 150);
		ck_assert_uint_eq(cell_of(0x1000)->count, rows[i].cell ? 3 : 4);
	}
}
END_TEST

START_TEST(nothing_but_cells_is_taken_back)
{
	struct meter_cell other = { .state = METER_CELL_ANSWERED };
	addr_t cell, end = area.cells + METER_CELLS * sizeof(other);
	struct meter_block *block;
	unsigned number;

	ck_assert_int_eq(cells_add(&area, space, 0x1000), 0);
	cell = cells_find(&area, 0x1000);
	ck_assert(cells_has(&area, cell));
	ck_assert(cells_has(&area, end - sizeof(other)));
	ck_assert(!cells_has(&area, cell + 8));
	ck_assert(!cells_has(&area, area.cells - sizeof(other)));
	ck_assert(!cells_has(&area, end));
	ck_assert(!cells_has(&area, 0));
	block = add_thread(FIRST_POINTER, &number);
	returned(number, block)->open[1].inner = (addr_t)&other;
	area_take_back(&area, space, number, METER_CELL);
	ck_assert_uint_eq(other.state, METER_CELL_ANSWERED);
}
END_TEST

START_TEST(an_entry_is_taken_back)
{
	struct meter_block *block;
	unsigned number;

	block = add_thread(FIRST_POINTER, &number);
	for (unsigned added = 0; added < 2; added++) {
		ck_assert_int_eq(area_open(&area, space, number, 0, UINT64_MAX),
				 0);
		block->added = added;
		block->top = (addr_t)&block->open[added];
		area_take_back(&area, space, number, METER_IF_OPENED);
		ck_assert_uint_eq(block->top, (addr_t)&block->open[0]);
	}
}
END_TEST

Suite *
cells_suite(void)
{
	Suite *suite = suite_create("cells");
	TCase *tests = tcase_create("cells");

	tcase_add_checked_fixture(tests, setup, area_teardown);
	tcase_add_test(tests, handles_have_cells);
	tcase_add_test(tests, a_dropped_handle_gives_its_cell_back);
	tcase_add_test(tests, there_are_not_more_cells);
	tcase_add_test(tests, meters_are_told_what_is_followed);
	tcase_add_test(tests, what_a_return_wrote_is_taken_back);
	tcase_add_test(tests, nothing_but_cells_is_taken_back);
	tcase_add_test(tests, an_entry_is_taken_back);
	suite_add_tcase(suite, tests);
	return suite;
}
