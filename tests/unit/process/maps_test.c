/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gaps between made-up mappings, and the real mappings of this process. */
#include "process/maps.h"
#include "tests/unit/process/suites.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define REACH UINT64_C(0x7fff0000)
/* DISTANCE has the same value in process/maps.c. */
#define DISTANCE UINT64_C(0x10000)

static struct maps maps;

static void
setup(void)
{
	maps_init(&maps);
}

static void
teardown(void)
{
	maps_release(&maps);
}

START_TEST(a_gap_is_below_what_it_serves)
{
	const addr_t text = 16 * GIB;
	addr_t gap;

	maps_add(&maps, text, text + MIB);
	gap = maps_gap(&maps, text, text + 1, MIB, REACH);
	ck_assert_uint_eq(gap, text - DISTANCE - MIB);
	/* The gap has the same distance from the mapping below it. */
	maps_add(&maps, text - 4 * MIB, text - MIB);
	gap = maps_gap(&maps, text, text + 1, MIB, REACH);
	ck_assert_uint_eq(gap, text - 4 * MIB - DISTANCE - MIB);
	gap = maps_gap(&maps, text, text + 1, MIB / 2, REACH);
	ck_assert_uint_eq(gap, text - DISTANCE - MIB / 2);
}
END_TEST

START_TEST(a_gap_is_above_where_all_below_is_taken)
{
	const addr_t text = 16 * GIB;

	maps_add(&maps, text, text + MIB);
	maps_add(&maps, text - 2 * GIB, text);
	/* The gap is as high as possible, because the heap grows from below. */
	ck_assert_uint_eq(maps_gap(&maps, text, text + 1, MIB, REACH),
			  text + REACH - MIB);
	maps_add(&maps, text + MIB, text + 2 * GIB);
	ck_assert_uint_eq(maps_gap(&maps, text, text + 1, MIB, REACH), 0);
}
END_TEST

START_TEST(a_gap_is_not_where_nothing_can_be_mapped)
{
	addr_t gap;

	/*
	 * The program and the gap may be anywhere: one program is at a low
	 * address, another begins at 0.
	 */
	maps_add(&maps, 0x20000, 0x30000);
	gap = maps_gap(&maps, 0x20000, 0x20001, 0x1000, REACH);
	ck_assert_uint_ge(gap, 0x30000);
	ck_assert_uint_lt(gap, 0x20000 + REACH);
	gap = maps_gap(&maps, 0x8000, 0x8001, 0x1000, REACH);
	ck_assert_uint_ge(gap, 0x10000);
	ck_assert_uint_eq(maps_gap(&maps, 16 * GIB, 16 * GIB + 1, 8 * GIB,
				   REACH),
			  0);
}
END_TEST

START_TEST(mappings_are_found_by_address)
{
	for (addr_t i = 0; i < 5; i++)
		maps_add(&maps, (9 - 2 * i) * MIB, (10 - 2 * i) * MIB);
	for (size_t i = 1; i < maps.mappings.count; i++)
		ck_assert_uint_lt(maps.mappings.at[i - 1].start,
				  maps.mappings.at[i].start);
	for (addr_t at = 0; at < 12; at++) {
		const struct mapping *m = maps_covering(&maps, at * MIB + 5);

		if (at % 2 == 0 || at > 9)
			ck_assert_ptr_null(m);
		else
			ck_assert_uint_eq(m->start, at * MIB);
	}
	ck_assert_ptr_null(maps_covering(&maps, 2 * MIB));
	ck_assert_ptr_nonnull(maps_covering(&maps, 2 * MIB - 1));
}
END_TEST

/* ---- what is mapped here ---------------------------------------------------
 */

static char name[] = "/tmp/xtrace-abi-maps-XXXXXX\nand a line";

/* Makes a file of two pages whose name contains a newline, and maps the second
 * page. */
static void *
map_file(struct stat *ret_status)
{
	int fd;
	void *at;

	*strchr(name, '\n') = '\0';
	fd = mkstemp(name);
	ck_assert_int_ge(fd, 0);
	unlink(name);
	close(fd);
	name[strlen(name)] = '\n';
	fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, 8192), 0);
	at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 4096);
	ck_assert_ptr_ne(at, MAP_FAILED);
	ck_assert_int_eq(fstat(fd, ret_status), 0);
	close(fd);
	return at;
}

static void
check_mapping(const struct mapping *m, const void *at,
	      const struct stat *status)
{
	ck_assert_ptr_nonnull(m);
	ck_assert_uint_eq(m->start, (addr_t)at);
	ck_assert_uint_eq(m->end, (addr_t)at + 4096);
	ck_assert_uint_eq(m->offset, 4096);
	ck_assert_uint_eq(m->inode, status->st_ino);
	ck_assert(m->readable && !m->writable && !m->executable && m->shared);
	ck_assert_str_eq(m->path, name);
}

START_TEST(a_mapped_file_is_seen)
{
	struct stat status;
	void *at = map_file(&status);
	struct mapping queried;

	ck_assert_int_eq(maps_read(&maps, getpid()), 0);
	check_mapping(maps_covering(&maps, (addr_t)at + 100), at, &status);
	ck_assert_int_eq(maps_query(getpid(), (addr_t)at + 100, &queried), 0);
	unlink(name);
	check_mapping(&queried, at, &status);
	free(queried.path);
}
END_TEST

START_TEST(our_own_text_and_stack_are_seen)
{
	const struct mapping *text, *stack;
	int here;

	ck_assert_int_eq(maps_read(&maps, getpid()), 0);
	text = maps_covering(&maps, (addr_t)(uintptr_t)maps_gap);
	stack = maps_covering(&maps, (addr_t)&here);
	ck_assert(text->executable && !text->writable && text->path[0]);
	ck_assert(stack->writable && !stack->executable && !stack->shared);
}
END_TEST

START_TEST(what_is_not_there)
{
	struct mapping mapping;

	ck_assert_int_eq(maps_read(&maps, 5000000), -ESRCH);
	ck_assert_int_eq(maps_query(5000000, 0x1000, &mapping), -ESRCH);
	ck_assert_int_eq(maps_query(getpid(), 0x1000, &mapping), -ENOENT);
}
END_TEST

Suite *
maps_suite(void)
{
	Suite *suite = suite_create("process/maps");
	TCase *tests = tcase_create("maps");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_gap_is_below_what_it_serves);
	tcase_add_test(tests, a_gap_is_above_where_all_below_is_taken);
	tcase_add_test(tests, a_gap_is_not_where_nothing_can_be_mapped);
	tcase_add_test(tests, mappings_are_found_by_address);
	tcase_add_test(tests, a_mapped_file_is_seen);
	tcase_add_test(tests, our_own_text_and_stack_are_seen);
	tcase_add_test(tests, what_is_not_there);
	suite_add_tcase(suite, tests);
	return suite;
}
