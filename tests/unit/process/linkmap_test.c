/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loader's list in memory, and the auxiliary vector. */
#include "process/linkmap.h"
#include "tests/unit/process/suites.h"

#include "process/auxv.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define AT UINT64_C(0x1000)

static uint64_t words[2000];
static size_t word_count;

static int
read_words(struct reader *reader, addr_t from, void *to, size_t length)
{
	(void)reader;
	if (from < AT || from + length > AT + word_count * sizeof(words[0]))
		return -EFAULT;
	memcpy(to, (const uint8_t *)words + (from - AT), length);
	return 0;
}

static struct reader memory = { .read = read_words };

static void
put(size_t count, const uint64_t *from)
{
	memcpy(words, from, count * sizeof(words[0]));
	word_count = count;
}

START_TEST(r_debug_of_both_versions)
{
	/* The upper half of the first word is padding. */
	const uint64_t old[] = {
		UINT64_C(0xff00000001), 0x10, 0x20, R_ADD, 0x40, 0x50
	};
	const uint64_t newer[] = { 2, 0x10, 0x20, R_DELETE, 0x40, 0x50 };
	struct r_debug_view view;

	put(5, old);
	ck_assert_int_eq(linkmap_r_debug(&memory, AT, &view), 0);
	ck_assert_int_eq(view.version, 1);
	ck_assert_uint_eq(view.first, 0x10);
	ck_assert_uint_eq(view.brk, 0x20);
	ck_assert_int_eq(view.state, R_ADD);
	ck_assert_uint_eq(view.base, 0x40);
	ck_assert_uint_eq(view.next, 0);
	put(6, newer);
	ck_assert_int_eq(linkmap_r_debug(&memory, AT, &view), 0);
	ck_assert_int_eq(view.state, R_DELETE);
	ck_assert_uint_eq(view.next, 0x50);
	put(5, newer);
	ck_assert_int_eq(linkmap_r_debug(&memory, AT, &view), -EFAULT);
	ck_assert_int_eq(linkmap_r_debug(&memory, AT + 8, &view), -EFAULT);
}
END_TEST

START_TEST(one_link)
{
	const uint64_t link[] = { 1, 2, 3, 4, 5 };
	struct link_view view;

	put(5, link);
	ck_assert_int_eq(linkmap_link(&memory, AT, &view), 0);
	ck_assert_uint_eq(view.bias, 1);
	ck_assert_uint_eq(view.name, 2);
	ck_assert_uint_eq(view.dynamic, 3);
	ck_assert_uint_eq(view.next, 4);
	ck_assert_uint_eq(view.previous, 5);
	put(4, link);
	ck_assert_int_eq(linkmap_link(&memory, AT, &view), -EFAULT);
}
END_TEST

/* The list is read up to the first entry that cannot be read. */
START_TEST(links_together)
{
	const uint64_t links[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	const addr_t at[] = { AT + 40, AT, AT + 48, AT };
	struct link_view views[4] = { 0 };

	put(10, links);
	ck_assert_uint_eq(linkmap_links(&memory, at, 4, views), 2);
	ck_assert_uint_eq(views[0].bias, 6);
	ck_assert_uint_eq(views[0].next, 9);
	ck_assert_uint_eq(views[1].bias, 1);
	ck_assert_uint_eq(views[1].previous, 5);
	ck_assert_uint_eq(linkmap_links(&memory, at, 0, views), 0);
}
END_TEST

START_TEST(r_debug_in_the_dynamic_section)
{
	const uint64_t filled[] = { DT_NEEDED, 1, DT_DEBUG, 0x77, DT_NULL, 0 };
	const uint64_t without[] = { DT_NEEDED, 1, DT_NULL, 0, DT_DEBUG, 0x77 };
	addr_t r_debug = 1;

	put(6, filled);
	ck_assert_int_eq(linkmap_find(&memory, AT, &r_debug), 0);
	ck_assert_uint_eq(r_debug, 0x77);
	put(6, without);
	ck_assert_int_eq(linkmap_find(&memory, AT, &r_debug), -ENOENT);
	put(2, without);
	ck_assert_int_eq(linkmap_find(&memory, AT, &r_debug), -EFAULT);
	/* A dynamic section without an end. */
	for (size_t i = 0; i < 2000; i++)
		words[i] = DT_NEEDED;
	word_count = 2000;
	ck_assert_int_eq(linkmap_find(&memory, AT, &r_debug), -ENOENT);
	ck_assert_uint_eq(r_debug, 0x77);
}
END_TEST

START_TEST(our_own_auxiliary_vector)
{
	struct auxv auxv;

	ck_assert_int_eq(auxv_read(getpid(), &auxv), 0);
	ck_assert_uint_eq(auxv.base, getauxval(AT_BASE));
	ck_assert_uint_eq(auxv.entry, getauxval(AT_ENTRY));
	ck_assert_uint_eq(auxv.phdr, getauxval(AT_PHDR));
	ck_assert_uint_eq(auxv.phnum, getauxval(AT_PHNUM));
	ck_assert_uint_eq(auxv.vdso, getauxval(AT_SYSINFO_EHDR));
	ck_assert_int_lt(auxv_read(5000000, &auxv), 0);
}
END_TEST

Suite *
linkmap_suite(void)
{
	Suite *suite = suite_create("process/linkmap");
	TCase *tests = tcase_create("linkmap");

	tcase_add_test(tests, r_debug_of_both_versions);
	tcase_add_test(tests, one_link);
	tcase_add_test(tests, links_together);
	tcase_add_test(tests, r_debug_in_the_dynamic_section);
	tcase_add_test(tests, our_own_auxiliary_vector);
	suite_add_tcase(suite, tests);
	return suite;
}
