/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names and ids of queries, and the fields of --group-by. */
#include "suites.h"

#include "output/group.h"
#include "output/query.h"

#include <string.h>

static const struct {
	const char *name, *folded;
} folds[] = {
	{ "select title from film", "select title from film" },
	{ "select `b`.`id`, `b`.`title`, `b`.`year` from `b` where `b`.`id` = "
	  "?",
	  "select ... from `b` where `b`.`id` = ?" },
	/* The list of columns contains a subquery with its own "from", and a
	 * name in quotes with that word. */
	{ "select a, (select max(x) from t), \" from \" from u",
	  "select ... from u" },
	{ "select count(*) from (select aaaaaaaaaa, bbbbbbbbbb, cccc from t) s",
	  "select count(*) from (select ... from t) s" },
	{ "select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?", NULL },
	{ "insert into select_list_of_names values(?+)", NULL },
	{ "select (((((((((((((((((((((((((", NULL },
	{ "", NULL },
};

START_TEST(long_lists_are_folded)
{
	const char *folded =
		folds[_i].folded ? folds[_i].folded : folds[_i].name;
	struct str text;

	str_init(&text);
	query_add_folded(&text, folds[_i].name);
	ck_assert_str_eq(str_text(&text), folded);
	str_release(&text);
}
END_TEST

/* Ids of several versions are compared, so they must not change. */
START_TEST(ids_do_not_change)
{
	struct str text;

	str_init(&text);
	query_add_id(&text, query_id("insert into t values(?+)"));
	str_add_char(&text, ' ');
	query_add_id(&text, query_id(""));
	ck_assert_str_eq(text.text, "47065fe3 4fd0bfc1");
	str_release(&text);
}
END_TEST

START_TEST(fields_are_separated_by_commas)
{
	const char *fields = "query,where";
	char field[GROUP_FIELD_MOST];

	ck_assert(group_has(fields, "where") && group_has(fields, "query"));
	ck_assert(!group_has(fields, "wher") && !group_has(NULL, ""));
	ck_assert(group_next(&fields, field));
	ck_assert_str_eq(field, "query");
	ck_assert(group_next(&fields, field));
	ck_assert_str_eq(field, "where");
	ck_assert(!group_next(&fields, field));
}
END_TEST

Suite *
query_suite(void)
{
	Suite *suite = suite_create("query");
	TCase *tests = tcase_create("query");

	tcase_add_loop_test(tests, long_lists_are_folded, 0,
			    sizeof(folds) / sizeof(folds[0]));
	tcase_add_test(tests, ids_do_not_change);
	tcase_add_test(tests, fields_are_separated_by_commas);
	suite_add_tcase(suite, tests);
	return suite;
}
