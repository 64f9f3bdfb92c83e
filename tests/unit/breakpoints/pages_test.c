/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sites by page, and how the veil changes bytes. No process is involved. */
#include "arch/arch.h"
#include "breakpoints/pages.h"
#include "tests/unit/breakpoints/suites.h"

#include "base/attr.h"
#include "breakpoints/sites.h"

#include <string.h>

#define PAGE UINT64_C(4096)

static struct pages pages;
static struct site sites[64];

static void
setup(void)
{
	pages_init(&pages);
	memset(sites, 0, sizeof(sites));
}

static void
teardown(void)
{
	pages_release(&pages);
}

static void
add(size_t count, const addr_t *addresses)
{
	for (size_t i = 0; i < count; i++) {
		sites[i].address = addresses[i];
		pages_add(&pages, &sites[i]);
	}
}

static const addr_t some[] = { 0x5010, 0x5000, 0x5fff, 0x5011,
			       0x6000, 0x4fff, 0x5012 };

START_TEST(a_site_is_found_by_its_address)
{
	add(array_size(some), some);
	for (size_t i = 0; i < array_size(some); i++)
		ck_assert_ptr_eq(pages_find(&pages, some[i]), &sites[i]);
	ck_assert_ptr_null(pages_find(&pages, 0x5001));
	ck_assert_ptr_null(pages_find(&pages, 0x5ffe));
	ck_assert_ptr_null(pages_find(&pages, 0x6001));
	ck_assert_ptr_null(pages_find(&pages, 0x7000));
	ck_assert_ptr_null(pages_find(&pages, 0));
}
END_TEST

START_TEST(the_sites_of_a_page_are_in_order)
{
	const struct page *page;

	add(array_size(some), some);
	page = pages_at(&pages, 5);
	ck_assert_uint_eq(page->sites.count, 5);
	for (size_t i = 1; i < page->sites.count; i++)
		ck_assert_uint_lt(page->sites.at[i - 1]->address,
				  page->sites.at[i]->address);
	ck_assert_ptr_null(pages_at(&pages, 7));
}
END_TEST

START_TEST(a_walk_meets_each_once)
{
	struct pages_cursor cursor = { 0 };
	unsigned met[64] = { 0 }, count = 0;
	const struct site *site;

	ck_assert_ptr_null(pages_next(&pages, &cursor));
	cursor = (struct pages_cursor){ 0 };
	add(array_size(some), some);
	while ((site = pages_next(&pages, &cursor))) {
		met[site - sites]++;
		count++;
	}
	ck_assert_uint_eq(count, array_size(some));
	for (size_t i = 0; i < array_size(some); i++)
		ck_assert_uint_eq(met[i], 1);
}
END_TEST

START_TEST(those_of_a_range_are_taken)
{
	struct pages_cursor cursor = { 0 };
	const struct site *site;
	unsigned taken = 0;

	add(array_size(some), some);
	while ((site = pages_take(&pages, &cursor, 0x5000, 0x5012))) {
		ck_assert_uint_ge(site->address, 0x5000);
		ck_assert_uint_lt(site->address, 0x5012);
		taken++;
	}
	ck_assert_uint_eq(taken, 3);
	for (size_t i = 0; i < array_size(some); i++) {
		bool inside = some[i] >= 0x5000 && some[i] < 0x5012;

		ck_assert_ptr_eq(pages_find(&pages, some[i]),
				 inside ? NULL : &sites[i]);
	}
	/* A page without sites is skipped. */
	cursor = (struct pages_cursor){ 0 };
	while (pages_take(&pages, &cursor, 0, UINT64_MAX))
		taken++;
	ck_assert_uint_eq(taken, array_size(some));
	cursor = (struct pages_cursor){ 0 };
	ck_assert_ptr_null(pages_next(&pages, &cursor));
}
END_TEST

/* ---- the veil --------------------------------------------------------------
 */

static struct table table;
static struct sites all;
static struct space space;

static void
veiled(addr_t from, size_t length, const char *wanted)
{
	uint8_t bytes[16];

	/* Traps in all possible places, and one byte without a trap. */
	memset(bytes, 0xcc, sizeof(bytes));
	bytes[3] = 'x';
	space.veil->cover(space.veil, from, bytes, length);
	for (size_t i = 0; i < length; i++)
		ck_assert_msg(bytes[i] == (wanted[i] == '!'
						   ? 0xcc
						   : (uint8_t)wanted[i]),
			      "byte %zu of %#lx", i, (unsigned long)from);
}

static struct site *
plant(addr_t address, char original)
{
	static struct site planted[8];
	static size_t count;
	struct site *site = &planted[count++];

	site->address = address;
	site->original[0] = (uint8_t)original;
	site->planted = true;
	pages_add(&all.pages, site);
	all.planted++;
	return site;
}

START_TEST(reads_show_what_was_there)
{
	struct site *last;

	table_init(&table);
	space.arch = arch_of_host();
	sites_init(&all, &table, &space, NULL);
	/* Nothing is planted at these addresses. */
	veiled(0x4ff8, 8, "!!!x!!!!");
	plant(0x4ff8, 'a');
	plant(0x4ffb, 'b'); /* the byte is no longer our trap */
	plant(0x5000, 'c');
	last = plant(0x5007, 'd');
	veiled(0x4ff8, 8, "a!!x!!!!");
	veiled(0x4ff8, 16, "a!!x!!!!c!!!!!!d");
	veiled(0x4ff9, 15, "!!bx!!!c!!!!!!d");
	veiled(0x5001, 6, "!!!x!!");
	veiled(0x9000, 4, "!!!x");
	veiled(0x4ff8, 0, "");
	last->planted = false;
	veiled(0x5004, 4, "!!!x");
	sites_release(&all);
	ck_assert_ptr_null(space.veil);
	table_release(&table);
}
END_TEST

Suite *
pages_suite(void)
{
	Suite *suite = suite_create("breakpoints/pages");
	TCase *tests = tcase_create("pages");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_site_is_found_by_its_address);
	tcase_add_test(tests, the_sites_of_a_page_are_in_order);
	tcase_add_test(tests, a_walk_meets_each_once);
	tcase_add_test(tests, those_of_a_range_are_taken);
	tcase_add_test(tests, reads_show_what_was_there);
	suite_add_tcase(suite, tests);
	return suite;
}
