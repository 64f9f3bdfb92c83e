/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines and their words; the words of a row are separated by "|". */
#include "base/words.h"

#include "base/str.h"
#include "tests/unit/base/suites.h"

#include <errno.h>

static const struct row {
	const char *line, *words, *columns;
} rows[] = {
	{ "", "", "" },
	{ " \t ", "", "" },
	{ "# all", "", "" },
	{ "-f", "-f|", "0 " },
	{ "  -s 4\t# more", "-s|4|", "2 5 " },
	{ "a#b #c", "a#b|", "0 " },
	{ "'a b'\"c d\"e\\ f", "a bc de f|", "0 " },
	{ "'' \"\"", "||", "0 3 " },
	{ "'a\\'", "a\\|", "0 " },
	{ "\"a\\\"\\\\\\n$x`\"", "a\"\\\\n$x`|", "0 " },
	{ "\\# \\'", "#|'|", "0 3 " },
	{ "a\r", "a|", "0 " },
};

START_TEST(splits)
{
	const struct row *row = &rows[_i];
	struct words words = { 0 };
	struct str texts, columns;
	struct err err = { "" };
	size_t column = 77;

	str_init(&texts);
	str_init(&columns);
	ck_assert_int_eq(words_split(row->line, &words, &column, &err), 0);
	for (size_t i = 0; i < words.list.count; i++) {
		str_addf(&texts, "%s|", words.list.at[i].text);
		str_addf(&columns, "%zu ", words.list.at[i].column);
	}
	ck_assert_str_eq(str_text(&texts), row->words);
	ck_assert_str_eq(str_text(&columns), row->columns);
	ck_assert_uint_eq(column, 77);
	words_release(&words);
	str_release(&texts);
	str_release(&columns);
}
END_TEST

static void
refused(const char *line, size_t where, const char *why)
{
	struct words words = { 0 };
	struct err err = { "" };
	size_t column = 0;

	ck_assert_int_eq(words_split(line, &words, &column, &err), -EINVAL);
	ck_assert_uint_eq(column, where);
	ck_assert_str_eq(err.text, why);
	words_release(&words);
}

START_TEST(refuses)
{
	refused("a b'c d", 3, "no closing '");
	refused("\"a\\\"", 0, "no closing \"");
	refused("a \\", 2, "nothing follows \\");
}
END_TEST

Suite *
words_suite(void)
{
	Suite *suite = suite_create("base/words");
	TCase *tests = tcase_create("words");

	tcase_add_loop_test(tests, splits, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(tests, refuses);
	suite_add_tcase(suite, tests);
	return suite;
}
