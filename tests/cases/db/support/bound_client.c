/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Binds values of every type once, and executes the statement twice, with other
 * values in the buffers the second time. One value is sent before, in pieces.
 * Then it inserts three rows in bulk, and one row with the same statement.
 *
 * LDFLAGS: -lmariadb
 */
#include <mariadb/mysql.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static signed char tiny = -1;
static unsigned char utiny = 200;
static short small = -300;
static unsigned int number = 4000000000;
static long long large = -5000000000;
static float real = 1.5;
static double precise = 0.1;
static MYSQL_TIME moment = { .year = 2026, .month = 1, .day = 2, .hour = 3 };
static char text[] = "text";
static unsigned long text_length = 4;
static my_bool is_null = 1;

static MYSQL_BIND parameters[] = {
	{ .buffer_type = MYSQL_TYPE_TINY, .buffer = &tiny },
	{ .buffer_type = MYSQL_TYPE_TINY, .buffer = &utiny, .is_unsigned = 1 },
	{ .buffer_type = MYSQL_TYPE_SHORT, .buffer = &small },
	{ .buffer_type = MYSQL_TYPE_LONG, .buffer = &number, .is_unsigned = 1 },
	{ .buffer_type = MYSQL_TYPE_LONGLONG, .buffer = &large },
	{ .buffer_type = MYSQL_TYPE_FLOAT, .buffer = &real },
	{ .buffer_type = MYSQL_TYPE_DOUBLE, .buffer = &precise },
	{ .buffer_type = MYSQL_TYPE_DATETIME, .buffer = &moment },
	{ .buffer_type = MYSQL_TYPE_STRING,
	  .buffer = text,
	  .buffer_length = sizeof(text) - 1,
	  .length = &text_length },
	{ .buffer_type = MYSQL_TYPE_LONG,
	  .buffer = &number,
	  .is_null = &is_null },
	{ .buffer_type = MYSQL_TYPE_NULL },
};

static void
check(int failed, const char *what)
{
	if (!failed)
		return;
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static void
insert(MYSQL *base)
{
	static const char table[] =
		"CREATE TEMPORARY TABLE bulk (a int, b text)";
	static const char sql[] = "INSERT INTO bulk VALUES (?, ?)";
	int numbers[] = { 1, 2, 3 };
	char one[] = "one", two[] = "two", three[] = "three";
	char *words[] = { one, two, three };
	unsigned long lengths[] = { 3, 3, 5 };
	unsigned int rows = 3;
	MYSQL_BIND binds[] = {
		{ .buffer_type = MYSQL_TYPE_LONG, .buffer = numbers },
		{ .buffer_type = MYSQL_TYPE_STRING,
		  .buffer = words,
		  .length = lengths },
	};
	MYSQL_STMT *statement = mysql_stmt_init(base);

	check(mysql_query(base, table), mysql_error(base));
	check(mysql_stmt_prepare(statement, sql, sizeof(sql) - 1), "insert");
	check(mysql_stmt_attr_set(statement, STMT_ATTR_ARRAY_SIZE, &rows),
	      "three rows");
	check(mysql_stmt_bind_param(statement, binds), "bind three");
	check(mysql_stmt_execute(statement), mysql_stmt_error(statement));
	rows = 0;
	check(mysql_stmt_attr_set(statement, STMT_ATTR_ARRAY_SIZE, &rows),
	      "one row");
	binds[1].buffer = three;
	binds[1].length = &lengths[2];
	check(mysql_stmt_bind_param(statement, binds), "bind one");
	check(mysql_stmt_execute(statement), mysql_stmt_error(statement));
	mysql_stmt_close(statement);
}

int
main(void)
{
	static const char sql[] = "SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?";
	static const char other[] = "SELECT LENGTH(?), ?";
	MYSQL *base = mysql_init(NULL);
	MYSQL_BIND two[] = {
		{ .buffer_type = MYSQL_TYPE_STRING, .buffer = text },
		{ .buffer_type = MYSQL_TYPE_TINY, .buffer = &tiny },
	};
	MYSQL_STMT *statement;

	check(!mysql_real_connect(base, NULL, "root", "", "xtrace", 0,
				  getenv("MARIADB_SOCKET"), 0),
	      mysql_error(base));
	statement = mysql_stmt_init(base);
	check(mysql_stmt_prepare(statement, sql, sizeof(sql) - 1), "prepare");
	check(mysql_stmt_bind_param(statement, parameters), "bind");
	/* The library has copied the array of parameters by now. */
	memset(parameters, 0, sizeof(parameters));
	check(mysql_stmt_execute(statement), mysql_stmt_error(statement));
	mysql_stmt_free_result(statement);
	tiny = 1;
	strcpy(text, "te");
	text_length = 2;
	is_null = 0;
	check(mysql_stmt_execute(statement), mysql_stmt_error(statement));
	mysql_stmt_free_result(statement);
	check(mysql_stmt_prepare(statement, other, sizeof(other) - 1), "again");
	check(mysql_stmt_bind_param(statement, two), "bind again");
	check(mysql_stmt_send_long_data(statement, 0, "long", 4), "data");
	check(mysql_stmt_execute(statement), mysql_stmt_error(statement));
	mysql_stmt_close(statement);
	insert(base);
	mysql_close(base);
	return 0;
}
