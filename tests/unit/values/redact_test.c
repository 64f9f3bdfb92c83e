/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The strings and comments of queries, by the rules of each server. `secret` is
 * only in literals and comments. */
#include "values/redact.h"

#include "tests/unit/values/suites.h"
#include "values/fingerprint.h"

#include <stdlib.h>
#include <string.h>

struct row {
	enum sql_dialect dialect;
	const char *sql;
	const char *redacted;
	bool stopped;
};

static const struct row rows[] = {
	{ SQL_MYSQL, "select 'secret', \"secret\"", "select '', ''", false },
	{ SQL_MYSQL, "select 'it\\'secret', 'it''secret'", "select '', ''",
	  false },
	{ SQL_MYSQL, "identified by \"secret\"", "identified by ''", false },
	{ SQL_MYSQL, "select 1--1, 'secret' -- 'secret\n, 2",
	  "select 1--1, '' \n, 2", false },
	{ SQL_MYSQL, "select 1 #'secret\n, 'secret'", "select 1 \n, ''",
	  false },
	{ SQL_MYSQL, "select /*'secret*/ 'secret'", "select   ''", false },
	{ SQL_MYSQL, "/*!50000 select 'secret' */ /*M! , 1 */",
	  "/*!50000 select '' */ /*! , 1 */", false },
	{ SQL_MYSQL, "select `it's`, 'secret'", "select `it's`, ''", false },
	{ SQL_MYSQL, "select 'secret", "select ''", false },
	{ SQL_POSTGRES, "select \"a\", 'x', E'it\\'secret'",
	  "select \"a\", '', E''", false },
	{ SQL_POSTGRES, "select 'a\\', 'secret'", "select ''", true },
	{ SQL_POSTGRES, "select case'a\\', 'secret'", "select case''", true },
	{ SQL_POSTGRES, "select $$'secret$$, $a$secret$$ $a$, $1",
	  "select '', '', $1", false },
	{ SQL_POSTGRES, "select /* /* ' */ ' */ 'secret'", "select   ''",
	  false },
	{ SQL_POSTGRES, "select a #> '{secret}' --'\n", "select a #> '' \n",
	  false },
	{ SQL_POSTGRES, "select 1 ` 'secret'", "select 1   ''", false },
	{ SQL_POSTGRES, "select \"a\\\", 'secret', \"b\"",
	  "select '', '', \"b\"", false },
	{ SQL_SQLITE, "select 'a\\', 'secret'", "select '', ''", false },
	{ SQL_SQLITE, "select \"secret\" from \"t\" where \"t\".\"a\" = 1",
	  "select '' from \"t\" where \"t\".\"a\" = 1", false },
	{ SQL_SQLITE, "select [it's], 'secret'", "select '', ''", false },
	{ SQL_SQLITE, "select [a], 'secret'--'", "select [a], ''\n", false },
	{ SQL_UNKNOWN, "select 'secret', \"secret\"", "select '', ''", false },
	{ SQL_UNKNOWN, "select 'a\\', 'secret'", "select ''", true },
	{ SQL_UNKNOWN, "select \"a\\\", \"secret\"", "select ''", true },
	{ SQL_UNKNOWN, "select 1 --' \n, 'secret'", "select 1 ''", true },
	{ SQL_UNKNOWN, "select 1 # ' \n, 'secret'", "select 1 ''", true },
	{ SQL_UNKNOWN, "select $$'$$, 'secret'", "select ''", true },
	{ SQL_UNKNOWN, "select /*!' */ 'secret'", "select ''", true },
	{ SQL_UNKNOWN, "select /* /* */ ' */ 'secret'", "select ''", true },
	{ SQL_UNKNOWN, "select `it's`, 'secret'", "select ''", true },
	{ SQL_UNKNOWN, "select [it's], 'secret'", "select ''", true },
	{ SQL_UNKNOWN, "select a[1], array['secret']", "select a[1], array['']",
	  false },
};

START_TEST(strings_are_left_out)
{
	for (size_t i = 0; i < array_size(rows); i++) {
		const struct row *row = &rows[i];
		struct str text, name;
		bool whole;

		str_init(&text);
		str_init(&name);
		whole = redact_sql(&text, row->sql, strlen(row->sql),
				   row->dialect);
		ck_assert_msg(!strcmp(str_text(&text), row->redacted),
			      "%s: %s, not %s", row->sql, str_text(&text),
			      row->redacted);
		ck_assert_msg(whole == !row->stopped, "%s", row->sql);
		fingerprint_add(&name, text.text, text.length);
		ck_assert_msg(!strstr(str_text(&name), "secret"), "%s: %s",
			      row->sql, str_text(&name));
		str_release(&text);
		str_release(&name);
	}
}
END_TEST

/* The common queries of drivers have the fingerprint that they have without
 * redaction. */
START_TEST(fingerprints_are_the_same)
{
	static const struct row same[] = {
		{ SQL_MYSQL, "select `a` from t where b = 'x' and c in (1, 2)",
		  NULL, false },
		{ SQL_POSTGRES,
		  "select \"a\".\"b\" from \"a\" where c = E'x' 'y' -- d", NULL,
		  false },
		{ SQL_SQLITE,
		  "select \"a\".\"b\" from \"a\" where \"a\".\"c\" = 'x'", NULL,
		  false },
		{ SQL_UNKNOWN, "insert into t values (N'x', 1), ('y', 2)", NULL,
		  false },
	};

	for (size_t i = 0; i < array_size(same); i++) {
		const char *sql = same[i].sql;
		struct str text, name, plain;

		str_init(&text);
		str_init(&name);
		str_init(&plain);
		ck_assert(redact_sql(&text, sql, strlen(sql), same[i].dialect));
		fingerprint_add(&name, text.text, text.length);
		fingerprint_add(&plain, sql, strlen(sql));
		ck_assert_str_eq(str_text(&name), str_text(&plain));
		str_release(&text);
		str_release(&name);
		str_release(&plain);
	}
}
END_TEST

/* Every beginning and end of every query: nothing is read outside. */
START_TEST(any_bytes_are_read)
{
	for (size_t i = 0; i < array_size(rows); i++) {
		size_t length = strlen(rows[i].sql);

		for (size_t n = 0; n < 8 * (length + 1); n++) {
			size_t from = (n / 8) % (length + 1);
			size_t size = n % 2 ? length - from : from;
			char *exact = malloc(size ? size : 1);
			struct str text;

			ck_assert_ptr_nonnull(exact);
			memcpy(exact, rows[i].sql + (n % 2 ? from : 0), size);
			str_init(&text);
			if (!redact_sql(&text, exact, size,
					(enum sql_dialect)(n / 2 % 4)))
				ck_assert_uint_gt(text.length, 0);
			ck_assert_uint_le(text.length, 2 * size);
			str_release(&text);
			free(exact);
		}
	}
}
END_TEST

Suite *
redact_suite(void)
{
	Suite *suite = suite_create("redact");
	TCase *tests = tcase_create("redact");

	tcase_add_test(tests, strings_are_left_out);
	tcase_add_test(tests, fingerprints_are_the_same);
	tcase_add_test(tests, any_bytes_are_read);
	suite_add_tcase(suite, tests);
	return suite;
}
