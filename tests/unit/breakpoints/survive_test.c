/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the handler's table with a plain list of what it should contain. The
 * table is in the memory of the test, because the test is its own tracee.
 */
#include "breakpoints/outlive/survive.h"
#include "tests/unit/breakpoints/suites.h"

#include "base/attr.h"
#include "base/xmalloc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLACES 64u
#define FIRST UINT64_C(0x401000)

static struct tally tally;
static struct space *space;
static struct survive survive;
static struct inside_entry there[PLACES]; /* the table that the handler reads */

static void
setup(void)
{
	struct err err = { "" };

	space = space_new(getpid(), &tally);
	ck_assert_int_eq(space_open(space, &err), 0);
	survive = (struct survive){
		.code = 0x1000,
		.header = { .table = (uint64_t)(uintptr_t)there,
			    .mask = PLACES - 1 },
		.entries = xcalloc(PLACES, sizeof(there[0])),
	};
	memset(there, 0, sizeof(there));
}

static void
teardown(void)
{
	survive_release(&survive);
	space_unref(space);
}

static void
note(addr_t site)
{
	survive_note(&survive, (struct inside_entry){ .site = site,
						      .slot = site + 0x100000,
						      .original = 0x55 });
}

/* Searches like breakpoints/outlive/inside/handler.c. */
static addr_t
slot_for_handler(addr_t site)
{
	uint64_t at = inside_place(site, PLACES - 1);

	while (there[at].site && there[at].site != site)
		at = (at + 1) & (PLACES - 1);
	return there[at].site ? there[at].slot : 0;
}

static void
flush(void)
{
	ck_assert_int_eq(survive_flush(&survive, space), 0);
	ck_assert_mem_eq(there, survive.entries, sizeof(there));
	ck_assert_uint_eq(survive.changed.count, 0);
}

/* Checks that exactly the sites whose bits are set are in the table. */
static void
check_table(uint32_t known, const addr_t *sites, unsigned count)
{
	unsigned in_all = 0;

	for (unsigned i = 0; i < count; i++) {
		addr_t slot = known & 1u << i ? sites[i] + 0x100000 : 0;

		ck_assert_uint_eq(slot_for_handler(sites[i]), slot);
		ck_assert_uint_eq(survive_slot(&survive, sites[i]), slot);
		if (slot)
			ck_assert_uint_eq(survive_site(&survive, slot),
					  sites[i]);
	}
	for (unsigned i = 0; i < PLACES; i++)
		in_all += there[i].site != 0;
	ck_assert_uint_eq(in_all, (unsigned)__builtin_popcount(known));
	ck_assert_uint_eq(survive.count, in_all);
}

/* Finds sites whose search starts at the same place. */
static void
find_colliding(uint64_t place, addr_t *sites, unsigned count)
{
	addr_t site = FIRST;

	for (unsigned i = 0; i < count; site++) {
		if (inside_place(site, PLACES - 1) == place)
			sites[i++] = site;
	}
}

START_TEST(sites_that_collide_are_found)
{
	addr_t sites[8];

	/*
	 * Sites whose entries are at the end of the table, and continue at its
	 * beginning.
	 */
	find_colliding(PLACES - 3, sites, 8);
	for (unsigned i = 0; i < 8; i++) {
		note(sites[i]);
		ck_assert_uint_eq(slot_for_handler(sites[i]), 0);
		flush();
		check_table((2u << i) - 1, sites, 8);
	}
	/* A site that is noted twice has one entry. */
	note(sites[3]);
	flush();
	check_table(0xff, sites, 8);
}
END_TEST

/* Removes two of the sites, in each order. */
START_TEST(the_others_are_found_over_a_hole)
{
	addr_t sites[8];

	/* Two groups of colliding sites whose entries are next to each other;
	 * the second group is at the end of the table. */
	find_colliding(PLACES - 3, sites, 4);
	find_colliding(PLACES - 1, sites + 4, 3);
	find_colliding(2, sites + 7, 1);
	for (unsigned first = 0; first < 8; first++) {
		for (unsigned second = 0; second < 8; second++) {
			uint32_t known = 0xff;

			for (unsigned i = 0; i < 8; i++)
				note(sites[i]);
			flush();
			survive_forget(&survive, space, sites[first]);
			known &= ~(1u << first);
			check_table(known, sites, 8);
			survive_forget(&survive, space, sites[second]);
			known &= ~(1u << second);
			check_table(known, sites, 8);
			ck_assert_mem_eq(there, survive.entries, sizeof(there));
		}
	}
}
END_TEST

START_TEST(many_come_and_go)
{
	addr_t sites[30];
	uint32_t known = 0, random = 1;

	find_colliding(5, sites, 10);
	find_colliding(9, sites + 10, 10);
	find_colliding(PLACES - 2, sites + 20, 10);
	for (unsigned step = 0; step < 4000; step++) {
		unsigned i;

		random = random * 1103515245u + 12345u;
		i = random >> 16 & 31;
		if (i >= 30)
			continue;
		if (known & 1u << i)
			survive_forget(&survive, space, sites[i]);
		else
			note(sites[i]);
		flush();
		known ^= 1u << i;
		check_table(known, sites, 30);
	}
}
END_TEST

START_TEST(what_is_not_there_is_not_forgotten)
{
	addr_t site = FIRST;

	note(site);
	flush();
	survive_forget(&survive, space, site + 1);
	check_table(1, &site, 1);
	ck_assert_uint_eq(survive_site(&survive, 0x1234), 0);
}
END_TEST

START_TEST(a_table_is_never_full)
{
	for (unsigned i = 0; i < 2 * PLACES; i++)
		note(FIRST + i);
	flush();
	ck_assert_uint_eq(survive.count, PLACES / 2);
	/* A site without a slot is not in the table. */
	survive_forget(&survive, space, FIRST);
	survive_note(&survive, (struct inside_entry){ .site = FIRST + 5000 });
	ck_assert_uint_eq(survive.count, PLACES / 2 - 1);
	ck_assert_int_eq(survive_room(&survive, NULL, NULL, 1), 0);
	/* To grow the table, a thread must execute a system call. This test has
	 * no thread. */
	ck_assert_int_lt(survive_room(&survive, NULL, NULL, 2), 0);
}
END_TEST

/* Up to sixty-four changes are written one by one; for more, the whole table is
 * written. */
START_TEST(many_changes_are_written_together)
{
	uint64_t writes;

	for (unsigned i = 0; i < 10; i++)
		note(FIRST + i);
	writes = tally.writes;
	flush();
	ck_assert_uint_eq(tally.writes - writes, 10);
	for (unsigned i = 0; i < 65; i++)
		note(FIRST + i % 10);
	writes = tally.writes;
	flush();
	ck_assert_uint_eq(tally.writes - writes, 1);
}
END_TEST

START_TEST(a_copy_is_its_own)
{
	struct survive copy, none = { 0 };

	note(FIRST);
	survive_copy(&copy, &survive);
	flush();
	survive_forget(&survive, space, FIRST);
	ck_assert_uint_eq(survive_slot(&copy, FIRST), FIRST + 0x100000);
	ck_assert_uint_eq(copy.changed.count, 0);
	survive_release(&copy);
	ck_assert_uint_eq(copy.code, 0);
	survive_copy(&copy, &none);
	ck_assert_ptr_null(copy.entries);
}
END_TEST

START_TEST(without_an_area_there_is_no_table)
{
	struct survive none = { 0 };
	struct slots slots = { 0 };

	survive_note(&none, (struct inside_entry){ .site = 1, .slot = 2 });
	survive_forget(&none, space, 1);
	ck_assert_uint_eq(none.count, 0);
	ck_assert_uint_eq(survive_slot(&none, 1), 0);
	ck_assert_uint_eq(survive_site(&none, 2), 0);
	ck_assert_uint_eq(survive_nudge_note(&none, 1), 0);
	ck_assert_int_eq(survive_flush(&none, space), 0);
	ck_assert_int_eq(survive_room(&none, NULL, NULL, 1000), 0);
	ck_assert_int_eq(survive_regions(&none, &slots, space), 0);
	ck_assert_int_eq(survive_disarm(&none, NULL, NULL, 0), 0);
	ck_assert_int_eq(survive_end(&none, &slots, NULL, NULL, 0, false), 0);
	survive_reread(&none, &slots, space);
}
END_TEST

Suite *
survive_suite(void)
{
	Suite *suite = suite_create("breakpoints/survive");
	TCase *tests = tcase_create("survive");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, sites_that_collide_are_found);
	tcase_add_test(tests, the_others_are_found_over_a_hole);
	tcase_add_test(tests, many_come_and_go);
	tcase_add_test(tests, what_is_not_there_is_not_forgotten);
	tcase_add_test(tests, a_table_is_never_full);
	tcase_add_test(tests, many_changes_are_written_together);
	tcase_add_test(tests, a_copy_is_its_own);
	tcase_add_test(tests, without_an_area_there_is_no_table);
	suite_add_tcase(suite, tests);
	return suite;
}
