/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Long strings of Python to which the words of a block refer, or a long list,
 * dict, set or tuple. Then each word is damaged in turn.
 */
#include "heaps/python_text.h"
#include "tests/unit/heaps/suites.h"
#include "tests/unit/stacks/image.h"

#include <stdlib.h>

#define TEXT_TYPE 0x10000
#define TUPLE_TYPE 0x10010
#define SET_TYPE 0x10020
#define OTHER_TYPE 0x10040
#define FLOAT_TYPE 0x10030
#define GC (UINT64_C(1) << 14)
#define INT (UINT64_C(1) << 24)
#define LIST (UINT64_C(1) << 25)
#define BYTES (UINT64_C(1) << 27)
#define DICT (UINT64_C(1) << 29)
#define ITEMS 70u

static struct image_memory memory;
static struct binary binary;

static addr_t
symbol(struct binary *of, const char *name)
{
	(void)of;
	if (strcmp(name, "PyUnicode_Type") == 0)
		return TEXT_TYPE;
	if (strcmp(name, "PyTuple_Type") == 0)
		return TUPLE_TYPE;
	if (strcmp(name, "PyFloat_Type") == 0)
		return FLOAT_TYPE;
	return strcmp(name, "PySet_Type") == 0 ? SET_TYPE : 0;
}

static addr_t
room(size_t bytes)
{
	addr_t at = image_room(&memory, (bytes + 15) / 16 * 16);

	ck_assert_uint_eq(at % 16, 0);
	return at;
}

/* A str of ASCII, or of characters of 4 bytes. */
static addr_t
text(char letter, uint64_t length, bool wide)
{
	addr_t at = room(wide ? 72 + 4 * (length + 1) : 48 + length + 1);

	image_put(at, 1);
	image_put(at + 8, TEXT_TYPE);
	image_put(at + 16, length);
	image_put(at + 32, wide ? 0xb0 : 0xe4);
	for (uint64_t i = 0; i < length; i++)
		((char *)at)[wide ? 72 + 4 * i : 48 + i] = letter;
	return at;
}

/* The block of a pool, with an object. */
static void
look(struct python_texts *texts, const uint64_t *words, size_t count,
     uint64_t flags)
{
	const uint8_t *block = (const uint8_t *)words;

	python_texts_look(texts, block, (unsigned)count * 8, block, flags);
}

static void
begin(struct python_texts *texts, struct census_strings *strings)
{
	binary = (struct binary){ .symbol = symbol };
	python_texts_init(texts, &binary, &memory.reader, strings);
}

static void
check(const struct census_strings *strings, char letter, uint64_t count,
      uint64_t length, uint64_t bytes)
{
	for (size_t i = 0; i < strings->list.count; i++) {
		const struct census_string *string = strings->list.at[i];

		if (string->text[0] != letter)
			continue;
		ck_assert_uint_eq(string->count, count);
		ck_assert_uint_eq(string->length, length);
		ck_assert_uint_eq(string->bytes, bytes);
		ck_assert(string->cut);
		return;
	}
	ck_abort_msg("no string of %c", letter);
}

/* The blocks refer to a str twice; to a list, a dict, a set and a tuple. */
static uint64_t block[4], list[4], dict[6], set[6];

static void
make(void)
{
	addr_t items, keys, table, tuple;

	image_begin(&memory);
	if ((addr_t)memory.words % 16 != 0)
		image_room(&memory, 8);
	block[0] = text('a', 500, false);
	block[1] = block[0];
	block[2] = text('b', 200, true);
	tuple = room(24 + ITEMS * 8);
	image_put(tuple, 1);
	image_put(tuple + 8, TUPLE_TYPE);
	image_put(tuple + 16, ITEMS);
	image_put(tuple + 24 + 8 * (ITEMS - 1), text('t', 600, false));
	block[3] = tuple;
	items = room(ITEMS * 8);
	image_put(items + 8 * (ITEMS - 1), text('l', 700, false));
	image_put(items, text('s', 100, false)); /* this one fits into a pool */
	memcpy(list, (uint64_t[]){ 1, OTHER_TYPE, ITEMS, items }, 32);
	keys = room(32 + 128 + ITEMS * 16);
	image_put(keys + 8, 7 | 7 << 8 | 1 << 16);
	image_put(keys + 24, ITEMS);
	image_put(keys + 160, text('k', 800, false));
	image_put(keys + 160 + 16 * (ITEMS - 1) + 8, text('v', 900, false));
	memcpy(dict, (uint64_t[]){ 1, OTHER_TYPE, ITEMS, 0, keys, 0 }, 48);
	table = room(128 * 16);
	image_put(table + 127 * 16, text('e', 1000, false));
	memcpy(set, (uint64_t[]){ 1, SET_TYPE, 1, 1, 127, table }, 48);
}

static struct census_strings *
find(void)
{
	struct census_strings *strings = census_strings_new(&memory.reader);
	struct python_texts texts;

	begin(&texts, strings);
	look(&texts, block, 4, 0);
	look(&texts, list, 4, LIST);
	look(&texts, dict, 6, DICT);
	look(&texts, set, 6, 0);
	python_texts_release(&texts);
	return strings;
}

START_TEST(long_strings)
{
	struct census_strings *strings;

	make();
	strings = find();
	check(strings, 'a', 1, 500, 549);
	check(strings, 'b', 1, 200, 72 + 804);
	check(strings, 't', 1, 600, 649);
	check(strings, 'l', 1, 700, 749);
	check(strings, 'k', 1, 800, 849);
	check(strings, 'v', 1, 900, 949);
	check(strings, 'e', 1, 1000, 1049);
	ck_assert_uint_eq(strings->count, 7);
	census_strings_free(strings);
}
END_TEST

/* What is in an arena is counted with its pool. */
START_TEST(in_arenas)
{
	struct census_strings *strings;
	struct python_texts texts;

	make();
	strings = census_strings_new(&memory.reader);
	begin(&texts, strings);
	python_texts_arena(&texts, block[2], block[2] + 1);
	python_texts_arena(&texts, block[0], block[0] + 1);
	look(&texts, block, 3, 0);
	ck_assert_uint_eq(strings->count, 0);
	python_texts_release(&texts);
	census_strings_free(strings);
}
END_TEST

/* The words of a number or of bytes are no references, unless a class of
 * Python's has attributes, too. */
START_TEST(plain_objects)
{
	static const struct {
		addr_t type;
		uint64_t flags, found;
	} rows[] = { { OTHER_TYPE, INT, 0 }, { OTHER_TYPE, BYTES, 0 },
		     { FLOAT_TYPE, 0, 0 },   { OTHER_TYPE, INT | GC, 1 },
		     { FLOAT_TYPE, GC, 1 },  { OTHER_TYPE, 0, 1 } };

	for (size_t i = 0; i < array_size(rows); i++) {
		struct census_strings *strings;
		struct python_texts texts;
		uint64_t object[4] = { 1, rows[i].type, 1 };

		make();
		object[3] = block[0];
		strings = census_strings_new(&memory.reader);
		begin(&texts, strings);
		look(&texts, object, 4, rows[i].flags);
		ck_assert_uint_eq(strings->count, rows[i].found);
		python_texts_release(&texts);
		census_strings_free(strings);
	}
}
END_TEST

/* A freed str, a str without an end, and an object of another type. */
START_TEST(no_strings)
{
	static const struct {
		unsigned at;
		uint64_t word;
	} damages[] = { { 0, 0 },	 { 8, OTHER_TYPE },  { 16, 499 },
			{ 16, 9000000 }, { 16, UINT64_MAX }, { 32, 0xc4 },
			{ 32, 0xec } };

	for (size_t i = 0; i < array_size(damages); i++) {
		struct census_strings *strings;

		make();
		image_put(block[0] + damages[i].at, damages[i].word);
		strings = find();
		ck_assert_uint_eq(strings->count, 6);
		census_strings_free(strings);
	}
}
END_TEST

START_TEST(each_word_is_damaged)
{
	static const uint64_t damages[] = { 0, 1, UINT64_MAX,
					    UINT64_C(1) << 27 };

	make();
	for (size_t i = 0; i < memory.used * (array_size(damages) + 1); i++) {
		size_t way = i % (array_size(damages) + 1);
		uint64_t *word = &memory.words[i / (array_size(damages) + 1)];
		uint64_t before = *word;
		struct census_strings *strings;

		*word = way < array_size(damages) ? damages[way]
						  : (addr_t)memory.words;
		strings = find();
		/* There are no more strings than before: a damaged reference
		 * may lead to one that nothing else refers to. */
		ck_assert_uint_le(strings->count, 8);
		census_strings_free(strings);
		*word = before;
	}
}
END_TEST

Suite *
python_text_suite(void)
{
	Suite *suite = suite_create("python_text");
	TCase *tests = tcase_create("heaps");

	tcase_set_timeout(tests, 300);
	tcase_add_test(tests, long_strings);
	tcase_add_test(tests, in_arenas);
	tcase_add_test(tests, plain_objects);
	tcase_add_test(tests, no_strings);
	tcase_add_test(tests, each_word_is_damaged);
	suite_add_tcase(suite, tests);
	return suite;
}
