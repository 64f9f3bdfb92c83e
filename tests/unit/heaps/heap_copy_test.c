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

/* Small pieces are noted in any order. Two pieces are near each other, three
 * overlap, and one is far away. Some are on each side of a piece that is copied
 * already; one of them shares its first bytes. An empty piece, and pieces that
 * cannot be read, are not copied. */
START_TEST(wanted)
{
	struct image_memory *image = calloc(1, sizeof(*image));
	struct heap_copy copy;
	uint64_t got[4];
	addr_t at;

	image_begin(image);
	at = image_room(image, 1000 * 8);
	for (unsigned i = 0; i < 1000; i++)
		image_put(at + 8 * (addr_t)i, i);
	heap_copy_init(&copy, &image->reader);
	for (int round = 0; round < 2; round++) {
		heap_copy_clear(&copy);
		ck_assert_int_eq(heap_copy_add(&copy, at + 1600, 80), 0);
		heap_copy_want(&copy, at + 7200, 16);
		heap_copy_want(&copy, 8, 16);
		heap_copy_want(&copy, at + 1680, 16);
		heap_copy_want(&copy, at + 160, 16);
		heap_copy_want(&copy, at + 1592, 16);
		heap_copy_want(&copy, at, 0);
		heap_copy_want(&copy, at + 80, 16);
		heap_copy_want(&copy, UINT64_MAX - 4, 16);
		heap_copy_want(&copy, at + 4000, 32);
		heap_copy_want(&copy, at + 4008, 16);
		heap_copy_want(&copy, at + 4016, 32);
		heap_copy_want(&copy, at + 1500, 8);
		heap_copy_want(&copy, at + 1400, 8);
		ck_assert_int_eq(heap_copy_wanted(&copy), 0);
		ck_assert_uint_eq(copy.pieces.count, 6);
		ck_assert_uint_eq(copy.bytes, 80 + 96 + 200 + 16 + 48 + 16);
		for (unsigned i = 0; i < 1000; i++)
			image_put(at + 8 * (addr_t)i, 5000 + i);
		ck_assert_int_eq(reader_read(&copy.reader, at + 160, got, 16),
				 0);
		ck_assert_uint_eq(got[1], 21);
		ck_assert_int_eq(reader_read(&copy.reader, at + 4016, got, 32),
				 0);
		ck_assert_uint_eq(got[3], 505);
		ck_assert_int_eq(reader_read(&copy.reader, at + 7208, got, 8),
				 0);
		ck_assert_uint_eq(got[0], 901);
		ck_assert_int_eq(reader_read(&copy.reader, at + 1688, got, 8),
				 0);
		ck_assert_uint_eq(got[0], 211);
		ck_assert_int_eq(reader_read(&copy.reader, at + 1400, got, 8),
				 0);
		ck_assert_uint_eq(got[0], 175);
		ck_assert_int_eq(reader_read(&copy.reader, at + 1592, got, 8),
				 0);
		ck_assert_uint_eq(got[0], 199);
		ck_assert_int_eq(reader_read(&copy.reader, at + 7216, got, 8),
				 0);
		ck_assert_uint_eq(got[0], 5902);
		for (unsigned i = 0; i < 1000; i++)
			image_put(at + 8 * (addr_t)i, i);
	}
	heap_copy_release(&copy);
	free(image);
}
END_TEST

/* More pieces than one read takes, most of which cannot be read; the room of
 * these is used again. */
START_TEST(many_wanted)
{
	struct image_memory *image = calloc(1, sizeof(*image));
	struct heap_copy copy;
	addr_t at;

	image_begin(image);
	at = image_room(image, 4000 * 8);
	heap_copy_init(&copy, &image->reader);
	for (unsigned i = 0; i < 40; i++) {
		image_put(at + 800 * (addr_t)i, i);
		heap_copy_want(&copy, at + 800 * (addr_t)i, 8);
	}
	for (unsigned i = 0; i < 1000; i++)
		heap_copy_want(&copy, 4096 * (addr_t)(i + 1), 8);
	ck_assert_int_eq(heap_copy_wanted(&copy), 0);
	ck_assert_uint_eq(copy.pieces.count, 40);
	ck_assert_uint_eq(copy.used, 40 * 8);
	memset((void *)at, 0, 4000 * 8);
	for (unsigned i = 0; i < 40; i++) {
		uint64_t word;

		ck_assert_int_eq(reader_u64(&copy.reader, at + 800 * (addr_t)i,
					    &word),
				 0);
		ck_assert_uint_eq(word, i);
	}
	heap_copy_want(&copy, at, SIZE_MAX / 2);
	ck_assert_int_eq(heap_copy_wanted(&copy), -EFBIG);
	ck_assert_int_eq(heap_copy_wanted(&copy), 0);
	heap_copy_want(&copy, at + 400000, (UINT64_C(4) << 30) + 1);
	ck_assert_int_eq(heap_copy_wanted(&copy), -EFBIG);
	heap_copy_release(&copy);
	free(image);
}
END_TEST

/* Many pieces one behind the other, in rising and in falling order, before,
 * between and behind pieces that are copied already, and of bytes that these
 * have. They become few. */
START_TEST(neighbours_wanted)
{
	struct image_memory *image = calloc(1, sizeof(*image));
	struct heap_copy copy;
	addr_t at;

	image_begin(image);
	at = image_room(image, 4000 * 8);
	for (unsigned i = 0; i < 4000; i++)
		image_put(at + 8 * (addr_t)i, i);
	heap_copy_init(&copy, &image->reader);
	ck_assert_int_eq(heap_copy_add(&copy, at + 8, 16), 0);
	ck_assert_int_eq(heap_copy_add(&copy, at + 8000, 24), 0);
	ck_assert_int_eq(heap_copy_add(&copy, at + 8024, 8), 0);
	for (unsigned i = 0; i < 2000; i++)
		heap_copy_want(&copy, at + 8 * (addr_t)i, 8);
	for (unsigned i = 4000; i-- > 2000;)
		heap_copy_want(&copy, at + 8 * (addr_t)i, 8);
	ck_assert_int_eq(heap_copy_wanted(&copy), 0);
	ck_assert_uint_eq(copy.pieces.count, 6);
	ck_assert_uint_eq(copy.bytes, 4000 * 8);
	memset((void *)at, 0, 4000 * 8);
	for (unsigned i = 0; i < 4000; i++) {
		uint64_t word;

		ck_assert_int_eq(reader_u64(&copy.reader, at + 8 * (addr_t)i,
					    &word),
				 0);
		ck_assert_uint_eq(word, i);
	}
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
	tcase_add_test(tests, wanted);
	tcase_add_test(tests, many_wanted);
	tcase_add_test(tests, neighbours_wanted);
	suite_add_tcase(suite, tests);
	return suite;
}
