/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing arrays; and take(), which moves pointers. */
#include "tests/unit/base/suites.h"

#include "base/attr.h"
#include "base/vec.h"

struct pair {
	int key;
	const char *name;
};

static int
compare_keys(const void *a, const void *b)
{
	return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}

START_TEST(pushed_in_order)
{
	vec_of(int) numbers = { 0 };

	for (int i = 0; i < 1000; i++)
		vec_push(&numbers, i * i);
	ck_assert_uint_eq(numbers.count, 1000);
	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(numbers.at[i], i * i);
	vec_clear(&numbers);
	ck_assert_uint_eq(numbers.count, 0);
	vec_push(&numbers, 7);
	ck_assert_int_eq(numbers.at[0], 7);
	vec_release(&numbers);
	ck_assert_ptr_null(numbers.at);
}
END_TEST

START_TEST(taken_out)
{
	vec_of(int) numbers = { 0 };

	for (int i = 0; i < 5; i++)
		vec_push(&numbers, i);
	vec_remove(&numbers, 4);
	vec_remove(&numbers, 0);
	vec_remove(&numbers, 1);
	ck_assert_uint_eq(numbers.count, 2);
	ck_assert_int_eq(numbers.at[0], 1);
	ck_assert_int_eq(numbers.at[1], 3);
	vec_release(&numbers);
}
END_TEST

START_TEST(sorted)
{
	vec_of(struct pair) pairs = { 0 };

	vec_sort(&pairs, compare_keys);
	for (int i = 0; i < 100; i++)
		vec_push(&pairs, ((struct pair){ i * 37 % 100, "x" }));
	vec_sort(&pairs, compare_keys);
	for (int i = 0; i < 100; i++)
		ck_assert_int_eq(pairs.at[i].key, i);
	vec_release(&pairs);
}
END_TEST

START_TEST(handed_over)
{
	char *text = xstrdup("mine");
	char *taken = take(text);

	ck_assert_ptr_null(text);
	ck_assert_str_eq(taken, "mine");
	freep(&taken);
	freep(&text);
}
END_TEST

Suite *
vec_suite(void)
{
	Suite *suite = suite_create("base/vec");
	TCase *tests = tcase_create("vec");

	tcase_add_test(tests, pushed_in_order);
	tcase_add_test(tests, taken_out);
	tcase_add_test(tests, sorted);
	tcase_add_test(tests, handed_over);
	suite_add_tcase(suite, tests);
	return suite;
}
