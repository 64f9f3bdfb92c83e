/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items are in order, and can be removed from any place, also during a walk. */
#include "tests/unit/base/suites.h"

#include "base/list.h"

struct item {
	int number;
	struct list link;
};

static void
fill(struct list *list, struct item *items, int count)
{
	list_init(list);
	for (int i = 0; i < count; i++) {
		items[i].number = i;
		list_append(list, &items[i].link);
	}
}

/* The numbers of the items as decimal digits. */
static int
digits_of(struct list *list)
{
	int digits = 0;

	list_each(link, after, list) {
		struct item *item = list_item(link, struct item, link);

		digits = digits * 10 + item->number;
	}
	return digits;
}

START_TEST(in_order)
{
	struct list list;
	struct item items[5];

	fill(&list, items, 5);
	ck_assert(!list_empty(&list));
	ck_assert_int_eq(digits_of(&list), 1234);
}
END_TEST

START_TEST(taken_out)
{
	struct list list;
	struct item items[5];

	fill(&list, items, 5);
	list_remove(&items[1].link);
	list_remove(&items[4].link);
	ck_assert_int_eq(digits_of(&list), 23);
	ck_assert(list_empty(&items[1].link));
	list_remove(&items[1].link);
	list_append(&list, &items[1].link);
	ck_assert_int_eq(digits_of(&list), 231);
}
END_TEST

START_TEST(taken_out_while_walking)
{
	struct list list;
	struct item items[9];
	int seen = 0;

	fill(&list, items, 9);
	list_each(link, after, &list) {
		seen++;
		if (list_item(link, struct item, link)->number % 2)
			list_remove(link);
	}
	ck_assert_int_eq(seen, 9);
	ck_assert_int_eq(digits_of(&list), 2468);
	list_each(link, after, &list)
		list_remove(link);
	ck_assert(list_empty(&list));
}
END_TEST

Suite *
list_suite(void)
{
	Suite *suite = suite_create("base/list");
	TCase *tests = tcase_create("list");

	tcase_add_test(tests, in_order);
	tcase_add_test(tests, taken_out);
	tcase_add_test(tests, taken_out_while_walking);
	suite_add_tcase(suite, tests);
	return suite;
}
