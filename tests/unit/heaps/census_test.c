/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows, their order and their sums. */
#include "heaps/census.h"
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

Suite *
census_suite(void)
{
	Suite *suite = suite_create("census");
	TCase *tests = tcase_create("rows");

	tcase_add_test(tests, rows_are_sorted);
	tcase_add_test(tests, names_may_be_the_same);
	suite_add_tcase(suite, tests);
	return suite;
}
