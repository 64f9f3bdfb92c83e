/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cells of an area: their handles, and what a return meter has written. */
#include "tests/unit/agent/area_fixture.h"
#include "tests/unit/agent/suites.h"

#include "agent/cells.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define SECOND UINT64_C(1000000000)

static const struct meter_queries *queries;
static uint64_t now;

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
	now = SECOND;
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

	ck_assert_int_eq(cells_add(&area, space, 0x1000, now), 0);
	ck_assert_int_eq(cells_add(&area, space, 0x2000, now), 0);
	ck_assert_int_eq(cells_add(&area, space, 0x1000, now), 0);
	ck_assert_ptr_nonnull(cell_of(0x1000));
	ck_assert_ptr_nonnull(cell_of(0x2000));
	ck_assert_ptr_ne(cell_of(0x1000), cell_of(0x2000));
	ck_assert_uint_eq(cells_find(&area, 0x1000), (addr_t)cell_of(0x1000));
	ck_assert_uint_eq(cells_find(&area, 0x3000), 0);
	ck_assert_int_eq(cells_add(&area, space, 0, now), 0);
	ck_assert_uint_eq(cells_find(&area, 0), 0);
	cell_of(0x2000)->total = 17;
	ck_assert_int_eq(cells_read(space, cells_find(&area, 0x2000), &cell),
			 0);
	ck_assert_uint_eq(cell.handle, 0x2000);
	ck_assert_uint_eq(cell.total, 17);
}
END_TEST

START_TEST(handles_are_followed_and_left)
{
	struct meter_cell *cell;

	ck_assert_int_eq(cells_add(&area, space, 0x2000, now), 0);
	cell = cell_of(0x2000);
	ck_assert(!cells_is_followed(&area, (addr_t)cell));
	cells_follow_handle(&area, space, 0x2000);
	ck_assert(cells_is_followed(&area, (addr_t)cell));
	ck_assert_uint_eq(cell->handle, 0);
	ck_assert_int_eq(cells_add(&area, space, 0x2000, now), 0);
	ck_assert_uint_eq(cell->handle, 0);
	/* a call that has returned after xtrace began to follow its query */
	cell->state = METER_CELL_ANSWERED;
	cells_leave_handle(&area, space, 0x2000);
	ck_assert(!cells_is_followed(&area, (addr_t)cell));
	ck_assert_uint_eq(cell->handle, 0x2000);
	ck_assert_uint_eq(cell->state, METER_CELL_IDLE);
}
END_TEST

/* Gives all cells to the handles first, first + 16, first + 32 and so on. A
 * handle whose bucket is full gets none. Returns the last handle with a cell.
 */
static uint64_t
take_all(uint64_t first)
{
	unsigned count = 0;
	uint64_t last = first;

	for (uint64_t handle = first; count < METER_CELLS; handle += 16)
		if (cells_add(&area, space, handle, now) == 0) {
			last = handle;
			count++;
		}
	return last;
}

START_TEST(a_dropped_handle_gives_its_cell_back)
{
	struct meter_cell *was;
	struct meter_block *block;
	uint64_t other = 0x100000000;
	unsigned number;

	take_all(0x1000);
	was = cell_of(0x1000);
	was->state = METER_CELL_ANSWERED;
	block = add_thread(FIRST_POINTER, &number);
	block->open[1].inner = (addr_t)was;
	cells_drop(&area, space, 0x1000, now);
	cells_drop(&area, space, 0x9000000, now); /* has no cell */
	ck_assert_ptr_null(cell_of(0x1000));
	ck_assert_uint_eq(cells_find(&area, 0x1000), 0);
	ck_assert_uint_eq(was->handle, 0);
	/* It was dropped just now, and then a thread uses it. */
	ck_assert_int_eq(cells_add(&area, space, 0x1000, now), -ENOSPC);
	now += SECOND / 100;
	ck_assert_int_eq(cells_add(&area, space, 0x1000, now), -ENOSPC);
	/* The thread stops: it is not in that call any more. */
	ck_assert_int_eq(area_open(&area, space, number, 0, UINT64_MAX), 0);
	ck_assert_int_eq(cells_add(&area, space, 0x1000, now), -ENOSPC);
	now += SECOND / 100;
	ck_assert_int_eq(cells_add(&area, space, 0x1000, now), 0);
	ck_assert_ptr_eq(cell_of(0x1000), was);
	ck_assert_uint_eq(was->state, METER_CELL_IDLE);
	ck_assert_uint_eq(was->handle, 0x1000);
	ck_assert_int_eq(cells_add(&area, space, other, now), -ENOSPC);
}
END_TEST

/* What a return meter writes at the end of a query. */
static void
query_ends(uint64_t handle)
{
	cell_of(handle)->began++;
}

START_TEST(unused_handles_lose_their_cells)
{
	const uint64_t used = 0x1000, open = 0x1010, running = 0x1020,
		       late = 0x1030, new_one = 0x100000000;
	struct meter_cell *cells[4];
	struct meter_block *block;
	unsigned number, got = 0;

	take_all(used);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_ptr_nonnull(cells[i] = cell_of(used + 16 * i));
	block = add_thread(FIRST_POINTER, &number);
	block->open[1].inner = (addr_t)cells[2];
	cells[1]->state = METER_CELL_ASKED;
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(cells_add(&area, space, new_one, now),
				 -ENOSPC);
		query_ends(used);
		now += SECOND;
	}
	/* Retired cells still belong to their handles. */
	ck_assert_ptr_eq(cell_of(late), cells[3]);
	ck_assert_uint_eq(cells[3]->handle, 0);
	ck_assert_int_eq(cells_add(&area, space, late, now), 0);
	ck_assert_uint_eq(cells[3]->handle, late);
	for (uint64_t handle = new_one; handle < new_one + 16 * 4096;
	     handle += 16) {
		got += cells_add(&area, space, handle, now) == 0;
		now += SECOND / 500;
		query_ends(used);
		query_ends(late);
	}
	ck_assert_uint_ge(got, METER_CELLS - 4);
	ck_assert_ptr_eq(cell_of(used), cells[0]);
	ck_assert_ptr_eq(cell_of(open), cells[1]);
	ck_assert_ptr_eq(cell_of(running), cells[2]);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_uint_eq(cells[i]->handle, used + 16 * i);
}
END_TEST

START_TEST(there_are_not_more_cells)
{
	unsigned count = 0;

	for (uint64_t handle = 16; handle < 16 * 10000; handle += 16) {
		int r = cells_add(&area, space, handle, now);

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

	ck_assert_int_eq(cells_add(&area, space, 0x1000, now), 0);
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

	ck_assert_int_eq(cells_add(&area, space, 0x1000, now), 0);
	cell = cells_find(&area, 0x1000);
	ck_assert(area_has_cell(&area, cell));
	ck_assert(area_has_cell(&area, end - sizeof(other)));
	ck_assert(!area_has_cell(&area, cell + 8));
	ck_assert(!area_has_cell(&area, area.cells - sizeof(other)));
	ck_assert(!area_has_cell(&area, end));
	ck_assert(!area_has_cell(&area, 0));
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
	tcase_add_test(tests, handles_are_followed_and_left);
	tcase_add_test(tests, unused_handles_lose_their_cells);
	tcase_add_test(tests, a_dropped_handle_gives_its_cell_back);
	tcase_add_test(tests, there_are_not_more_cells);
	tcase_add_test(tests, meters_are_told_what_is_followed);
	tcase_add_test(tests, what_a_return_wrote_is_taken_back);
	tcase_add_test(tests, nothing_but_cells_is_taken_back);
	tcase_add_test(tests, an_entry_is_taken_back);
	suite_add_tcase(suite, tests);
	return suite;
}
