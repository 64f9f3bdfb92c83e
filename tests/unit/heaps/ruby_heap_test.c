/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small heap of Ruby, made by hand: five classes and their names, objects, a
 * string with memory of its own, a free RVALUE. Then each word of it is damaged
 * in turn.
 */
#include "arch/arch.h"
#include "heaps/ruby_class.h"
#include "heaps/census_strings.h"
#include "heaps/ruby_heap.h"
#include "tests/unit/heaps/suites.h"
#include "tests/unit/stacks/image.h"

#include <stdio.h>
#include <stdlib.h>

#define KEY 0x1234
#define CLASS 0x02
#define STRING 0x05
#define INCLUDED 0x1c
#define SINGLETON (1 << 12)
#define FLAG_1 (1 << 13)
#define RVALUE 40
#define PAGE_OBJECTS_MOST 409u

struct ruby_image {
	struct binary binary;
	struct image_memory memory;
	addr_t version, object_variable, code;
	addr_t object, first, own, unnamed, rvalues;
};

static addr_t
symbol(struct binary *binary, const char *name)
{
	const struct ruby_image *image =
		container_of(binary, struct ruby_image, binary);

	if (strcmp(name, "ruby_version") == 0)
		return image->version;
	if (strcmp(name, "rb_cObject") == 0)
		return image->object_variable;
	return strcmp(name, "rb_gc_count") == 0 ? image->code : 0;
}

static addr_t
make_string(struct image_memory *memory, const char *text)
{
	addr_t at = image_room(memory, RVALUE);

	image_put(at, STRING | strlen(text) << 14);
	memcpy((void *)(at + 16), text, strlen(text));
	return at;
}

/* Makes a class. name may be NULL. */
static addr_t
make_class(struct image_memory *memory, uint64_t flags, addr_t super,
	   const char *name)
{
	addr_t at = image_room(memory, RVALUE);
	addr_t extension = image_room(memory, 16);
	addr_t table = image_room(memory, 56);
	addr_t entries = image_room(memory, 48);

	image_put(at, flags);
	image_put(at + 16, super);
	image_put(at + 24, extension);
	image_put(extension + 8, table);
	image_put(table + 40, name ? 2 : 1);
	image_put(table + 48, entries);
	/* Each class has a variable that is not a string. If the class has a
	 * name, another variable has it. */
	image_put(entries + 8, KEY + 16);
	image_put(entries + 16, at);
	if (name) {
		image_put(entries + 24 + 8, KEY);
		image_put(entries + 24 + 16, make_string(memory, name));
	}
	return at;
}

static void
put_rvalue(struct ruby_image *image, unsigned number, uint64_t flags,
	   addr_t class)
{
	image_put(image->rvalues + number * RVALUE, flags);
	image_put(image->rvalues + number * RVALUE + 8, class);
}

/* Marks an RVALUE as found in use by the last collection. */
static void
put_mark(struct ruby_image *image, addr_t page, unsigned number)
{
	addr_t bit = (image->rvalues + number * RVALUE) % 16384 / 40;
	uint64_t *word = (uint64_t *)(page + 120) + bit / 64;

	*word |= UINT64_C(1) << bit % 64;
}

/* Makes the code of rb_gc_count(): four loads and a return. */
static addr_t
make_code(struct image_memory *memory, addr_t got)
{
	static const uint8_t rest[] = { 0x48, 0x8b, 0x00, 0x48, 0x8b, 0x80,
					0x50, 0x04, 0x00, 0x00, 0x48, 0x8b,
					0x80, 0xb8, 0x01, 0x00, 0x00, 0xc3 };
	static const uint8_t load[] = { 0x48, 0x8b, 0x05 };
	addr_t at = image_room(memory, 256);
	int32_t distance = (int32_t)(got - (at + 7));

	memcpy((void *)at, load, sizeof(load));
	memcpy((void *)(at + sizeof(load)), &distance, sizeof(distance));
	memcpy((void *)(at + 7), rest, sizeof(rest));
	return at;
}

static void
make_heap(struct ruby_image *image)
{
	struct image_memory *memory = &image->memory;
	addr_t heap = image_room(memory, 0x1c0), vm = image_room(memory, 0x458);
	addr_t pointer = image_room(memory, 8), got = image_room(memory, 8);
	addr_t pages = image_room(memory, 8), page = image_room(memory, 176);

	image_put(got, pointer);
	image_put(pointer, vm);
	image_put(vm + 0x450, heap);
	image_put(heap + 0x100, pages);
	image_put(heap + 0x108, 1);
	image_put(pages, page);
	image_put(page, RVALUE | 8 << 16);
	image->rvalues = image_room(memory, 8 * RVALUE);
	image_put(page + 32, image->rvalues);
	image_put(heap + 0x1b8, 3);
	put_mark(image, page, 0);
	put_mark(image, page, 6);
	image->code = make_code(memory, got);
}

static void
make_image(struct ruby_image *image)
{
	struct image_memory *memory = &image->memory;
	addr_t included, wide;

	image_begin(memory);
	image->binary = (struct binary){ .symbol = symbol,
					 .label = "ruby",
					 .arch = arch_of_host() };
	image->version = image_room(memory, 8);
	memcpy((void *)image->version, "3.1.2", 6);
	image->object_variable = image_room(memory, 8);
	make_heap(image);
	image->object = make_class(memory, CLASS, 0, "Object");
	image_put(image->object_variable, image->object);
	image->first = make_class(memory, CLASS, image->object, "A::First");
	included = make_class(memory, INCLUDED, image->first, NULL);
	image->own = make_class(memory, CLASS | SINGLETON, included, NULL);
	image->unnamed = make_class(memory, CLASS, image->object, NULL);
	put_rvalue(image, 0, 0x01 | FLAG_1, image->first);
	put_rvalue(image, 1, 0x01, image->own);
	wide = image->rvalues + RVALUE;
	image_put(wide + 16, 5); /* the number of variables */
	put_rvalue(image, 2, STRING | FLAG_1, image->first);
	image_put(image->rvalues + 2 * RVALUE + 32, 1000);
	put_rvalue(image, 3, 0, 0);
	put_rvalue(image, 4, 0x1a, 0x99);
	put_rvalue(image, 5, 0x01 | FLAG_1, image->unnamed);
	put_rvalue(image, 6, 0x0c, 0);
	put_rvalue(image, 7, 0x1e, image->first);
}

START_TEST(classes_and_objects)
{
	struct ruby_image *image = calloc(1, sizeof(*image));
	struct census census;
	struct err err = { "" };
	char name[64];

	make_image(image);
	census_init(&census);
	if (ruby_heap_count(&image->binary, &image->memory.reader, &census,
			    &err) != 0)
		ck_abort_msg("%s", err.text);
	census_sort(&census);
	ck_assert_uint_eq(census.rows.count, 4);
	ck_assert_str_eq(census.rows.at[0]->name, "A::First");
	ck_assert_uint_eq(census.rows.at[0]->count, 3);
	ck_assert_uint_eq(census.rows.at[0]->bytes, 3 * RVALUE + 5 * 8 + 1000);
	snprintf(name, sizeof(name), "#<Class:0x%016lx>",
		 (unsigned long)image->unnamed);
	ck_assert_str_eq(census.rows.at[1]->name, name);
	ck_assert_str_eq(census.rows.at[2]->name, "(T_DATA)");
	ck_assert_str_eq(census.rows.at[3]->name, "(T_IMEMO)");
	ck_assert_uint_eq(census.count, 6);
	ck_assert(census.has_fragmented);
	ck_assert_uint_eq(census.fragmented, 16384 - 6 * RVALUE);
	ck_assert(census.has_survivors);
	ck_assert_uint_eq(census.survived, 2);
	ck_assert_uint_eq(census.rows.at[0]->survived, 1);
	ck_assert_uint_eq(census.rows.at[1]->survived, 0);
	ck_assert_uint_eq(census.rows.at[2]->survived, 1);
	census_release(&census);
	free(image);
}
END_TEST

/* A chain of classes that is a cycle, and what is no class. */
START_TEST(no_classes)
{
	struct ruby_image *image = calloc(1, sizeof(*image));
	struct ruby_classes classes;

	make_image(image);
	ck_assert_int_eq(ruby_classes_init(&classes, &image->memory.reader,
					   image->object),
			 0);
	ck_assert_uint_eq(ruby_class_real(&classes, image->own), image->first);
	ck_assert_uint_eq(ruby_class_real(&classes, 8), 0);
	ck_assert_uint_eq(ruby_class_real(&classes, image->rvalues), 0);
	image_put(image->own + 16, image->own);
	ck_assert_uint_eq(ruby_class_real(&classes, image->own), 0);
	ck_assert_int_eq(ruby_classes_init(&classes, &image->memory.reader,
					   image->first),
			 -EIO);
	free(image);
}
END_TEST

START_TEST(each_word_is_damaged)
{
	static const uint64_t damages[] = { 0, 1, 8, UINT64_MAX,
					    UINT64_C(1) << 40 };
	struct ruby_image *image = calloc(1, sizeof(*image));

	make_image(image);
	for (size_t i = 0; i < image->memory.used * 5; i++) {
		uint64_t *word = &image->memory.words[i / 5], before = *word;
		struct census census;
		struct err err;
		int r;

		*word = damages[i % 5];
		census_init(&census);
		census.strings = census_strings_new(&image->memory.reader);
		r = ruby_heap_count(&image->binary, &image->memory.reader,
				    &census, &err);
		if (r == 0 && census.count > PAGE_OBJECTS_MOST)
			ck_abort_msg("word %zu: %lu objects", i / 5,
				     (unsigned long)census.count);
		if (r != 0 && r != -EIO && r != -ENOTSUP)
			ck_abort_msg("word %zu: %d", i / 5, r);
		census_release(&census);
		*word = before;
	}
	free(image);
}
END_TEST

/* Gives the RVALUE with number 2 a text of its own. Returns where it is. */
static addr_t
put_text(struct ruby_image *image, const char *text)
{
	addr_t at = image->rvalues + 2 * RVALUE;

	image_put(at + 16, strlen(text));
	image_put(at + 24, image_text(&image->memory, text));
	return at;
}

/* The strings of the copy, with the texts that `texts` has. */
static void
count_strings(struct ruby_image *image, struct heap_copy *copy,
	      struct reader *texts, struct census *census)
{
	struct err err = { "" };

	census_init(census);
	census->strings = census_strings_new(texts);
	if (ruby_heap_count(&image->binary, &copy->reader, census, &err) != 0)
		ck_abort_msg("%s", err.text);
}

/* A copy that has the texts gives the strings as they were, whatever becomes of
 * them. */
START_TEST(copied_strings)
{
	struct ruby_image *image = calloc(1, sizeof(*image));
	struct heap_copy copy;
	struct census census;
	struct err err = { "" };
	addr_t at, text;

	make_image(image);
	at = put_text(image, "as it was");
	memcpy(&text, (void *)(at + 24), sizeof(text));
	heap_copy_init(&copy, &image->memory.reader);
	copy.strings = true;
	if (ruby_heap_copy(&image->binary, &copy, &err) != 0)
		ck_abort_msg("%s", err.text);
	memset((void *)text, 'x', 9);
	memset((void *)at, 0, RVALUE);
	count_strings(image, &copy, &copy.reader, &census);
	ck_assert_uint_eq(census.strings->changed, 0);
	ck_assert_uint_eq(census.strings->list.count, 1);
	ck_assert_uint_eq(census.strings->list.at[0]->length, 9);
	ck_assert_mem_eq(census.strings->list.at[0]->text, "as it was", 9);
	census_release(&census);
	heap_copy_release(&copy);
	free(image);
}
END_TEST

/* The text is read from memory in which the program runs. A collection only
 * changes flags; a string that is made longer has changed. */
START_TEST(changed_strings)
{
	static const struct {
		const char *change;
		unsigned word;
		uint64_t bits, changed;
	} rows[] = {
		{ "nothing", 0, 0, 0 },
		{ "the age", 0, 3 << 5, 0 },
		{ "frozen", 0, 1 << 11, 0 },
		{ "freed", 0, STRING, 1 },
		{ "an array", 0, 2, 1 },
		{ "embedded", 0, FLAG_1, 1 },
		{ "the class", 1, 8, 1 },
		{ "the length", 2, 1, 1 },
		{ "the place of the text", 3, 8, 1 },
		{ "the room", 4, 1, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ruby_image *image = calloc(1, sizeof(*image));
		struct heap_copy copy;
		struct census census;
		struct err err = { "" };
		uint64_t *word;
		addr_t at;

		make_image(image);
		at = put_text(image, "some text") + 8 * (addr_t)rows[i].word;
		heap_copy_init(&copy, &image->memory.reader);
		if (ruby_heap_copy(&image->binary, &copy, &err) != 0)
			ck_abort_msg("%s", err.text);
		word = (uint64_t *)at;
		*word ^= rows[i].bits;
		count_strings(image, &copy, &image->memory.reader, &census);
		if (census.strings->changed != rows[i].changed ||
		    census.strings->count != 1 - rows[i].changed)
			ck_abort_msg("%s: %lu changed", rows[i].change,
				     (unsigned long)census.strings->changed);
		census_release(&census);
		heap_copy_release(&copy);
		free(image);
	}
}
END_TEST

START_TEST(other_versions)
{
	struct ruby_image *image = calloc(1, sizeof(*image));
	struct census census;
	struct err err;

	make_image(image);
	memcpy((void *)image->version, "3.3.0", 6);
	census_init(&census);
	ck_assert_int_eq(ruby_heap_count(&image->binary, &image->memory.reader,
					 &census, &err),
			 -ENOTSUP);
	ck_assert_str_eq(err.text, "ruby: the heap of Ruby 3.3.0 is not known "
				   "to xtrace, only that of 3.1");
	image->version = 0;
	ck_assert_int_eq(ruby_heap_count(&image->binary, &image->memory.reader,
					 &census, &err),
			 -ENOENT);
	census_release(&census);
	free(image);
}
END_TEST

Suite *
ruby_heap_suite(void)
{
	Suite *suite = suite_create("ruby_heap");
	TCase *tests = tcase_create("heaps");

	tcase_add_test(tests, classes_and_objects);
	tcase_add_test(tests, no_classes);
	tcase_add_test(tests, each_word_is_damaged);
	tcase_add_test(tests, copied_strings);
	tcase_add_test(tests, changed_strings);
	tcase_add_test(tests, other_versions);
	suite_add_tcase(suite, tests);
	return suite;
}
