/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What statements and COM_CHANGE_USER do to the database of a connection to
 * MySQL. */
#include "protocols/mysql_database.h"

#include "base/attr.h"
#include "protocols/mysql_parts.h"
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

#define SECURE (MYSQL_CAN_PROTOCOL_41 | MYSQL_CAN_SECURE)
#define ROW(text) text, sizeof(text) - 1

static const struct user_row {
	const char *packet;
	size_t length;
	uint32_t can;
	const char *name; /* NULL: unknown */
} user_rows[] = {
	{ ROW("\x11root\0\0shop\0"), SECURE, "shop" },
	{ ROW("\x11root\0\0shop\0"), 0, "shop" },
	{ ROW("\x11root\0\0\0"), SECURE, "" },
	{ ROW("\x11\0\4\0a\0bshop\0!\0"), SECURE, "shop" },
	{ ROW("\x11root\0\3abcshop\0!\0mysql_native_password\0"), SECURE,
	  "shop" },
	{ ROW("\x11root\0\3abcl\303\244den\0!\0x\0\2\1a\0"), 0,
	  "l\303\244den" },
	/* a client before MySQL 4.1 */
	{ ROW("\x11root\0abcdefgh\0shop\0"), MYSQL_CAN_PROTOCOL_41, "shop" },
	{ ROW("\x11root\0abcdefgh\0shop\0"), 0, NULL },
	/* cut, or nonsense */
	{ ROW("\x11"), SECURE, NULL },
	{ ROW("\x11root"), SECURE, NULL },
	{ ROW("\x11root\0"), SECURE, NULL },
	{ ROW("\x11root\0\377shop\0"), SECURE, NULL },
	{ ROW("\x11root\0\3abc"), SECURE, NULL },
	{ ROW("\x11root\0\3abcshop"), SECURE, NULL },
	{ ROW("\x11root\0\3abcshop\0!"), SECURE, NULL },
	{ ROW("\x11root\0\3abcshop\0!\0mysql"), SECURE, NULL },
	{ ROW("\x11root\0\3abcshop\0!\0my\1\0"), SECURE, NULL },
	{ ROW("\x11root\0abc"), MYSQL_CAN_PROTOCOL_41, NULL },
};

START_TEST(of_users)
{
	const struct user_row *row = &user_rows[_i];
	unsigned char *packet = malloc(row->length);
	const char *name = NULL;
	size_t length = 0;

	memcpy(packet, row->packet, row->length);
	ck_assert_int_eq(mysql_database_of_user(packet, row->length, row->can,
						&name, &length),
			 row->name != NULL);
	if (row->name) {
		ck_assert_uint_eq(length, strlen(row->name));
		ck_assert_mem_eq(name, row->name, length);
	} else {
		ck_assert_ptr_null(name);
	}
	free(packet);
}
END_TEST

Suite *
mysql_database_suite(void)
{
	Suite *suite = suite_create("mysql_database");
	TCase *tests = tcase_create("mysql_database");

	tcase_add_loop_test(tests, after_statements, 0, (int)array_size(rows));
	tcase_add_loop_test(tests, of_users, 0, (int)array_size(user_rows));
	suite_add_tcase(suite, tests);
	return suite;
}
