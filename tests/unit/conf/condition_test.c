/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions alone: their values, and the mistakes in wrong ones. */
#include "conf/dump/dump.h"
#include "conf/model/expr.h"
#include "conf/parse/condition.h"
#include "tests/unit/conf/suites.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/*
 * The values of this call: f(7, "/home/users/x", 2^64-1, 1.5) = -1, which took
 * 12 ms.
 */
static int
call_leaf(struct expr_scope *scope, const struct expr *leaf,
	  struct expr_value *ret_value)
{
	static const struct expr_value arguments[] = {
		{ .number = 7 },
		{ .kind = EXPR_VALUE_TEXT, .text = "/home/users/x" },
		{ .number = -1, .is_unsigned = true },
		{ .kind = EXPR_VALUE_REAL, .real = 1.5 },
		{ .kind = EXPR_VALUE_TEXT, .text = "" },
	};

	(void)scope;
	*ret_value = (struct expr_value){ .number = -1 };
	if (leaf->kind == EXPR_RETVAL)
		return 0;
	if (leaf->kind == EXPR_ARG && leaf->number <= 5)
		*ret_value = arguments[leaf->number - 1];
	else if (leaf->kind == EXPR_NAME && !strcmp(leaf->name, "duration"))
		ret_value->number = 12000000;
	else if (leaf->kind == EXPR_FIELD && leaf->left->kind == EXPR_ARG)
		ret_value->number = (int64_t)strlen(leaf->name);
	else
		return -ENODATA;
	return 0;
}

static struct condition *
parse(const char *text)
{
	struct condition *condition = NULL;
	struct err err = { "" };

	ck_assert_msg(condition_parse(text, &condition, NULL, &err) == 0,
		      "%s: %s", text, err.text);
	return condition;
}

static const struct {
	const char *text;
	int64_t value;
} numbers[] = {
	{ "1 + 2 * 3", 7 },
	{ "(1 + 2) * 3", 9 },
	{ "7 / 2 - 7 % 4", 0 },
	{ "-7 / 2", -3 },
	{ "-7 % 4", -3 },
	{ "1 << 4 | 1", 17 },
	{ "-16 >> 2", -4 },
	{ "-1 >> 70", -1 },
	{ "1 << 64", 0 },
	{ "1 << -1", 0 },
	{ "arg3 >> 63", 1 },
	{ "arg3 >> 64", 0 },
	{ "0xff & ~0xf ^ 1", 0xf1 },
	{ "0b101 + 017 + 'a' + 0x1F", 5 + 15 + 97 + 31 },
	{ "2 < 3 == 1", 1 },
	{ "!0 + !5", 1 },
	{ "1 || 1 / 0", 1 },
	{ "0 && 1 / 0", 0 },
	{ "1 && 2", 1 },
	{ "0 || 0", 0 },
	{ "10ms + 1us", 10001000 },
	{ "1.5s", 1500000000 },
	{ "2.5 * 2", 5 },
	{ "7 / 2.0 - 0.5", 3 },
	{ "-2.5", -2 },
	{ "1e300", INT64_MAX },
	{ "-1e300", INT64_MIN },
	{ "1 + 0.5 > 1.4", 1 },
	{ "-9223372036854775807 - 1", INT64_MIN },
	{ "(-9223372036854775807 - 1) / -1", INT64_MIN },
	{ "(-9223372036854775807 - 1) % -1", 0 },
	{ "18446744073709551615 / 2", INT64_MAX },
	{ "18446744073709551615 % 10", 5 },
	{ "9223372036854775807 + 1", INT64_MIN },
	{ "arg1", 7 },
	{ "arg0", -1 },
	{ "retval < 0", 1 },
	{ "arg3 > 0", 1 },
	{ "arg3 > retval", 1 },
	{ "retval < arg3", 1 },
	{ "arg3 == retval", 0 },
	{ "arg3 >= arg3 && arg3 <= arg3 && !(arg3 != arg3)", 1 },
	{ "arg4 > 1 && arg4 < 2 && arg4 == 1.5 && arg4 >= 1.5", 1 },
	{ "arg3 > 1e19", 1 },
	{ "arg2 ~ /users/", 1 },
	{ "arg2 ~ /^users/", 0 },
	{ "arg2 !~ /^users/", 1 },
	{ "arg2 ~ \"home.*x$\"", 1 },
	{ "arg2 ~ /home\\/users/", 1 },
	{ "arg2 == \"/home/users/x\"", 1 },
	{ "arg2 < \"/i\" && \"b\" > \"a\"", 1 },
	{ "arg2 && !arg5", 1 },
	{ "duration > 10ms && duration < 1s", 1 },
	{ "duration != 0", 1 },
	{ "arg1->length + arg1.at", 8 },
	{ "arg2 ~ /users/ && retval < 0 && duration > 10ms", 1 },
};

START_TEST(values)
{
	struct expr_scope scope = { call_leaf };
	struct condition *condition = parse(numbers[_i].text);
	int64_t value = 0;
	bool holds = false;

	ck_assert_int_eq(expr_number(condition_expr(condition), &scope, &value),
			 0);
	ck_assert_msg(value == numbers[_i].value, "%s is %lld",
		      numbers[_i].text, (long long)value);
	ck_assert_int_eq(expr_true(condition_expr(condition), &scope, &holds),
			 0);
	ck_assert_int_eq(holds, value != 0);
	condition_free(condition);
}
END_TEST

static const struct {
	const char *text;
	int error;
} failures[] = {
	{ "1 / 0", -EDOM },	     { "1 % 0", -EDOM },
	{ "1.5 / 0", -EDOM },	     { "1.5 % 2", -EDOM },
	{ "~1.5", -EDOM },	     { "-arg2", -EDOM },
	{ "arg2 + 1", -EDOM },	     { "arg2 < 1", -EDOM },
	{ "1 == arg2", -EDOM },	     { "arg1 ~ /7/", -EDOM },
	{ "arg9", -ENODATA },	     { "!nobody", -ENODATA },
	{ "nobody && 1", -ENODATA }, { "1 && nobody", -ENODATA },
	{ "1 + nobody", -ENODATA },  { "nobody ~ /x/", -ENODATA },
	{ "\"text\"", -EDOM },
};

START_TEST(no_values)
{
	struct expr_scope scope = { call_leaf };
	struct condition *condition = parse(failures[_i].text);
	int64_t value = 42;

	ck_assert_int_eq(expr_number(condition_expr(condition), &scope, &value),
			 failures[_i].error);
	ck_assert_int_eq(value, 42);
	condition_free(condition);
}
END_TEST

static const struct {
	const char *text;
	size_t column;
	const char *sentence;
} mistakes[] = {
	{ "", 0, "expected a number or a name" },
	{ "arg1 >", 6, "expected a number or a name after '>'" },
	{ "arg1 > > 2", 7, "expected a number or a name before '>'" },
	{ "(arg1", 5, "expected ')' after 'arg1'" },
	{ "arg1 arg2", 5, "expected an operator before 'arg2'" },
	{ "arg1 == 1)", 9, "expected an operator before ')'" },
	{ "arg2 ~ users", 7, "expected /a regular expression/ before 'users'" },
	{ "arg2 ~ /users", 7, "the closing / is missing" },
	{ "arg2 == \"users", 8, "the closing \" is missing" },
	{ "duration > 10", 11, "a duration needs a unit, as in 10ms" },
	{ "duration > 1.5", 11, "a duration needs a unit, as in 10ms" },
	{ "arg1 > 10mss", 7, "'10mss' is not a number" },
	{ "arg1 @ 2", 5, "unexpected '@'" },
	{ "arg100 == 1", 0, "'arg100' is out of range" },
	{ "arg1->2", 6, "expected the name of a field before '2'" },
	{ "arg1 == 'ab'", 8, "expected one character between quotes" },
	{ "1 # 2", 2, "unexpected '#'" },
};

START_TEST(wrong)
{
	struct condition *condition = NULL;
	size_t column = 99;
	struct err err = { "" };

	ck_assert_int_eq(condition_parse(mistakes[_i].text, &condition, &column,
					 &err),
			 -EINVAL);
	ck_assert_ptr_null(condition);
	ck_assert_str_eq(err.text, mistakes[_i].sentence);
	ck_assert_uint_eq(column, mistakes[_i].column);
}
END_TEST

START_TEST(bad_regex)
{
	struct condition *condition = NULL;
	struct err err = { "" };
	size_t column = 0;

	ck_assert_int_eq(condition_parse("arg1 ~ /[/", &condition, &column,
					 &err),
			 -EINVAL);
	ck_assert_uint_eq(column, 7);
	ck_assert_ptr_nonnull(strstr(err.text, "bad expression '['"));
}
END_TEST

/* Neither a long chain nor deep brackets may overflow the stack. */
START_TEST(bounded)
{
	static const char *const pieces[] = { "(", "1+", "!", "1+(", "a." };
	struct condition *condition = NULL;
	struct err err;

	for (size_t i = 0; i < array_size(pieces); i++) {
		struct str text;

		str_init(&text);
		for (int n = 0; n < 100000; n++)
			str_add(&text, pieces[i]);
		str_add(&text, "a");
		ck_assert_int_eq(condition_parse(str_text(&text), &condition,
						 NULL, &err),
				 -EINVAL);
		str_release(&text);
	}
}
END_TEST

/* The dump of an expression means the same as the expression. */
START_TEST(written_back)
{
	struct condition *condition =
		parse("a.b->c ~ /x\\/y/ && \"q\\\"\\n1\\\\\" != b || -1.5e9 < "
		      "2.0 * c");
	struct str once, twice;

	str_init(&once);
	str_init(&twice);
	dump_expr(NULL, condition_expr(condition), &once);
	ck_assert_str_eq(str_text(&once), "((a.b.c ~ \"x/y\") && "
					  "(\"q\\\"\\0121\\\\\" != b)) || "
					  "((-1500000000.0) < (2.0 * c))");
	condition_free(condition);
	condition = parse(str_text(&once));
	dump_expr(NULL, condition_expr(condition), &twice);
	ck_assert_str_eq(str_text(&once), str_text(&twice));
	condition_free(condition);
	str_release(&once);
	str_release(&twice);
}
END_TEST

START_TEST(when_known)
{
	static const struct {
		const char *text;
		bool is_constant;
	} rows[] = {
		{ "1 + 2", true },  { "arg1 && retval", false },
		{ "1 / 0", false }, { "!arg0", false },
		{ "arg1", false },  { "\"x\"", false },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		struct condition *condition = parse(rows[i].text);
		const struct expr *expr = condition_expr(condition);
		int64_t number;

		ck_assert_int_eq(expr_constant(expr, &number),
				 rows[i].is_constant);
		condition_free(condition);
	}
	condition_free(NULL);
}
END_TEST

/* A NaN is unequal to everything; all other comparisons are false. */
START_TEST(nan_compares)
{
	static const char *const texts[] = { "a < 1",  "a <= 1", "a > 1",
					     "a >= 1", "a == a", "a != a" };
	const struct expr leaf = { .kind = EXPR_REAL, .real = NAN };

	for (size_t i = 0; i < array_size(texts); i++) {
		struct condition *condition = parse(texts[i]);
		struct expr expr = *condition_expr(condition);
		int64_t value = 9;

		expr.left = &leaf;
		if (expr.right->kind == EXPR_NAME)
			expr.right = &leaf;
		ck_assert_int_eq(expr_number(&expr, NULL, &value), 0);
		ck_assert_int_eq(value, expr.kind == EXPR_UNEQUAL);
		condition_free(condition);
	}
	int64_t cut = 9;

	ck_assert_int_eq(expr_number(&leaf, NULL, &cut), 0);
	ck_assert_int_eq(cut, 0);
}
END_TEST

Suite *
condition_suite(void)
{
	Suite *suite = suite_create("condition");
	TCase *tests = tcase_create("condition");

	tcase_add_loop_test(tests, values, 0, array_size(numbers));
	tcase_add_loop_test(tests, no_values, 0, array_size(failures));
	tcase_add_loop_test(tests, wrong, 0, array_size(mistakes));
	tcase_add_test(tests, bad_regex);
	tcase_add_test(tests, bounded);
	tcase_add_test(tests, written_back);
	tcase_add_test(tests, when_known);
	tcase_add_test(tests, nan_compares);
	suite_add_tcase(suite, tests);
	return suite;
}
