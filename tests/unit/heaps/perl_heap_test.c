/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small heap of Perl, made by hand: two arenas of heads and one of bodies, a
 * package and its objects, scalars, an array and a hash. Then each of its words
 * is damaged in turn.
 */
#include "heaps/census_strings.h"
#include "heaps/perl_heap.h"
#include "tests/unit/heaps/rows.h"
#include "tests/unit/heaps/suites.h"
#include "tests/unit/stacks/image.h"

#include <stdlib.h>

#define HEAD 24
#define HEADS 10u
#define OBJECT 0x100000u
#define OFFSET 0x2000000u
#define SHARED 0x10000000u
#define REFERENCE 0x800u

struct perl_image {
	struct binary binary;
	struct image_memory memory;
	addr_t version, key, variable, interpreter;
	addr_t arenas[2], bodies;
	unsigned used; /* the number of heads */
};

static addr_t
symbol(struct binary *binary, const char *name)
{
	const struct perl_image *image =
		container_of(binary, struct perl_image, binary);

	if (strcmp(name, "PL_version") == 0)
		return image->version;
	if (strcmp(name, "PL_thr_key") == 0)
		return image->key;
	if (strcmp(name, "PL_curinterp") == 0)
		return image->variable;
	return strcmp(name, "Perl_runops_standard") == 0 ? 0x1000 : 0;
}

static void
put_head(struct perl_image *image, addr_t body, uint32_t flags, addr_t union_)
{
	addr_t at = image->arenas[image->used % 2] +
		    HEAD * (addr_t)(1 + image->used / 2);

	image->used++;
	image_put(at, body);
	image_put(at + 8, 1 | (uint64_t)flags << 32);
	image_put(at + 16, union_);
}

static addr_t
make_body(struct perl_image *image, uint64_t package, uint64_t word_16,
	  uint64_t word_24, uint64_t word_32)
{
	addr_t at = image->bodies;

	image->bodies += 48;
	image_put(at, package);
	image_put(at + 16, word_16);
	image_put(at + 24, word_24);
	image_put(at + 32, word_32);
	return at;
}

static void
make_arenas(struct perl_image *image)
{
	struct image_memory *memory = &image->memory;
	addr_t set = image_room(memory, 4080);

	for (unsigned i = 0; i < 2; i++) {
		image->arenas[i] = image_room(memory, HEADS * HEAD);
		image_put(image->arenas[i], i == 0 ? 0 : image->arenas[0]);
		image_put(image->arenas[i] + 8, HEADS);
		for (unsigned k = 1; k < HEADS; k++)
			image_put(image->arenas[i] + HEAD * (addr_t)k + 8,
				  UINT64_C(0xff) << 32);
	}
	image->bodies = image_room(memory, 48 * 10);
	image_put(set + 8, 169 | UINT64_C(1) << 32);
	image_put(set + 16, image->bodies);
	image_put(set + 24, 480);
	image_put(image->interpreter + 256, image->arenas[1]);
	image_put(image->interpreter + 2584, set);
}

static void
make_image(struct perl_image *image)
{
	struct image_memory *memory = &image->memory;
	addr_t package, name, body;

	memset(image, 0, sizeof(*image));
	image_begin(memory);
	image->binary = (struct binary){ .symbol = symbol, .label = "perl" };
	image->version = image_room(memory, 8);
	image_put(image->version, 36);
	image->key = image_room(memory, 8);
	image->variable = image_room(memory, 8);
	image->interpreter = image_room(memory, 2736);
	image_put(image->variable, image->interpreter);
	make_arenas(image);
	package = image_room(memory, HEAD);
	body = image_room(memory, 88);
	name = image_room(memory, 32);
	image_put(name, UINT64_C(3) << 32);
	memcpy((void *)(name + 8), "Foo", 4);
	image_put(body + 24, 7);
	image_put(body + 32, name);
	image_put(package, body);
	image_put(package + 8, (uint64_t)(12 | OFFSET) << 32);
	/* Two objects, a number, a reference, two strings that share their
	 * text, one that has its own, an array and a hash. */
	put_head(image, make_body(image, package, 2, 7, 0), 12 | OBJECT, 8);
	put_head(image, make_body(image, package, 0, 3, 64), 11 | OBJECT, 8);
	put_head(image, 0, 1, 42);
	put_head(image, 0, 1 | REFERENCE, 64);
	put_head(image, make_body(image, 0, 5, 16, 0), 3 | SHARED, 64);
	put_head(image, make_body(image, 0, 5, 16, 0), 3 | SHARED, 64);
	put_head(image, make_body(image, 0, 5, 100, 0), 7, 128);
	put_head(image, make_body(image, 0, 0, 9, 64), 11, 64);
	put_head(image, make_body(image, 0, 3, 7, 0), 12, 64);
	image_put(image->interpreter + 240, 9);
}

static int
count(struct perl_image *image, struct census *census, struct err *err)
{
	struct heap_copy copy;
	int r;

	heap_copy_init(&copy, &image->memory.reader);
	r = perl_heap_copy(&image->binary, &copy, err);
	if (r == 0)
		r = perl_heap_count(&image->binary, &copy.reader, census, err);
	heap_copy_release(&copy);
	return r;
}

START_TEST(values)
{
	struct perl_image *image = calloc(1, sizeof(*image));
	struct census census;
	struct err err = { "" };

	make_image(image);
	census_init(&census);
	if (count(image, &census, &err) != 0)
		ck_abort_msg("%s", err.text);
	ck_assert_uint_eq(census.rows.count, 5);
	check_row(&census, "Foo", 2,
		  HEAD + 32 + 8 * 8 + 2 * 24 + HEAD + 40 + 4 * 8);
	check_row(&census, "(SCALAR)", 4,
		  HEAD + 2 * (HEAD + 16) + 16 + HEAD + 48 + 100);
	check_row(&census, "(REF)", 1, HEAD);
	check_row(&census, "(ARRAY)", 1, HEAD + 40 + 10 * 8);
	check_row(&census, "(HASH)", 1, HEAD + 32 + 8 * 8 + 3 * 24);
	ck_assert_uint_eq(census.count, 9);
	/* Nine of 20 heads are in use, and 224 of 480 bytes of bodies. */
	ck_assert(census.has_fragmented);
	ck_assert_uint_eq(census.fragmented, 11 * HEAD + 480 - 224);
	ck_assert_str_eq(census.not_counted, "");
	census_release(&census);
	free(image);
}
END_TEST

START_TEST(each_word_is_damaged)
{
	static const uint64_t damages[] = { 0, 1, 0xff, UINT64_MAX,
					    UINT64_C(1) << 40 };
	struct perl_image *image = calloc(1, sizeof(*image));

	make_image(image);
	for (size_t i = 0; i < image->memory.used * 13; i++) {
		uint64_t *word = &image->memory.words[i / 13], before = *word;
		struct census census;
		struct err err;
		int r;

		*word = i % 13 < 5
				? damages[i % 13]
				: before ^ UINT64_C(0xff) << 8 * (i % 13 - 5);
		census_init(&census);
		census.strings = census_strings_new(&image->memory.reader);
		r = count(image, &census, &err);
		if (r == 0 && census.count > image->memory.used)
			ck_abort_msg("word %zu: %lu values", i / 13,
				     (unsigned long)census.count);
		if (r != 0 && r != -EIO && r != -EAGAIN && r != -ENOTSUP &&
		    r != -EFBIG)
			ck_abort_msg("word %zu: %d", i / 13, r);
		census_release(&census);
		*word = before;
	}
	free(image);
}
END_TEST

/* A list of arenas that is a cycle; a number of values that was not found; a
 * hook of the module `threads`. */
START_TEST(no_heap)
{
	struct perl_image *image = calloc(1, sizeof(*image));
	struct census census;
	struct err err;

	make_image(image);
	census_init(&census);
	image_put(image->arenas[0], image->arenas[1]);
	ck_assert_int_eq(count(image, &census, &err), -EAGAIN);
	ck_assert_str_eq(err.text, "perl: the heap of Perl makes no sense");
	image_put(image->arenas[0], 0);
	image_put(image->interpreter + 240, 1000000);
	ck_assert_int_eq(count(image, &census, &err), -EIO);
	image_put(image->interpreter + 240, 9);
	image_put(image->interpreter + 2728, 0x4000);
	ck_assert_int_eq(count(image, &census, &err), 0);
	ck_assert_str_eq(census.not_counted,
			 "the values of other threads of Perl");
	census_release(&census);
	free(image);
}
END_TEST

START_TEST(other_versions)
{
	struct perl_image *image = calloc(1, sizeof(*image));
	struct census census;
	struct err err;

	make_image(image);
	census_init(&census);
	image_put(image->version, 40);
	ck_assert_int_eq(count(image, &census, &err), -ENOTSUP);
	ck_assert_str_eq(err.text, "perl: the heap of Perl 5.40 is not known "
				   "to xtrace, only that of 5.36");
	image_put(image->version, 36);
	image->key = 0;
	ck_assert_int_eq(count(image, &census, &err), -ENOTSUP);
	ck_assert_str_eq(err.text, "perl: the heap of Perl that is made "
				   "without threads is not known to xtrace");
	image->version = 1; /* an address at which nothing is mapped */
	ck_assert_int_eq(count(image, &census, &err), -EIO);
	ck_assert_str_eq(err.text, "perl: the heap of Perl is not found");
	image->version = 0;
	ck_assert_int_eq(count(image, &census, &err), -ENOENT);
	census_release(&census);
	free(image);
}
END_TEST

Suite *
perl_heap_suite(void)
{
	Suite *suite = suite_create("perl_heap");
	TCase *tests = tcase_create("heaps");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, values);
	tcase_add_test(tests, each_word_is_damaged);
	tcase_add_test(tests, no_heap);
	tcase_add_test(tests, other_versions);
	suite_add_tcase(suite, tests);
	return suite;
}
