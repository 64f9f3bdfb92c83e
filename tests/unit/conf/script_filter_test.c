/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters of functions of scripts: what they choose in a small world, and the
 * places of mistakes. */
#include "conf/filter/script_filter.h"

#include "base/str.h"
#include "base/xmalloc.h"
#include "tests/unit/conf/suites.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	struct script_function function;
	const char *name;
} functions[] = {
	{ { SCRIPT_RUBY, "Shop", "fill", "/a/shop.rb" }, "Shop#fill" },
	{ { SCRIPT_RUBY, "A::Shop", "open", "/a/shop.rb" }, "A::Shop#open" },
	{ { SCRIPT_RUBY, "Array", "[]", "/a/shop.rb" }, "Array#[]" },
	{ { SCRIPT_PYTHON, "", "fill", "/lib/shop/items.py" }, "items.fill" },
	{ { SCRIPT_PYTHON, "", "load", "/lib/shop/__init__.py" }, "shop.load" },
	{ { SCRIPT_PYTHON, "", "find", "<frozen importlib._bootstrap>" },
	  "importlib._bootstrap.find" },
	{ { SCRIPT_PYTHON, "", "<module>", "<string>" }, "<string>.<module>" },
	{ { SCRIPT_PYTHON, "", "main", "run" }, "run.main" },
	{ { SCRIPT_PHP, "Shop", "fill", "/a/shop.php" }, "Shop::fill" },
	{ { SCRIPT_PHP, "", "fill", "/a/shop.php" }, "fill" },
};

START_TEST(named)
{
	cleanup(freep) char *name =
		script_function_name(&functions[_i].function);

	ck_assert_str_eq(name, functions[_i].name);
}
END_TEST

static const struct {
	const char *filter, *chosen;
} rows[] = {
	{ "rb:Shop#fill", "Shop#fill" },
	{ "rb:Shop.fill", "Shop#fill" },
	{ "rb:*#*", "Shop#fill A::Shop#open Array#[]" },
	{ "rb:A::*", "A::Shop#open" },
	{ "rb:open", "A::Shop#open" },
	{ "rb:Array#[]", "Array#[]" },
	{ "-rb:Array#*", "Array#[]" },
	{ "rb:fil", "" },
	{ "py:items.fill", "items.fill" },
	{ "py:shop.items.fill", "items.fill" },
	{ "py:lib.shop.items.*", "items.fill" },
	{ "py:.lib.shop.items.fill", "" },
	{ "py:shop.load", "shop.load" },
	{ "py:lib.shop.load", "shop.load" },
	{ "py:shop.__init__.load", "" },
	{ "py:fill", "items.fill" },
	{ "py:importlib._bootstrap.*", "importlib._bootstrap.find" },
	{ "py:<module>", "<string>.<module>" },
	{ "py:run.main", "run.main" },
	{ "php:fill", "Shop::fill fill" },
	{ "php:Shop::*", "Shop::fill" },
	{ "php:*", "Shop::fill fill" },
};

START_TEST(chosen)
{
	struct script_filter *filter;
	struct err err = { "" };
	struct str text;
	size_t column;

	ck_assert_msg(script_filter_parse(rows[_i].filter, &filter, &column,
					  &err) == 0,
		      "%s", err.text);
	str_init(&text);
	for (size_t i = 0; i < array_size(functions); i++) {
		if (script_filter_matches(filter, &functions[i].function))
			str_addf(&text, "%s%s", text.length ? " " : "",
				 functions[i].name);
	}
	ck_assert_str_eq(str_text(&text), rows[_i].chosen);
	ck_assert(script_filter_subtracts(filter) ==
		  (rows[_i].filter[0] == '-'));
	ck_assert((script_filter_unmatched(filter) != NULL) ==
		  (!*rows[_i].chosen && rows[_i].filter[0] != '-'));
	str_release(&text);
	script_filter_free(filter);
}
END_TEST

static const struct {
	const char *filter;
	size_t column;
	const char *why;
} mistakes[] = {
	{ "rb:", 3, "expected the name of a function, or *" },
	{ "-py:", 4, "expected the name of a function, or *" },
	{ "-x", 1, "expected rb:, py: or php:" },
	{ "rb:A#", 5, "expected the name of a function behind A#" },
	{ "-rb:*.", 6, "expected the name of a function behind *." },
	{ "py:run.", 7, "expected the name of a function behind run." },
	{ "php:A::", 7, "expected the name of a function behind A::" },
};

START_TEST(refused)
{
	struct script_filter *filter = NULL;
	struct err err = { "" };
	size_t column = 99;

	ck_assert_int_lt(script_filter_parse(mistakes[_i].filter, &filter,
					     &column, &err),
			 0);
	ck_assert_uint_eq(column, mistakes[_i].column);
	ck_assert_str_eq(err.text, mistakes[_i].why);
	ck_assert_ptr_null(filter);
}
END_TEST

START_TEST(meant)
{
	ck_assert(script_filter_meant("rb:x"));
	ck_assert(script_filter_meant("-php:x"));
	ck_assert(script_filter_meant("py:"));
	ck_assert(!script_filter_meant("php::Parser::run"));
	ck_assert(!script_filter_meant("rb"));
	ck_assert(!script_filter_meant("perl:x"));
}
END_TEST

Suite *
script_filter_suite(void)
{
	Suite *suite = suite_create("script_filter");
	TCase *tests = tcase_create("script_filter");

	tcase_add_loop_test(tests, named, 0, array_size(functions));
	tcase_add_loop_test(tests, chosen, 0, array_size(rows));
	tcase_add_loop_test(tests, refused, 0, array_size(mistakes));
	tcase_add_test(tests, meant);
	suite_add_tcase(suite, tests);
	return suite;
}
