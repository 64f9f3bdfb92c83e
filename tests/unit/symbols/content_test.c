/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of files, read in parts. */
#include "symbols/content.h"
#include "tests/unit/symbols/suites.h"
#include "tests/unit/symbols/workshop.h"

#include "base/fd.h"
#include "symbols/plt.h"

#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define SIZE 100000u

/* Makes a file of 32-bit numbers; each is its own offset in the file. */
static int
make_numbers(void)
{
	int fd = open("numbers", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	uint32_t numbers[SIZE / 4];

	for (uint32_t i = 0; i < SIZE / 4; i++)
		numbers[i] = i * 4;
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fd_write_all(fd, numbers, SIZE), 0);
	return fd;
}

static void
check_numbers(struct content *content, uint32_t offset, uint32_t length)
{
	const uint8_t *bytes = content_at(content, offset, length);
	uint32_t number;

	ck_assert_ptr_eq(bytes, content->bytes + offset);
	for (uint32_t i = 0; i < length; i += 4) {
		memcpy(&number, bytes + i, 4);
		ck_assert_uint_eq(number, offset + i);
	}
}

START_TEST(parts_are_read_when_they_are_asked_for)
{
	struct content content;

	ck_assert_int_eq(content_open(&content, make_numbers(), SIZE), 0);
	check_numbers(&content, 40000, 8);
	ck_assert_uint_eq(content.bytes[4], 0);
	check_numbers(&content, 16380, 8);
	check_numbers(&content, 99996, 4);
	check_numbers(&content, 0, SIZE);
	ck_assert(!content.cut);
	content_release(&content);
}
END_TEST

START_TEST(what_is_outside_is_not_there)
{
	struct content content;

	ck_assert_int_eq(content_open(&content, make_numbers(), SIZE), 0);
	ck_assert_ptr_null(content_at(&content, 0, SIZE + 1));
	ck_assert_ptr_null(content_at(&content, SIZE - 3, 4));
	ck_assert_ptr_null(content_at(&content, SIZE + 1, 0));
	ck_assert_ptr_null(content_at(&content, UINT64_MAX, 2));
	ck_assert_ptr_null(content_at(&content, 2, UINT64_MAX));
	ck_assert_ptr_nonnull(content_at(&content, SIZE, 0));
	ck_assert(!content.cut);
	content_release(&content);
}
END_TEST

START_TEST(a_file_that_becomes_shorter_is_cut)
{
	struct content content;
	int fd = make_numbers();

	ck_assert_int_eq(content_open(&content, fd, SIZE), 0);
	check_numbers(&content, 0, 4);
	ck_assert_int_eq(ftruncate(fd, 20000), 0);
	check_numbers(&content, 0, 16384);
	ck_assert(!content.cut);
	ck_assert_ptr_null(content_at(&content, 50000, 4));
	ck_assert(content.cut);
	check_numbers(&content, 0, 16384);
	content_release(&content);
}
END_TEST

START_TEST(scarce_descriptors_make_all_be_read)
{
	struct content content;
	struct rlimit before, few;
	int fd = make_numbers();

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){ (rlim_t)fd + 1, before.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	ck_assert_int_eq(content_open(&content, fd, SIZE), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	ck_assert_int_eq(content.fd, -1);
	ck_assert_int_lt(fcntl(fd, F_GETFD), 0);
	check_numbers(&content, 0, SIZE);
	content_release(&content);
}
END_TEST

/* ---- images ----------------------------------------------------------------
 */

static void
check_symbols(struct image *in_parts, struct image *whole,
	      enum symtab_extent extent)
{
	const struct symtab *a = image_symtab(in_parts, extent);
	const struct symtab *b = image_symtab(whole, extent);

	ck_assert_msg(a->count == b->count, "%s: %zu symbols, %zu",
		      image_name(whole), a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		ck_assert_str_eq(a->at[i].name, b->at[i].name);
		ck_assert_uint_eq(a->at[i].address, b->at[i].address);
		ck_assert_pstr_eq(a->at[i].version, b->at[i].version);
	}
}

static void
check_slots(struct image *in_parts, struct image *whole)
{
	const struct plt *a = image_plt(in_parts), *b = image_plt(whole);

	ck_assert_msg(a->count == b->count, "%s: %zu imports, %zu",
		      image_name(whole), a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		ck_assert_pstr_eq(a->at[i].name, b->at[i].name);
		ck_assert_pstr_eq(a->at[i].version, b->at[i].version);
		ck_assert_uint_eq(a->at[i].word, b->at[i].word);
		ck_assert_uint_eq(a->at[i].gate_count, b->at[i].gate_count);
	}
}

static void
check_file(const char *path)
{
	struct image *in_parts, *whole;
	char *bytes;
	size_t length;

	if (fd_read_file(path, &bytes, &length) < 0)
		return;
	if (image_open_memory(bytes, length, path, &whole, NULL) == 0) {
		in_parts = workshop_open(path);
		check_symbols(in_parts, whole, SYMTAB_DYNAMIC);
		check_slots(in_parts, whole);
		check_symbols(in_parts, whole, SYMTAB_ALL);
		image_unref(in_parts);
		image_unref(whole);
	}
	free(bytes);
}

static const char *const patterns[] = {
	"/lib/x86_64-linux-gnu/lib[a-f]*.so*",
	"/usr/lib/python3*/lib-dynload/*.so",
	"/usr/bin/[p-t]*",
};

/* Symbols and words of the GOT are the same, whether a file is read in parts or
 * whole. */
START_TEST(files_say_what_their_bytes_say)
{
	glob_t found;

	ck_assert_int_eq(glob(patterns[_i], 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc && i < 100; i++)
		check_file(found.gl_pathv[i]);
	globfree(&found);
}
END_TEST

Suite *
content_suite(void)
{
	Suite *suite = suite_create("symbols/content");
	TCase *tests = tcase_create("content");

	tcase_set_timeout(tests, 120);
	tcase_add_test(tests, parts_are_read_when_they_are_asked_for);
	tcase_add_test(tests, what_is_outside_is_not_there);
	tcase_add_test(tests, a_file_that_becomes_shorter_is_cut);
	tcase_add_test(tests, scarce_descriptors_make_all_be_read);
	tcase_add_loop_test(tests, files_say_what_their_bytes_say, 0,
			    array_size(patterns));
	suite_add_tcase(suite, tests);
	return suite;
}
