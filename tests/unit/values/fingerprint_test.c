/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries with the same fingerprint and with different ones, and any bytes. */
#include "values/fingerprint.h"

#include "tests/unit/values/suites.h"

#include <stdlib.h>
#include <string.h>

struct pair {
	const char *sql;
	const char *fingerprint;
};

static const struct pair pairs[] = {
	{ "", "" },
	{ " ;\n", "" },
	{ "BEGIN", "begin" },
	{ "SELECT 1", "select ?" },
	{ "SELECT sleep(0.5)", "select sleep(?)" },
	/* literals */
	{ "select * from t where a = 'x'", "select * from t where a = ?" },
	{ "SELECT * FROM t WHERE a='O''Brien'", "select * from t where a = ?" },
	{ "select * from t where a = 'a\\'b'", "select * from t where a = ?" },
	{ "select * from t where a = 'x' 'y'", "select * from t where a = ?" },
	{ "select * from t where a = 'open", "select * from t where a = ?" },
	{ "select E'x', N'y', x'ff', _utf8'z'", "select ?, ?, ?, ?" },
	{ "select $$it's$$, $a$ $$ $a$", "select ?, ?" },
	{ "select -1, +2.5e-3, .5, 0xFF, 1.", "select ?, ?, ?, ?, ?" },
	{ "select a-1, a - -1, f(x)-1", "select a - ?, a - ?, f(x) - ?" },
	{ "select 1from t2", "select ? from t2" },
	{ "select t1.c2, 3.14 from t1", "select t1.c2, ? from t1" },
	{ "select * from t where a = NULL or b is null and c is not NULL",
	  "select * from t where a = ? or b is null and c is not null" },
	{ "update t set a = true, b = false", "update t set a = ?, b = ?" },
	/* placeholders */
	{ "select * from t where a = ? and b = $1 and c = :name and d = %s",
	  "select * from t where a = ? and b = ? and c = ? and d = ?" },
	{ "select a::int, @mine, @@theirs from t",
	  "select a::int, @mine, @@theirs from t" },
	/* names in quotes */
	{ "select \"users\".* from \"users\" where \"users\".\"id\" = 7",
	  "select \"users\".* from \"users\" where \"users\".\"id\" = ?" },
	{ "select `a` from `T` where `b`=1",
	  "select `a` from `T` where `b` = ?" },
	{ "select * from t where a = \"bob\" and b in (\"x\", \"y\")",
	  "select * from t where a = ? and b in(?+)" },
	{ "select * from t where a like \"b%\"",
	  "select * from t where a like ?" },
	{ "insert into \"t\" (\"a\", \"b\") values ($1, $2)",
	  "insert into \"t\"(\"a\", \"b\") values(?+)" },
	/* comments */
	{ "select /* a */ 1 -- b\n, 2 # c\n, 3", "select ?, ?, ?" },
	{ "-- who\nselect 1", "select ?" },
	{ "/* open", "" },
	{ "select /*!40001 SQL_NO_CACHE */ a from t",
	  "select sql_no_cache a from t" },
	{ "select 5--1", "select ? - ?" },
	/* white space and case */
	{ "SELECT\t*\n FROM  t\r\nWHERE a=1;", "select * from t where a = ?" },
	{ "select count( * ) from t where(a=1)",
	  "select count(*) from t where (a = ?)" },
	/* lists */
	{ "select * from t where a in (1,2,3)",
	  "select * from t where a in(?+)" },
	{ "select * from t where a in(1)", "select * from t where a in(?+)" },
	{ "select * from t where (a, b) in ((1,2),(3,4))",
	  "select * from t where (a, b) in(?+)" },
	{ "select * from t where a in (select b from u where c in (1, 2))",
	  "select * from t where a in(select b from u where c in(?+))" },
	{ "insert into t(a) values (1)", "insert into t(a) values(?+)" },
	{ "insert into t (a, b) values (1,'x'), (2,'y'),\n(3, 'z')",
	  "insert into t(a, b) values(?+)" },
	{ "insert into t values (now(), 1), (now(), 2), (now(), 3)",
	  "insert into t values(now(), ?)" },
	{ "insert into t values (now(), 1), (1, 2)",
	  "insert into t values(now(), ?), (?+)" },
	{ "insert into t values (1) on duplicate key update a = values(a)",
	  "insert into t values(?+) on duplicate key update a = values(a)" },
	/* the order, limits, other statements and operators */
	{ "select * from t order by a ASC, b DESC",
	  "select * from t order by a, b desc" },
	{ "select * from t limit 10", "select * from t limit ?" },
	{ "select * from t limit 10, 20", "select * from t limit ?" },
	{ "select * from t limit 10 offset 20", "select * from t limit ?" },
	{ "use shop", "use ?" },
	{ "CALL sum_up(1, 'x')", "call sum_up" },
	{ "select a from t where b <> 1 and c >= 2 or d != 3 and e || 'x' = "
	  "'y'",
	  "select a from t where b <> ? and c >= ? or d != ? and e || ? = ?" },
};

static void
is_fingerprint(const char *sql, size_t length, const char *wanted)
{
	struct str str;

	str_init(&str);
	str_add(&str, "> ");
	fingerprint_add(&str, sql, length);
	ck_assert_msg(!strcmp(str_text(&str) + 2, wanted), "%s: %s, not %s",
		      sql, str_text(&str) + 2, wanted);
	str_release(&str);
}

START_TEST(fingerprints_are_as_said)
{
	for (size_t i = 0; i < array_size(pairs); i++)
		is_fingerprint(pairs[i].sql, strlen(pairs[i].sql),
			       pairs[i].fingerprint);
}
END_TEST

/* The fingerprint of a fingerprint is the same: ? is a value like any other. */
START_TEST(fingerprints_stay)
{
	for (size_t i = 0; i < array_size(pairs); i++) {
		const char *once = pairs[i].fingerprint;

		if (!strstr(once, "call") && !strstr(once, "use ?") &&
		    !strstr(once, "- ?"))
			is_fingerprint(once, strlen(once), once);
	}
}
END_TEST

START_TEST(long_ones_are_cut)
{
	size_t length = 1 << 20;
	char *sql = malloc(length);
	struct str str;

	ck_assert_ptr_nonnull(sql);
	memset(sql, 'a', length);
	memcpy(sql, "select '", 8);
	sql[length - 1] = '\'';
	is_fingerprint(sql, length, "select ?");
	for (size_t i = 0; i < length; i++)
		sql[i] = "ab,"[i % 3];
	str_init(&str);
	fingerprint_add(&str, sql, length);
	ck_assert_uint_le(str.length, FINGERPRINT_MOST + 16);
	ck_assert_str_eq(str.text + str.length - 3, "...");
	str_release(&str);
	free(sql);
}
END_TEST

/* Every beginning and end of every query, and queries with bytes inserted. The
 * function ends, and reads nothing outside of the text (the buffer has exactly
 * the length of the text). */
START_TEST(any_bytes_have_one)
{
	static const char odd[] = "'\"`()$/*-#@:?%.,\\\0\xff"
				  "0x";
	unsigned seed = 1;

	for (size_t i = 0; i < array_size(pairs); i++) {
		size_t length = strlen(pairs[i].sql);

		for (size_t n = 0; n <= 4 * length; n++) {
			size_t from = n % (length + 1), size = length - from;
			char *exact = malloc(size ? size : 1);
			struct str str;

			ck_assert_ptr_nonnull(exact);
			memcpy(exact, pairs[i].sql + from, size);
			for (size_t change = 0; size && change < n / length;
			     change++) {
				seed = seed * 1103515245u + 12345u;
				exact[(seed >> 8) % size] =
					odd[(seed >> 20) % (sizeof(odd) - 1)];
			}
			str_init(&str);
			fingerprint_add(&str, exact, size);
			ck_assert_uint_le(str.length, 4 * size + 16);
			str_release(&str);
			free(exact);
		}
	}
}
END_TEST

/* Brackets may be nested to any depth. */
START_TEST(brackets_may_nest)
{
	enum { DEEP = 3000 };
	char sql[2 * DEEP + 3];
	struct str str;

	memset(sql, '(', DEEP);
	sql[DEEP] = '1';
	memset(sql + DEEP + 1, ')', DEEP + 1);
	str_init(&str);
	fingerprint_add(&str, sql, sizeof(sql) - 1);
	ck_assert_uint_eq(str.length, 2 * DEEP + 2);
	str_release(&str);
}
END_TEST

Suite *
fingerprint_suite(void)
{
	Suite *suite = suite_create("fingerprint");
	TCase *tests = tcase_create("fingerprint");

	tcase_add_test(tests, fingerprints_are_as_said);
	tcase_add_test(tests, fingerprints_stay);
	tcase_add_test(tests, long_ones_are_cut);
	tcase_add_test(tests, any_bytes_have_one);
	tcase_add_test(tests, brackets_may_nest);
	suite_add_tcase(suite, tests);
	return suite;
}
