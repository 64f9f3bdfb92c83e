/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects of Python and the blocks that are their parts. */
#include "heaps/python_parts.h"
#include "base/attr.h"
#include "tests/unit/heaps/rows.h"
#include "tests/unit/heaps/suites.h"

#include <string.h>

#define SET 0x10000
#define FROZENSET 0x10010
#define BYTEARRAY 0x10020
#define LIST (UINT64_C(1) << 25)
#define DICT (UINT64_C(1) << 29)
#define AT 0x7f0000001000
#define OBJECT_WORDS 10
#define TEXT (UINT64_C(1) << 28)

static addr_t
symbol(struct binary *of, const char *name)
{
	(void)of;
	if (strcmp(name, "PySet_Type") == 0)
		return SET;
	if (strcmp(name, "PyFrozenSet_Type") == 0)
		return FROZENSET;
	return strcmp(name, "PyByteArray_Type") == 0 ? BYTEARRAY : 0;
}

/* An object, a block without an object at AT, and whether it is a part of the
 * object. */
static const struct row {
	const char *what;
	uint64_t flags;
	addr_t base;
	uint64_t words[OBJECT_WORDS];
	unsigned size; /* of the block */
	bool given;
} rows[] = {
	{ "a list", LIST, 0, { 1, 2, 3, AT, 4 }, 32, true },
	{ "a list with an odd room", LIST, 0, { 1, 2, 3, AT, 3 }, 32, true },
	{ "a list whose room is another one",
	  LIST,
	  0,
	  { 1, 2, 3, AT, 8 },
	  32,
	  false },
	{ "an empty list", LIST, 0, { 1, 2, 0, 0, 0 }, 32, false },
	{ "a long list", LIST, 0, { 1, 2, 3, AT, 65 }, 512, false },
	{ "a list of 2^61",
	  LIST,
	  0,
	  { 1, 2, 3, AT, UINT64_C(1) << 61 },
	  32,
	  false },
	{ "items within a block", LIST, 0, { 1, 2, 3, AT + 8, 4 }, 32, false },
	{ "a dict", DICT, 0, { 1, 2, 3, 4, AT, 0 }, 160, true },
	{ "a dict with the keys of a class",
	  DICT,
	  0,
	  { 1, 2, 3, 4, AT, 8 },
	  160,
	  false },
	{ "a dict with values",
	  DICT,
	  0,
	  { 1, 2, 3, 4, 8, AT + 16 },
	  160,
	  true },
	{ "values at the beginning",
	  DICT,
	  0,
	  { 1, 2, 3, 4, 8, AT },
	  160,
	  false },
	{ "values too far behind it",
	  DICT,
	  0,
	  { 1, 2, 3, 4, 8, AT + 40 },
	  160,
	  false },
	{ "values between two words",
	  DICT,
	  0,
	  { 1, 2, 3, 4, 8, AT + 4 },
	  160,
	  false },
	{ "values behind the block",
	  DICT,
	  0,
	  { 1, 2, 3, 4, 8, AT + 16 },
	  16,
	  false },
	{ "a set", 0, SET, { 1, 2, 3, 4, 31, AT }, 512, true },
	{ "a frozenset", 0, FROZENSET, { 1, 2, 3, 4, 7, AT }, 128, true },
	{ "a set of another size", 0, SET, { 1, 2, 3, 4, 15, AT }, 512, false },
	{ "a set without a size",
	  0,
	  SET,
	  { 1, 2, 3, 4, UINT64_MAX, AT },
	  512,
	  false },
	{ "no set", 0, 0, { 1, 2, 3, 4, 31, AT }, 512, false },
	{ "a bytearray", 0, BYTEARRAY, { 1, 2, 3, 101, AT, AT }, 112, true },
	{ "a shorter bytearray",
	  0,
	  BYTEARRAY,
	  { 1, 2, 3, 90, AT, AT },
	  112,
	  false },
	{ "a text", TEXT, 0, { 1, 2, 7, 4, 2 << 2, 6, 7, 8, 9, AT }, 16, true },
	{ "a compact text",
	  TEXT,
	  0,
	  { 1, 2, 7, 4, 2 << 2 | 1 << 5, 6, 7, 8, 9, AT },
	  16,
	  false },
	{ "a text of no characters",
	  TEXT,
	  0,
	  { 1, 2, 7, 4, 0, 6, 7, 8, 9, AT },
	  16,
	  false },
};

static void
check(const struct row *row, unsigned objects, bool given)
{
	struct binary binary = { .symbol = symbol };
	struct python_kind kind = { .flags = row->flags };
	struct python_parts parts;
	struct census_row *all;
	struct census census;

	census_init(&census);
	all = census_add(&census, 1, "(parts)");
	kind.row = census_add(&census, 2, "Kind");
	python_parts_init(&parts, &binary);
	python_parts_base(&parts, row->base, &kind);
	python_parts_base(&parts, 0x20000, &kind);
	census_count(&census, all, 2, row->size + 48);
	python_parts_add_block(&parts, AT + 4096, 48);
	for (unsigned i = 0; i < objects; i++) {
		census_count(&census, kind.row, 1, 64);
		python_parts_claim(&parts, &kind, (const uint8_t *)row->words,
				   sizeof(row->words), NULL);
	}
	python_parts_add_block(&parts, AT, row->size);
	python_parts_give(&parts, &census, all);
	ck_assert_msg(census.parts == given, "%s", row->what);
	check_row(&census, "(parts)", 2 - given, 48 + (given ? 0 : row->size));
	check_row(&census, "Kind", objects,
		  64 * objects + (given ? row->size : 0));
	ck_assert_uint_eq(census.count, 2 - given + objects);
	ck_assert_uint_eq(census.bytes, row->size + 48 + 64 * objects);
	python_parts_release(&parts);
	census_release(&census);
}

START_TEST(parts_of_objects)
{
	check(&rows[_i], 1, rows[_i].given);
}
END_TEST

/* A block is given away once. */
START_TEST(claimed_twice)
{
	check(&rows[0], 3, true);
}
END_TEST

/* The attributes of an object. */
START_TEST(attributes)
{
	struct binary binary = { .symbol = symbol };
	uint64_t words[OBJECT_WORDS] = { 1, 2 };
	uint64_t header[] = { AT + 4096 + 24, 0 };
	struct python_kind kind = { 0 };
	struct python_parts parts;
	struct census_row *all;
	struct census census;

	census_init(&census);
	all = census_add(&census, 1, "(parts)");
	kind.row = census_add(&census, 2, "Kind");
	python_parts_init(&parts, &binary);
	for (unsigned i = 0; i < 3; i++)
		python_parts_add_block(&parts, AT + 4096 * (addr_t)i, 96);
	census_count(&census, all, 3, 3 * 96);
	census_count(&census, kind.row, 1, 48);
	python_parts_claim(&parts, &kind, (const uint8_t *)words, 16,
			   (const uint8_t *)header);
	python_parts_give(&parts, &census, all);
	check_row(&census, "Kind", 1, 48 + 96);
	check_row(&census, "(parts)", 2, 2 * 96);
	ck_assert_uint_eq(census.parts, 1);
	python_parts_release(&parts);
	census_release(&census);
}
END_TEST

Suite *
python_parts_suite(void)
{
	Suite *suite = suite_create("python_parts");
	TCase *tests = tcase_create("parts");

	tcase_add_loop_test(tests, parts_of_objects, 0, (int)array_size(rows));
	tcase_add_test(tests, claimed_twice);
	tcase_add_test(tests, attributes);
	suite_add_tcase(suite, tests);
	return suite;
}
