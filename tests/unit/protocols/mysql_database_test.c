/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What statements do to the database of a connection to MySQL. */
#include "protocols/mysql_database.h"

#include "base/attr.h"
#include "tests/unit/protocols/suites.h"

#include <stdlib.h>
#include <string.h>

static const struct row {
	const char *text;
	bool failed, cut;
	enum mysql_database after;
	const char *name;
} rows[] = {
	{ "use shop", .after = MYSQL_DATABASE_NAMED, .name = "shop" },
	{ " USE\tshop_2$ ; ", .after = MYSQL_DATABASE_NAMED,
	  .name = "shop_2$" },
	{ "use`a b`", .after = MYSQL_DATABASE_NAMED, .name = "a b" },
	{ "/* who */ -- why\n# what\nuse x", .after = MYSQL_DATABASE_NAMED,
	  .name = "x" },
	{ "use x -- and no more", .after = MYSQL_DATABASE_NAMED, .name = "x" },
	{ "use l\303\244den", .after = MYSQL_DATABASE_NAMED,
	  .name = "l\303\244den" },
	{ "use shop", .failed = true, .after = MYSQL_DATABASE_KEPT },
	{ "use", .after = MYSQL_DATABASE_UNKNOWN },
	{ "use `a``b`", .after = MYSQL_DATABASE_UNKNOWN },
	{ "use ``", .after = MYSQL_DATABASE_UNKNOWN },
	{ "use `a", .after = MYSQL_DATABASE_UNKNOWN },
	{ "use x y", .after = MYSQL_DATABASE_UNKNOWN },
	{ "select 1", .after = MYSQL_DATABASE_KEPT },
	{ "select a from t use index (i)", .after = MYSQL_DATABASE_KEPT },
	{ "user x", .after = MYSQL_DATABASE_KEPT },
	{ "", .after = MYSQL_DATABASE_KEPT },
	{ "execute s", .after = MYSQL_DATABASE_UNKNOWN },
	{ "execute s", .failed = true, .after = MYSQL_DATABASE_KEPT },
	{ "drop database shop", .after = MYSQL_DATABASE_UNKNOWN },
	{ "DROP /* all */ SCHEMA shop", .after = MYSQL_DATABASE_UNKNOWN },
	{ "drop /*!50000 database */ shop", .after = MYSQL_DATABASE_UNKNOWN },
	{ "drop temporary table t", .after = MYSQL_DATABASE_KEPT },
	{ "drop table `database`", .after = MYSQL_DATABASE_KEPT },
	{ "call p()", .after = MYSQL_DATABASE_UNKNOWN },
	{ "call p()", .failed = true, .after = MYSQL_DATABASE_UNKNOWN },
	{ "set statement max_statement_time=5 for use x",
	  .after = MYSQL_DATABASE_UNKNOWN },
	{ "set statement max_statement_time=5 for select 1",
	  .after = MYSQL_DATABASE_KEPT },
	{ "set @use = 'use'", .after = MYSQL_DATABASE_KEPT },
	{ "set", .after = MYSQL_DATABASE_KEPT },
	{ "drop", .after = MYSQL_DATABASE_KEPT },
	{ "/*!50000 use x */", .after = MYSQL_DATABASE_UNKNOWN },
	{ "/*M! use x */", .after = MYSQL_DATABASE_UNKNOWN },
	{ "select 1; use x", .after = MYSQL_DATABASE_UNKNOWN },
	{ "select 1; use x", .failed = true, .after = MYSQL_DATABASE_UNKNOWN },
	{ "use x; select 1", .after = MYSQL_DATABASE_UNKNOWN },
	{ "begin not atomic execute immediate 'use x'; end",
	  .after = MYSQL_DATABASE_UNKNOWN },
	{ "select 1; select 2", .after = MYSQL_DATABASE_KEPT },
	{ "select 'a;b'", .after = MYSQL_DATABASE_KEPT },
	{ "insert into t values ('a", .cut = true,
	  .after = MYSQL_DATABASE_KEPT },
	{ "insert into t values ('a;", .cut = true,
	  .after = MYSQL_DATABASE_UNKNOWN },
	{ "/*", .after = MYSQL_DATABASE_KEPT },
	{ "/* use x", .after = MYSQL_DATABASE_KEPT },
};

START_TEST(after_statements)
{
	const struct row *row = &rows[_i];
	size_t length = strlen(row->text), got_length = 0;
	/* A copy without a NUL: a sanitizer sees what is read beyond it. */
	char *text = malloc(length ? length : 1);
	const char *name = NULL;
	enum mysql_database after;

	memcpy(text, row->text, length);
	after = mysql_database_after(text, length, !row->cut, !row->failed,
				     &name, &got_length);
	ck_assert_msg(after == row->after, "%s: %d", row->text, after);
	if (row->name) {
		ck_assert_uint_eq(got_length, strlen(row->name));
		ck_assert_mem_eq(name, row->name, got_length);
	} else {
		ck_assert_ptr_null(name);
	}
	free(text);
}
END_TEST

Suite *
mysql_database_suite(void)
{
	Suite *suite = suite_create("mysql_database");
	TCase *tests = tcase_create("mysql_database");

	tcase_add_loop_test(tests, after_statements, 0, (int)array_size(rows));
	suite_add_tcase(suite, tests);
	return suite;
}
