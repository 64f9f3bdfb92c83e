/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks of a small heap of glibc; then each of its bytes is damaged in
 * turn. The result is an error, or the right numbers if they do not depend on
 * the byte. The few exceptions are listed.
 */
#include "heaps/glibc_malloc.h"
#include "tests/unit/heaps/glibc_image.h"
#include "tests/unit/heaps/rows.h"
#include "tests/unit/heaps/suites.h"

#include <errno.h>
#include <stdlib.h>

/* copy: is used again, because its memory is large. */
static int
count_with(struct glibc_image *image, struct heap_copy *copy,
	   struct census *census, struct err *err)
{
	int r;

	census_init(census);
	heap_copy_clear(copy);
	r = heap_natives[0].copy(&image->binary, copy, err);
	return r < 0 ? r
		     : heap_natives[0].count(&image->binary, &copy->reader,
					     census, err);
}

static int
count(struct glibc_image *image, struct census *census, struct err *err)
{
	struct heap_copy copy;
	int r;

	heap_copy_init(&copy, &image->reader);
	r = count_with(image, &copy, census, err);
	heap_copy_release(&copy);
	return r;
}

static void
check_free(const struct census *census, const char *name, uint64_t pieces,
	   uint64_t bytes)
{
	for (size_t i = 0; i < census->free.count; i++) {
		const struct census_row *row = census->free.at[i];

		if (strcmp(row->name, name) != 0)
			continue;
		ck_assert_uint_eq(row->count, pieces);
		ck_assert_uint_eq(row->bytes, bytes);
		return;
	}
	ck_abort_msg("no free %s", name);
}

START_TEST(blocks)
{
	struct glibc_image *image = glibc_image_new();
	struct census census;
	struct err err = { "" };

	if (count(image, &census, &err) != 0)
		ck_abort_msg("%s", err.text);
	census_sort(&census);
	check_row(&census, "malloc(0..24)", 3, 0x60);
	check_row(&census, "malloc(25..40)", 1, 0x30);
	check_row(&census, "malloc(233..248)", 1, 0x100);
	check_row(&census, "malloc(633..648)", 1, 0x290);
	check_row(&census, "malloc(1033..2040)", 2, 0x500 + 0x710);
	check_row(&census, "malloc by mmap()", 2, 0x300000);
	check_row(&census, "(headers of arenas)", 3, 2256 + 48 + 32);
	ck_assert_uint_eq(census.rows.count, 7);
	check_free(&census, "thread cache: malloc(0..24)", 1, 0x20);
	check_free(&census, "thread cache: malloc(25..40)", 1, 0x30);
	check_free(&census, "fast bin: malloc(41..56)", 1, 0x40);
	check_free(&census, "unsorted: malloc(233..248)", 1, 0x100);
	check_free(&census, "small bin: malloc(121..136)", 1, 0x90);
	check_free(&census, "large bin: malloc(1033..2040)", 1, 0x600);
	check_free(&census, "top of an arena", 2, 0xfc0 + 0xed0);
	ck_assert_uint_eq(census.free.count, 7);
	ck_assert_uint_eq(census.mapped, 0x4000 + 0x300000);
	census_release(&census);
	free(image);
}
END_TEST

/* A number that depends on each row. */
static uint64_t
sum_of(const struct census *census)
{
	uint64_t sum = census->mapped;

	for (size_t i = 0; i < census->rows.count; i++)
		sum = sum * 31 + census->rows.at[i]->count * 7 +
		      census->rows.at[i]->bytes;
	for (size_t i = 0; i < census->free.count; i++)
		sum = sum * 31 + census->free.at[i]->count * 7 +
		      census->free.at[i]->bytes;
	return sum;
}

/* The number of blocks with their own mapping, and their bytes, are stored only
 * once, so damage to them is not noticed. */
static bool
is_alone(addr_t at)
{
	return (at >= GLIBC_PAR + 60 && at < GLIBC_PAR + 64) ||
	       (at >= GLIBC_PAR + 80 && at < GLIBC_PAR + 88);
}

static void
damage(struct glibc_image *image, struct heap_copy *copy, addr_t at,
       uint8_t with, uint64_t right)
{
	struct census census;
	struct err err;
	int r;

	*glibc_image_at(image, at) ^= with;
	r = count_with(image, copy, &census, &err);
	if (r == 0 && !is_alone(at) && sum_of(&census) != right)
		ck_abort_msg("%lx ^ %x: a wrong census", (unsigned long)at,
			     with);
	if (r != 0 && r != -EIO && r != -EAGAIN && r != -ENOTSUP && r != -EFBIG)
		ck_abort_msg("%lx ^ %x: %d", (unsigned long)at, with, r);
	census_release(&census);
	*glibc_image_at(image, at) ^= with;
}

START_TEST(each_byte_is_damaged)
{
	struct glibc_image *image = glibc_image_new();
	struct census census;
	struct err err;
	struct heap_copy copy;
	uint64_t right;

	ck_assert_int_eq(count(image, &census, &err), 0);
	right = sum_of(&census);
	census_release(&census);
	heap_copy_init(&copy, &image->reader);
	for (size_t i = 1; i < GLIBC_PIECES; i++) {
		const struct glibc_piece *piece = &image->pieces[i];

		for (addr_t at = 0; at < piece->length; at++) {
			damage(image, &copy, piece->from + at, 0xff, right);
			damage(image, &copy, piece->from + at, 0xf0, right);
			damage(image, &copy, piece->from + at,
			       (uint8_t)(1u << (at * 5 + at / 8) % 8), right);
		}
	}
	heap_copy_release(&copy);
	free(image);
}
END_TEST

static void
refused(struct glibc_image *image, int wanted, const char *text)
{
	struct census census;
	struct err err = { "" };

	ck_assert_int_eq(count(image, &census, &err), wanted);
	ck_assert_str_eq(err.text, text);
	census_release(&census);
}

START_TEST(no_heap)
{
	struct glibc_image *image = glibc_image_new();

	memcpy(glibc_image_at(image, GLIBC_CODE + 16), "2.42", 5);
	refused(image, -ENOTSUP,
		"libc.so.6: the heap of glibc 2.42 is not known to xtrace, "
		"only those of 2.36 and 2.41");
	memcpy(glibc_image_at(image, GLIBC_CODE + 16), "2.41", 5);
	refused(image, -ENOENT, "");
	memcpy(glibc_image_at(image, GLIBC_CODE + 16), "2.36", 5);
	glibc_image_put(image, GLIBC_MAIN, 1);
	refused(image, -EAGAIN,
		"libc.so.6: the heap of glibc makes no sense: a thread "
		"changes an arena");
	glibc_image_put(image, GLIBC_MAIN, 0);
	/* The list of arenas is a circle without the first one. */
	glibc_image_put(image, GLIBC_ARENA + 2160, GLIBC_ARENA);
	refused(image, -EAGAIN,
		"libc.so.6: the heap of glibc makes no sense: the list of "
		"arenas has no end");
	glibc_image_put(image, GLIBC_ARENA + 2160, GLIBC_MAIN);
	/* A free chunk is its own next one. */
	glibc_image_put(image, GLIBC_BRK + 0x860, GLIBC_BRK + 0x850);
	refused(image, -EAGAIN,
		"libc.so.6: the heap of glibc makes no sense: a list of free "
		"chunks is damaged");
	glibc_image_put(image, GLIBC_BRK + 0x860, GLIBC_MAIN + 96);
	glibc_image_put(image, GLIBC_PAR + 48, 2 << 20);
	refused(image, -ENOTSUP,
		"libc.so.6: the heap of glibc is not known to xtrace if "
		"malloc() uses huge pages");
	glibc_image_put(image, GLIBC_PAR + 104, 65);
	refused(image, -EIO, "libc.so.6: the heap of glibc is not found");
	free(image);
}
END_TEST

/* The memory of a thread arena is a list of heaps, from the newest one back.
 * Here one heap names itself as the heap before it. The arena says that it has
 * so many bytes that many heaps are possible, and then more than xtrace copies.
 */
START_TEST(heaps_without_end)
{
	struct glibc_image *image = glibc_image_new();

	glibc_image_put(image, GLIBC_HEAP_2 + 8, GLIBC_HEAP_2);
	glibc_image_put(image, GLIBC_ARENA + 2184, UINT64_C(3) << 30);
	glibc_image_put(image, GLIBC_ARENA + 2192, UINT64_C(1) << 62);
	refused(image, -EAGAIN,
		"libc.so.6: the heap of glibc makes no sense: the list of "
		"heaps has no end");
	glibc_image_put(image, GLIBC_ARENA + 2184, UINT64_C(1) << 62);
	refused(image, -EFBIG,
		"libc.so.6: the heap of glibc has more than 4 GiB, which "
		"xtrace does not copy");
	free(image);
}
END_TEST

/* A thread was stopped while it took a block from its cache. */
START_TEST(cache_changes)
{
	struct glibc_image *image = glibc_image_new();

	glibc_image_put(image, GLIBC_BRK + 16 + 128, 0);
	refused(image, -EAGAIN,
		"libc.so.6: the heap of glibc makes no sense: a thread "
		"changes its cache");
	free(image);
}
END_TEST

/* Nothing was allocated yet. */
START_TEST(unused)
{
	struct glibc_image *image = glibc_image_new();
	struct census census;
	struct err err = { "" };

	memset(glibc_image_at(image, GLIBC_MAIN), 0, 2200);
	glibc_image_put(image, GLIBC_MAIN + 2160, GLIBC_MAIN);
	glibc_image_put(image, GLIBC_MAIN + 2176, 1);
	glibc_image_put(image, GLIBC_PAR + 56, 0);
	glibc_image_put(image, GLIBC_PAR + 80, 0);
	if (count(image, &census, &err) != 0)
		ck_abort_msg("%s", err.text);
	ck_assert_uint_eq(census.count, 0);
	ck_assert_uint_eq(census.mapped, 0);
	census_release(&census);
	free(image);
}
END_TEST

Suite *
glibc_malloc_suite(void)
{
	Suite *suite = suite_create("glibc_malloc");
	TCase *tests = tcase_create("heaps");

	tcase_set_timeout(tests, 300);
	tcase_add_test(tests, blocks);
	tcase_add_test(tests, each_byte_is_damaged);
	tcase_add_test(tests, no_heap);
	tcase_add_test(tests, heaps_without_end);
	tcase_add_test(tests, cache_changes);
	tcase_add_test(tests, unused);
	suite_add_tcase(suite, tests);
	return suite;
}
