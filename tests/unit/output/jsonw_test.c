/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON byte for byte, and text that is not UTF-8. */
#include "suites.h"

#include "output/jsonw.h"
#include "reader.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct str text;
static struct jsonw json;

static void
begin(void)
{
	str_init(&text);
	jsonw_init(&json, &text);
}

static void
expect(const char *expected)
{
	ck_assert_str_eq(str_text(&text), expected);
	str_release(&text);
}

START_TEST(commas_fall_where_they_should)
{
	begin();
	jsonw_open(&json, '{');
	jsonw_key(&json, "a");
	jsonw_unsigned(&json, 1);
	jsonw_key(&json, "b");
	jsonw_open(&json, '[');
	jsonw_open(&json, '{');
	jsonw_close(&json, '}');
	jsonw_null(&json);
	jsonw_open(&json, '[');
	jsonw_close(&json, ']');
	jsonw_bool(&json, true);
	jsonw_close(&json, ']');
	jsonw_key(&json, "c");
	jsonw_bool(&json, false);
	jsonw_close(&json, '}');
	expect("{\"a\":1,\"b\":[{},null,[],true],\"c\":false}");
}
END_TEST

START_TEST(integers_are_exact)
{
	begin();
	jsonw_open(&json, '[');
	jsonw_unsigned(&json, UINT64_MAX);
	jsonw_signed(&json, INT64_MIN);
	jsonw_signed(&json, -1);
	jsonw_close(&json, ']');
	expect("[18446744073709551615,-9223372036854775808,-1]");
}
END_TEST

START_TEST(doubles_are_short_and_read_back)
{
	begin();
	jsonw_open(&json, '[');
	jsonw_double(&json, 0.1);
	jsonw_double(&json, 1.0 / 3);
	jsonw_double(&json, DBL_MAX);
	jsonw_double(&json, 5e-324);
	jsonw_double(&json, -0.0);
	jsonw_double(&json, NAN);
	jsonw_double(&json, INFINITY);
	jsonw_double(&json, -INFINITY);
	jsonw_close(&json, ']');
	expect("[0.1,0.3333333333333333,1.7976931348623157e+308,"
	       "4.94065645841247e-324,-0,\"NaN\",\"Infinity\",\"-Infinity\"]");
}
END_TEST

static void
expect_text(const char *bytes, size_t length, const char *expected)
{
	begin();
	jsonw_text(&json, bytes, length);
	expect(expected);
}

#define EXPECT_TEXT(bytes, expected) \
	expect_text(bytes, sizeof(bytes) - 1, expected)

START_TEST(strings_are_escaped)
{
	EXPECT_TEXT("", "\"\"");
	EXPECT_TEXT("plain", "\"plain\"");
	EXPECT_TEXT("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
	EXPECT_TEXT("\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"");
	EXPECT_TEXT("\0\x1f\x7f", "\"\\u0000\\u001f\\u007f\"");
	EXPECT_TEXT("\xc2\x9b\xe2\x80\xae\xef\xbb\xbf",
		    "\"\\u009b\\u202e\\ufeff\"");
	EXPECT_TEXT("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x98",
		    "\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x98\"");
}
END_TEST

START_TEST(bytes_lose_nothing)
{
	EXPECT_TEXT("caf\xe9\n", "{\"$bytes\":\"caf\\u00e9\\n\"}");
	/* These bytes are not UTF-8: overlong, a surrogate, above U+10FFFF,
	 * cut, a lone continuation. */
	EXPECT_TEXT("\xc0\x80", "{\"$bytes\":\"\\u00c0\\u0080\"}");
	EXPECT_TEXT("\xe0\x80\x80", "{\"$bytes\":\"\\u00e0\\u0080\\u0080\"}");
	EXPECT_TEXT("\xed\xa0\x80", "{\"$bytes\":\"\\u00ed\\u00a0\\u0080\"}");
	EXPECT_TEXT("\xf4\x90\x80\x80",
		    "{\"$bytes\":\"\\u00f4\\u0090\\u0080\\u0080\"}");
	EXPECT_TEXT("\xe2\x82", "{\"$bytes\":\"\\u00e2\\u0082\"}");
	EXPECT_TEXT("\x80", "{\"$bytes\":\"\\u0080\"}");
	EXPECT_TEXT("\xff", "{\"$bytes\":\"\\u00ff\"}");
}
END_TEST

/* Random bytes, similar to UTF-8 or not, parsed by another program. */
START_TEST(whatever_it_is_it_comes_back)
{
	static const char *const parts[] = {
		"a",  "\"",   "\xc3\xa9",     "\n",   "\xf0\x9f\x90\x98",
		"\\", "\xe9", "\xed\x9f\xbf", "\xf5", "\x80"
	};

	srandom(5);
	begin();
	for (unsigned i = 0; i < 2000; i++) {
		struct str bytes = { 0 };

		for (unsigned j = (unsigned)random() % 8; j > 0; j--)
			str_add(&bytes, parts[random() % (i % 2 ? 6 : 10)]);
		str_add_char(&bytes, (char)random());
		str_add(&text, "[\"");
		for (size_t j = 0; j < bytes.length; j++)
			str_addf(&text, "%02hhx", bytes.text[j]);
		str_add(&text, "\",");
		json.comma = false;
		jsonw_text(&json, bytes.text, bytes.length);
		str_add(&text, "]\n");
		str_release(&bytes);
	}
	reader_expect_silence("lossless.py", text.text);
	str_release(&text);
}
END_TEST

START_TEST(keys_are_always_keys)
{
	begin();
	jsonw_open(&json, '{');
	jsonw_key(&json, "a\"\xff"
			 "b");
	jsonw_unsigned(&json, 1);
	jsonw_close(&json, '}');
	expect("{\"a\\\"\xef\xbf\xbd"
	       "b\":1}");
}
END_TEST

START_TEST(cut_characters_are_taken_off)
{
	ck_assert_uint_eq(jsonw_whole_characters("abc", 3), 3);
	ck_assert_uint_eq(jsonw_whole_characters("ab\xc3\xa9", 4), 4);
	ck_assert_uint_eq(jsonw_whole_characters("ab\xc3", 3), 2);
	ck_assert_uint_eq(jsonw_whole_characters("\xe2\x82", 2), 0);
	ck_assert_uint_eq(jsonw_whole_characters("a\xf0\x9f\x90", 4), 1);
	ck_assert_uint_eq(jsonw_whole_characters("", 0), 0);
	/*
	 * The bytes are invalid, and not a cut character: nothing is removed.
	 */
	ck_assert_uint_eq(jsonw_whole_characters("\x80\x80\x80\x80", 4), 4);
}
END_TEST

Suite *
jsonw_suite(void)
{
	Suite *suite = suite_create("jsonw");
	TCase *tests = tcase_create("jsonw");

	tcase_add_test(tests, commas_fall_where_they_should);
	tcase_add_test(tests, integers_are_exact);
	tcase_add_test(tests, doubles_are_short_and_read_back);
	tcase_add_test(tests, strings_are_escaped);
	tcase_add_test(tests, bytes_lose_nothing);
	tcase_add_test(tests, whatever_it_is_it_comes_back);
	tcase_add_test(tests, keys_are_always_keys);
	tcase_add_test(tests, cut_characters_are_taken_off);
	suite_add_tcase(suite, tests);
	return suite;
}
