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

/* Every block is between the tables and the mark. */
static void
check_blocks(addr_t end)
{
	addr_t pointer = UINT64_C(0x7f0000000000);
	unsigned count = 0;

	for (; count < METER_BLOCKS; pointer += UINT64_C(0x801000)) {
		addr_t at;

		if (area_add_thread(&area, sites.space, pointer) < 0)
			continue;
		at = block_of(pointer);
		ck_assert_uint_ge(at, area.at + sizeof(struct meter_tables));
		ck_assert_uint_le(at + sizeof(struct meter_block), end);
		count++;
	}
}

START_TEST(an_area_is_mapped_and_unmapped)
{
	const struct inside_header *header = &sites.survive.header;
	struct area_mark mark;
	addr_t end;

	ck_assert_int_eq(survive_begin(&sites.survive, &sites.slots,
				       &tracee.table, tracee.thread, scratch),
			 0);
	ck_assert_int_eq(area_begin(&area, &sites, tracee.thread), 0);
	ck_assert_uint_ne(area.at, 0);
	/* A later xtrace finds it in the list of regions, and by its mark. */
	ck_assert_uint_eq(header->regions[header->region_count - 1].start,
			  area.at);
	end = area.at + header->regions[header->region_count - 1].size;
	ck_assert(is_mapped(area.at) && is_mapped(end - 1));
	end -= sizeof(mark);
	ck_assert_int_eq(space_read_raw(sites.space, end, &mark, sizeof(mark)),
			 0);
	ck_assert_uint_eq(mark.magic, AREA_MARK_MAGIC);
	ck_assert_uint_eq(mark.start, area.at);
	check_blocks(end);
	ck_assert_int_eq(survive_disarm(&sites.survive, &tracee.table,
					tracee.thread, scratch),
			 0);
	ck_assert_int_eq(survive_end(&sites.survive, &sites.slots,
				     &tracee.table, tracee.thread, scratch),
			 0);
	ck_assert(!is_mapped(area.at) && !is_mapped(end));
}
END_TEST

Suite *
mapping_suite(void)
{
	Suite *suite = suite_create("mapping");
	TCase *tests = tcase_create("mapping");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, an_area_is_mapped_and_unmapped);
	suite_add_tcase(suite, tests);
	return suite;
}
