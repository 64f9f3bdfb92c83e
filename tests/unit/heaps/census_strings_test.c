/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which strings count as one content, and the two orders of contents. */
#include "heaps/census_strings.h"
#include "tests/unit/heaps/suites.h"

#include <string.h>

static struct census_strings *strings;

static void
add(const char *text, uint64_t length, unsigned times)
{
	const struct census_text given =
		census_text_of((const uint8_t *)text, length);

	for (unsigned i = 0; i < times; i++)
		census_strings_add(strings, &given, 40);
}

static void
expect(size_t at, const char *begin, uint64_t length, uint64_t count)
{
	const struct census_string *string = strings->list.at[at];

	ck_assert_uint_eq(string->length, length);
	ck_assert_uint_eq(string->count, count);
	ck_assert_uint_eq(string->bytes, 40 * count);
	ck_assert(string->cut == (length > CENSUS_STRING_SHOWN));
	ck_assert_int_eq(memcmp(string->text, begin, strlen(begin)), 0);
}

START_TEST(contents)
{
	char long_one[70], long_other[70];

	memset(long_one, 'l', sizeof(long_one));
	memcpy(long_other, long_one, sizeof(long_other));
	/* Only the first 64 bytes are compared. */
	long_other[65] = 'x';
	strings = census_strings_new(NULL);
	add("b", 1, 3);
	add("a", 1, 3);
	add("a\0", 2, 1);
	add("", 0, 7);
	add(long_one, 70, 1);
	add(long_other, 70, 1);
	add(long_one, 69, 1);
	add(long_one, 64, 1);
	ck_assert_uint_eq(strings->count, 18);
	ck_assert_uint_eq(strings->list.count, 7);
	census_strings_by_count(strings);
	expect(0, "", 0, 7);
	expect(1, "a", 1, 3);
	expect(2, "b", 1, 3);
	expect(3, "lll", 70, 2);
	census_strings_by_length(strings);
	expect(0, "lll", 70, 2);
	expect(1, "lll", 69, 1);
	expect(2, "lll", 64, 1);
	expect(3, "a", 2, 1);
	expect(6, "", 0, 7);
	census_strings_free(strings);
}
END_TEST

/* The memory for contents is limited. Strings with a further content are only
 * counted. */
START_TEST(too_many_contents)
{
	strings = census_strings_new(NULL);
	for (uint32_t i = 0; i < 1000005; i++) {
		const struct census_text text =
			census_text_of((const uint8_t *)&i, sizeof(i));

		census_strings_add(strings, &text, 1);
	}
	ck_assert_uint_eq(strings->count, 1000005);
	ck_assert_uint_eq(strings->list.count, 1000000);
	ck_assert_uint_eq(strings->left_out, 5);
	census_strings_free(strings);
}
END_TEST

Suite *
census_strings_suite(void)
{
	Suite *suite = suite_create("census_strings");
	TCase *tests = tcase_create("census_strings");

	tcase_set_timeout(tests, 20);
	tcase_add_test(tests, contents);
	tcase_add_test(tests, too_many_contents);
	suite_add_tcase(suite, tests);
	return suite;
}
