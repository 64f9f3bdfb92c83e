/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An error carries its code and one sentence. */
#include "tests/unit/base/suites.h"

#include "base/err.h"

#include <errno.h>
#include <string.h>

START_TEST(code_and_sentence)
{
	struct err err;

	ck_assert_int_eq(err_set(&err, -EEXIST, "%s: already traced", "ls"),
			 -EEXIST);
	ck_assert_str_eq(err.text, "ls: already traced");
}
END_TEST

START_TEST(nobody_asks_for_the_sentence)
{
	ck_assert_int_eq(err_set(NULL, -EPERM, "%d", 1), -EPERM);
}
END_TEST

START_TEST(a_long_sentence_is_cut)
{
	struct err err;

	ck_assert_int_eq(err_set(&err, -EINVAL, "%5000d", 1), -EINVAL);
	ck_assert_uint_eq(strlen(err.text), ERR_TEXT - 1);
}
END_TEST

START_TEST(names_are_escaped)
{
	struct err err;

	err_set(&err, -EINVAL, "%s: no such command", "a\033\n\xff");
	ck_assert_str_eq(err.text, "a\\033\\n\\377: no such command");
	err_add_line(&err, "  %s", "b\nc");
	ck_assert_str_eq(err.text, "a\\033\\n\\377: no such command\n  b\\nc");
	err_add_line(NULL, "%d", 1);
}
END_TEST

START_TEST(lines_too_many_are_cut)
{
	struct err err;

	err_set(&err, -EINVAL, "%*d", ERR_TEXT - 4, 1);
	err_add_line(&err, "two");
	ck_assert_str_eq(err.text + ERR_TEXT - 5, "1\ntw");
	err_add_line(&err, "three");
	ck_assert_str_eq(err.text + ERR_TEXT - 5, "1\ntw");
}
END_TEST

START_TEST(a_caret_is_below_what_is_shown)
{
	struct err err;

	err_set(&err, -EINVAL, "why");
	err_point(&err, "a\tb", 2);
	ck_assert_str_eq(err.text, "why\n  a\\tb\n     ^");
	err_point(NULL, "a", 0);
}
END_TEST

Suite *
err_suite(void)
{
	Suite *suite = suite_create("base/err");
	TCase *tests = tcase_create("err");

	tcase_add_test(tests, code_and_sentence);
	tcase_add_test(tests, nobody_asks_for_the_sentence);
	tcase_add_test(tests, a_long_sentence_is_cut);
	tcase_add_test(tests, names_are_escaped);
	tcase_add_test(tests, lines_too_many_are_cut);
	tcase_add_test(tests, a_caret_is_below_what_is_shown);
	suite_add_tcase(suite, tests);
	return suite;
}
