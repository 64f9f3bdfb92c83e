/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a census: their order and their sums. */
#include "heaps/census_changes.h"
#include "tests/unit/heaps/suites.h"

#include <stdio.h>

START_TEST(rows_are_sorted)
{
	struct census census;
	struct census_row *rows[3];

	census_init(&census);
	rows[0] = census_add(&census, 0x1000, "small");
	rows[1] = census_add(&census, 0x2000, "none");
	rows[2] = census_add(&census, 0x3000, "large");
	census_count(&census, rows[0], 10, 160);
	census_count(&census, rows[2], 1, 512);
	census_count(&census, rows[0], 1, 16);
	ck_assert_ptr_eq(census_row(&census, 0x3000), rows[2]);
	ck_assert_ptr_null(census_row(&census, 0x4000));
	census_sort(&census);
	ck_assert_uint_eq(census.rows.count, 2);
	ck_assert_str_eq(census.rows.at[0]->name, "large");
	ck_assert_str_eq(census.rows.at[1]->name, "small");
	ck_assert_uint_eq(census.rows.at[1]->count, 11);
	ck_assert_uint_eq(census.count, 12);
	ck_assert_uint_eq(census.bytes, 688);
	census_release(&census);
}
END_TEST

START_TEST(names_may_be_the_same)
{
	struct census census;

	census_init(&census);
	census_count(&census, census_add(&census, 1, "Same"), 1, 16);
	census_count(&census, census_add(&census, 2, "Same"), 2, 32);
	census_sort(&census);
	ck_assert_uint_eq(census.rows.count, 2);
	ck_assert_uint_eq(census.rows.at[0]->count, 2);
	census_release(&census);
}
END_TEST

/* Five classes: the first grows, the second shrinks, the third is new, the
 * fourth has lost its address to another class, and the fifth stays the same.
 */
START_TEST(what_has_changed)
{
	struct census before, after;
	struct census_changes changes;

	census_init(&before);
	census_init(&after);
	census_count(&before, census_add(&before, 1, "grew"), 10, 160);
	census_count(&after, census_add(&after, 1, "grew"), 15, 240);
	census_count(&before, census_add(&before, 2, "shrank"), 10, 320);
	census_count(&after, census_add(&after, 2, "shrank"), 1, 32);
	census_count(&after, census_add(&after, 3, "new"), 2, 1000);
	census_count(&before, census_add(&before, 4, "gone"), 3, 48);
	census_count(&after, census_add(&after, 4, "instead"), 4, 64);
	census_count(&before, census_add(&before, 5, "same"), 5, 80);
	census_count(&after, census_add(&after, 5, "same"), 5, 80);
	census_changes_init(&changes, &before, &after);
	ck_assert_uint_eq(changes.rows.count, 5);
	ck_assert_str_eq(changes.rows.at[0].name, "new");
	ck_assert_int_eq(changes.rows.at[0].count, 2);
	ck_assert_str_eq(changes.rows.at[1].name, "grew");
	ck_assert_int_eq(changes.rows.at[1].bytes, 80);
	ck_assert_str_eq(changes.rows.at[2].name, "instead");
	ck_assert_str_eq(changes.rows.at[3].name, "gone");
	ck_assert_int_eq(changes.rows.at[3].count, -3);
	ck_assert_str_eq(changes.rows.at[4].name, "shrank");
	ck_assert_int_eq(changes.rows.at[4].bytes, -288);
	ck_assert_int_eq(changes.count, 5 - 9 + 2 - 3 + 4);
	ck_assert_int_eq(changes.bytes, 80 - 288 + 1000 - 48 + 64);
	census_changes_release(&changes);
	census_release(&after);
	census_release(&before);
}
END_TEST

Suite *
census_suite(void)
{
	Suite *suite = suite_create("census");
	TCase *tests = tcase_create("rows");

	tcase_add_test(tests, rows_are_sorted);
	tcase_add_test(tests, names_may_be_the_same);
	tcase_add_test(tests, what_has_changed);
	suite_add_tcase(suite, tests);
	return suite;
}
