/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A copy of a heap: its pieces come in any order. Reads are within one piece,
 * span two pieces, or ask for memory that was not copied. */
#include "heaps/heap_copy.h"
#include "tests/unit/heaps/suites.h"
#include "tests/unit/stacks/image.h"

#include <stdlib.h>

START_TEST(pieces)
{
	struct image_memory *image = calloc(1, sizeof(*image));
	struct heap_copy copy;
	uint64_t got[2];
	addr_t at;

	image_begin(image);
	at = image_room(image, 100 * 8);
	for (unsigned i = 0; i < 100; i++)
		image_put(at + 8 * (addr_t)i, i);
	heap_copy_init(&copy, &image->reader);
	for (int round = 0; round < 3; round++) {
		heap_copy_clear(&copy);
		ck_assert_int_eq(heap_copy_add(&copy, at + 400, 80), 0);
		ck_assert_int_eq(heap_copy_add(&copy, at + 80, 160), 0);
		ck_assert_int_eq(heap_copy_need(&copy, at + 96, 8), 0);
		ck_assert_uint_eq(copy.pieces.count, 2);
		ck_assert_int_eq(heap_copy_need(&copy, at + 472, 16), 0);
		ck_assert_uint_eq(copy.pieces.count, 3);
		ck_assert_uint_eq(copy.bytes, 256);
		ck_assert_int_eq(heap_copy_add(&copy, 8, 8), -EFAULT);
		/* Bytes that were copied keep their values when the memory
		 * changes. Bytes that were not copied do not. */
		for (unsigned i = 0; i < 100; i++)
			image_put(at + 8 * (addr_t)i, 1000 + i);
		ck_assert_int_eq(reader_read(&copy.reader, at + 80, got, 16),
				 0);
		ck_assert_uint_eq(got[1], 11);
		ck_assert_int_eq(reader_read(&copy.reader, at + 232, got, 8),
				 0);
		ck_assert_uint_eq(got[0], 29);
		ck_assert_int_eq(reader_read(&copy.reader, at + 232, got, 16),
				 0);
		ck_assert_uint_eq(got[0], 1029);
		ck_assert_int_eq(reader_read(&copy.reader, at, got, 8), 0);
		ck_assert_uint_eq(got[0], 1000);
		ck_assert_int_eq(reader_read(&copy.reader, 8, got, 8), -EFAULT);
		for (unsigned i = 0; i < 100; i++)
			image_put(at + 8 * (addr_t)i, i);
	}
	heap_copy_release(&copy);
	free(image);
}
END_TEST

START_TEST(too_large)
{
	struct image_memory *image = calloc(1, sizeof(*image));
	struct heap_copy copy;

	image_begin(image);
	heap_copy_init(&copy, &image->reader);
	ck_assert_int_eq(heap_copy_add(&copy, image_room(image, 8), SIZE_MAX),
			 -EFBIG);
	ck_assert_int_eq(heap_copy_add(&copy, image_room(image, 8),
				       (UINT64_C(4) << 30) + 1),
			 -EFBIG);
	heap_copy_release(&copy);
	free(image);
}
END_TEST

Suite *
heap_copy_suite(void)
{
	Suite *suite = suite_create("heap_copy");
	TCase *tests = tcase_create("copies");

	tcase_add_test(tests, pieces);
	tcase_add_test(tests, too_large);
	suite_add_tcase(suite, tests);
	return suite;
}
