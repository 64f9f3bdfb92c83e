/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An area is mapped into a tracee, which runs on, and is unmapped with the
 * handler area. */
#include "agent/area.h"
#include "tests/unit/agent/suites.h"
#include "tests/unit/live/tracee.h"

#include "breakpoints/outlive/area.h"
#include "breakpoints/outlive/survive.h"
#include "process/maps.h"

#include <sys/mman.h>

static struct tracee tracee;
static struct sites sites;
static struct area area;
static addr_t scratch;

static void
setup(void)
{
	void *room = mmap(NULL, ADDR_PAGE, PROT_READ | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(room, MAP_FAILED);
	scratch = (addr_t)room;
	tracee_start(&tracee, tracee_pause);
	tracee_stop(&tracee);
	sites_init(&sites, &tracee.table, tracee.process->space, NULL);
	sites.slots.scratch = scratch;
}

static void
teardown(void)
{
	sites_release(&sites);
	tracee_end(&tracee);
}

static bool
is_mapped(addr_t at)
{
	struct maps maps;
	bool found;

	maps_init(&maps);
	ck_assert_int_eq(maps_read(&maps, tracee.pid), 0);
	found = maps_covering(&maps, at) != NULL;
	maps_release(&maps);
	return found;
}

/* The block that the table names for this thread pointer. */
static addr_t
block_of(addr_t pointer)
{
	const struct meter_thread *bucket =
		area.tables.threads[meter_bucket(pointer, METER_THREAD_BITS)];

	for (unsigned i = 0; i < METER_WAYS; i++)
		if (bucket[i].pointer == pointer)
			return bucket[i].block;
	return 0;
}

static addr_t
last_region(uint64_t *ret_size)
{
	const struct inside_header *header = &sites.survive.header;

	ck_assert_uint_gt(header->region_count, 0);
	*ret_size = header->regions[header->region_count - 1].size;
	return header->regions[header->region_count - 1].start;
}

/* Threads get all blocks, which are between the start of the last region and
 * its mark. */
static void
check_blocks(void)
{
	static addr_t pointer = UINT64_C(0x7f0000000000);
	struct area_mark mark;
	uint64_t size;
	addr_t start = last_region(&size), end = start + size - sizeof(mark);

	ck_assert(is_mapped(start) && is_mapped(end));
	/* A later xtrace finds the region in the list, and by its mark. */
	ck_assert_int_eq(space_read_raw(sites.space, end, &mark, sizeof(mark)),
			 0);
	ck_assert_uint_eq(mark.magic, AREA_MARK_MAGIC);
	ck_assert_uint_eq(mark.start, start);
	while (!area_may_grow(&area)) {
		pointer += UINT64_C(0x801000);
		if (area_add_thread(&area, sites.space, pointer) < 0)
			continue;
		ck_assert_uint_ge(block_of(pointer), start);
		ck_assert_uint_le(block_of(pointer) +
					  area_block_size(area.kind),
				  end);
	}
}

START_TEST(an_area_is_mapped_grows_and_is_unmapped)
{
	addr_t group;
	uint64_t size;

	ck_assert_int_eq(survive_begin(&sites.survive, &sites.slots,
				       &tracee.table, tracee.thread, scratch),
			 0);
	ck_assert_int_eq(area_begin(&area, &sites, tracee.thread, _i), 0);
	ck_assert_uint_ne(area.at, 0);
	check_blocks();
	ck_assert_int_eq(area_grow(&area, &sites, tracee.thread), 0);
	check_blocks();
	ck_assert_uint_eq(area.group_count, 2);
	group = last_region(&size);
	ck_assert_int_eq(survive_disarm(&sites.survive, &tracee.table,
					tracee.thread, scratch),
			 0);
	ck_assert_int_eq(survive_end(&sites.survive, &sites.slots,
				     &tracee.table, tracee.thread, scratch,
				     false),
			 0);
	ck_assert(!is_mapped(area.at) && !is_mapped(area.groups[0]) &&
		  !is_mapped(group));
}
END_TEST

Suite *
mapping_suite(void)
{
	Suite *suite = suite_create("mapping");
	TCase *tests = tcase_create("mapping");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, an_area_is_mapped_grows_and_is_unmapped, 0,
			    AREA_KEPT + 1);
	suite_add_tcase(suite, tests);
	return suite;
}
