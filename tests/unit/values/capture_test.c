/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a capture reads, how often, and what it keeps. */
#include "tests/unit/values/memory.h"
#include "tests/unit/values/suites.h"
#include "values/capture.h"

#include <errno.h>
#include <string.h>

#define AT 0x10000u
#define END (AT + MEMORY_PAGE)

static struct memory memory;
static struct arena arena;
static struct capture capture;

static void
setup(void)
{
	unsigned char page[MEMORY_PAGE];

	for (size_t i = 0; i < sizeof(page); i++)
		page[i] = (unsigned char)(i * 7 + i / 256);
	memory_init(&memory);
	memory_put(&memory, AT, page, sizeof(page));
	arena_init(&arena);
	capture_init(&capture, &memory.reader, &arena);
}

static void
teardown(void)
{
	arena_release(&arena);
}

static void
check_bytes(addr_t from, const unsigned char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		size_t at = from + i - AT;

		ck_assert_uint_eq(bytes[i], (unsigned char)(at * 7 + at / 256));
	}
}

START_TEST(one_read_serves_the_neighbours)
{
	unsigned char bytes[64];

	ck_assert_int_eq(capture_read(&capture, AT + 10, bytes, 1), 0);
	ck_assert_int_eq(capture_read(&capture, AT + 11, bytes, 64), 0);
	ck_assert_int_eq(capture_read(&capture, AT + 1, bytes, 64), 0);
	check_bytes(AT + 1, bytes, 64);
	ck_assert_uint_eq(memory.reads, 1);
}
END_TEST

START_TEST(a_window_ends_with_the_page)
{
	unsigned char bytes[32];

	ck_assert_int_eq(capture_read(&capture, END - 8, bytes, 8), 0);
	check_bytes(END - 8, bytes, 8);
	ck_assert_int_eq(capture_read(&capture, END - 8, bytes, 9), -EFAULT);
}
END_TEST

START_TEST(a_read_crosses_pages)
{
	unsigned char bytes[32], more[16] = { 1, 2, 3 };

	memory_put(&memory, END, more, sizeof(more));
	ck_assert_int_eq(capture_read(&capture, END - 8, bytes, 24), 0);
	check_bytes(END - 8, bytes, 8);
	ck_assert_mem_eq(bytes + 8, more, 16);
}
END_TEST

START_TEST(a_page_that_cannot_be_read_is_asked_once)
{
	unsigned char byte;

	for (unsigned i = 0; i < 100; i++)
		ck_assert_int_eq(capture_read(&capture, END + 13 * i, &byte, 1),
				 -EFAULT);
	ck_assert_uint_eq(memory.reads, 1);
}
END_TEST

START_TEST(sealed_it_remembers)
{
	unsigned char bytes[64], other = 99;

	ck_assert_int_eq(capture_read(&capture, AT, bytes, 64), 0);
	memory_put(&memory, AT, &other, 1);
	capture_seal(&capture);
	ck_assert_int_eq(reader_read(&capture.reader, AT, bytes, 64), 0);
	check_bytes(AT, bytes, 64);
	ck_assert_int_eq(capture_read(&capture, AT + 2000, bytes, 1), -EFAULT);
	ck_assert_uint_eq(memory.reads, 1);
}
END_TEST

START_TEST(pieces_are_joined)
{
	unsigned char bytes[600];

	for (unsigned i = 0; i < 6; i++)
		ck_assert_int_eq(capture_read(&capture, AT + 100 * i, bytes,
					      100),
				 0);
	capture_seal(&capture);
	ck_assert_int_eq(capture_read(&capture, AT, bytes, 600), 0);
	check_bytes(AT, bytes, 600);
}
END_TEST

START_TEST(thousands_are_remembered)
{
	unsigned char byte;

	for (unsigned i = 0; i < 3000; i++) {
		addr_t page = AT + (uint64_t)i * MEMORY_PAGE;

		ck_assert_int_eq(capture_read(&capture, page, &byte, 1),
				 i == 0 ? 0 : -EFAULT);
	}
	for (unsigned i = 0; i < 3000; i++) {
		addr_t page = AT + (uint64_t)i * MEMORY_PAGE;

		ck_assert_int_eq(capture_read(&capture, page + 99, &byte, 1),
				 i == 0 ? 0 : -EFAULT);
	}
	ck_assert_uint_eq(memory.reads, 3000);
}
END_TEST

START_TEST(the_last_address_does_not_overflow)
{
	unsigned char bytes[64];

	ck_assert_int_eq(capture_read(&capture, UINT64_MAX, bytes, 1), -EFAULT);
	ck_assert_int_eq(capture_read(&capture, UINT64_MAX - 10, bytes, 64),
			 -EFAULT);
	ck_assert_int_eq(capture_read(&capture, 0, bytes, 1), -EFAULT);
}
END_TEST

START_TEST(a_peek_gives_what_one_read_gave)
{
	const unsigned char *bytes;
	size_t have;

	bytes = capture_peek(&capture, AT, 1000, &have);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_eq(have, 1000);
	check_bytes(AT, bytes, have);
	bytes = capture_peek(&capture, END - 10, 1000, &have);
	ck_assert_uint_eq(have, 10);
	check_bytes(END - 10, bytes, have);
	ck_assert_ptr_null(capture_peek(&capture, END, 10, &have));
}
END_TEST

Suite *
capture_suite(void)
{
	Suite *suite = suite_create("capture");
	TCase *tcase = tcase_create("capture");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, one_read_serves_the_neighbours);
	tcase_add_test(tcase, a_window_ends_with_the_page);
	tcase_add_test(tcase, a_read_crosses_pages);
	tcase_add_test(tcase, a_page_that_cannot_be_read_is_asked_once);
	tcase_add_test(tcase, sealed_it_remembers);
	tcase_add_test(tcase, pieces_are_joined);
	tcase_add_test(tcase, thousands_are_remembered);
	tcase_add_test(tcase, the_last_address_does_not_overflow);
	tcase_add_test(tcase, a_peek_gives_what_one_read_gave);
	suite_add_tcase(suite, tcase);
	return suite;
}
