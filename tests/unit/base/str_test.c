/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing text, with numbers in printf's form. */
#include "tests/unit/base/suites.h"

#include "base/attr.h"
#include "base/str.h"
#include "base/xmalloc.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(counts)
{
	struct str str;

	str_init(&str);
	str_add_count(&str, 0, "call, ", "calls, ");
	str_add_count(&str, 1, "call, ", "calls, ");
	str_add_count(&str, 2, "call", "calls");
	ck_assert_str_eq(str_text(&str), "0 calls, 1 call, 2 calls");
	str_release(&str);
}
END_TEST

START_TEST(adding)
{
	struct str str;

	str_init(&str);
	ck_assert_str_eq(str_text(&str), "");
	str_add(&str, "mal");
	str_add_bytes(&str, "location", 3);
	str_add_char(&str, '(');
	str_add_repeated(&str, ' ', 3);
	str_add_repeated(&str, ' ', 0);
	str_addf(&str, "%d)%s", 8, " = nil");
	str_add(&str, "");
	ck_assert_str_eq(str_text(&str), "malloc(   8) = nil");
	ck_assert_uint_eq(str.length, strlen(str.text));
	str_release(&str);
	ck_assert_str_eq(str_text(&str), "");
}
END_TEST

START_TEST(bytes_with_nul)
{
	struct str str;

	str_init(&str);
	str_add_bytes(&str, "a\0b", 3);
	str_add_bytes(&str, NULL, 0);
	ck_assert_uint_eq(str.length, 3);
	ck_assert_mem_eq(str.text, "a\0b", 4);
	str_release(&str);
}
END_TEST

START_TEST(cutting_and_clearing)
{
	struct str str;

	str_init(&str);
	str_clear(&str);
	str_cut(&str, 0);
	str_add(&str, "malloc");
	str_cut(&str, 100);
	ck_assert_str_eq(str_text(&str), "malloc");
	str_cut(&str, 3);
	ck_assert_str_eq(str_text(&str), "mal");
	str_add(&str, "t");
	ck_assert_str_eq(str_text(&str), "malt");
	str_clear(&str);
	ck_assert_str_eq(str_text(&str), "");
	ck_assert_ptr_nonnull(str.text);
	str_release(&str);
}
END_TEST

START_TEST(taking)
{
	struct str str;
	cleanup(freep) char *none = NULL;
	cleanup(freep) char *text = NULL;

	str_init(&str);
	none = str_take(&str);
	ck_assert_str_eq(none, "");
	str_add(&str, "x");
	text = str_take(&str);
	ck_assert_str_eq(text, "x");
	ck_assert_uint_eq(str.length, 0);
	str_add(&str, "y");
	ck_assert_str_eq(str_text(&str), "y");
	str_release(&str);
}
END_TEST

START_TEST(growing)
{
	struct str str;

	str_init(&str);
	for (int i = 0; i < 10000; i++)
		str_add_char(&str, (char)('a' + i % 26));
	ck_assert_uint_eq(str.length, 10000);
	for (int i = 0; i < 10000; i++)
		ck_assert_int_eq(str.text[i], 'a' + i % 26);
	str_clear(&str);
	str_addf(&str, "%20000d", 1);
	ck_assert_uint_eq(str.length, 20000);
	str_release(&str);
}
END_TEST

START_TEST(numbers_as_printf_has_them)
{
	static const long long numbers[] = { 0,	  1,	   9,	      10,
					     -1,  -10,	   LLONG_MAX, LLONG_MIN,
					     255, INT_MIN, 1000000000 };

	for (size_t i = 0; i < array_size(numbers); i++) {
		struct str str;
		char expected[128];

		str_init(&str);
		str_add_signed(&str, numbers[i]);
		str_add_char(&str, ' ');
		str_add_unsigned(&str, (unsigned long long)numbers[i]);
		str_add_char(&str, ' ');
		str_add_hex(&str, (unsigned long long)numbers[i]);
		snprintf(expected, sizeof(expected), "%lld %llu 0x%llx",
			 numbers[i], (unsigned long long)numbers[i],
			 (unsigned long long)numbers[i]);
		ck_assert_str_eq(str_text(&str), expected);
		str_release(&str);
	}
}
END_TEST

Suite *
str_suite(void)
{
	Suite *suite = suite_create("base/str");
	TCase *tests = tcase_create("str");

	tcase_add_test(tests, adding);
	tcase_add_test(tests, counts);
	tcase_add_test(tests, bytes_with_nul);
	tcase_add_test(tests, cutting_and_clearing);
	tcase_add_test(tests, taking);
	tcase_add_test(tests, growing);
	tcase_add_test(tests, numbers_as_printf_has_them);
	suite_add_tcase(suite, tests);
	return suite;
}
