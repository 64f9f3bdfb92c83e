/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls MariaDB's functions that do not block: begins each, and continues it
 * when the socket is ready. With a second argument it waits for a line first.
 *
 * LDFLAGS: -lmariadb
 */
#include <mariadb/mysql.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MYSQL *base;

static int
wait_for(int what)
{
	struct pollfd fd = { .fd = mysql_get_socket(base) };

	if (what & MYSQL_WAIT_READ)
		fd.events |= POLLIN;
	if (what & MYSQL_WAIT_WRITE)
		fd.events |= POLLOUT;
	if (poll(&fd, 1, 10000) <= 0)
		exit(2);
	return (fd.revents & POLLIN ? MYSQL_WAIT_READ : 0) |
	       (fd.revents & POLLOUT ? MYSQL_WAIT_WRITE : 0);
}

#define RUN(function, ret, ...)                                         \
	do {                                                            \
		int what = function##_start(ret, __VA_ARGS__);          \
                                                                        \
		while (what)                                            \
			what = function##_cont(ret, FIRST(__VA_ARGS__), \
					       wait_for(what));         \
	} while (0)
#define FIRST(first, ...) FIRST_(first, )
#define FIRST_(first, ...) first

static void
ask(const char *sql)
{
	int failed = 1;

	RUN(mysql_real_query, &failed, base, sql, strlen(sql));
	printf("%d\n", failed);
	if (!failed)
		mysql_free_result(mysql_store_result(base));
}

static void
prepare(const char *sql)
{
	MYSQL_STMT *statement = mysql_stmt_init(base);
	int failed = 1;

	RUN(mysql_stmt_prepare, &failed, statement, sql, strlen(sql));
	printf("%d\n", failed);
	if (!failed) {
		int what = mysql_stmt_execute_start(&failed, statement);

		while (what)
			what = mysql_stmt_execute_cont(&failed, statement,
						       wait_for(what));
		printf("%d\n", failed);
	}
	mysql_stmt_close(statement);
}

int
main(int argc, char **argv)
{
	(void)argv;
	setvbuf(stdout, NULL, _IOLBF, 0);
	base = mysql_init(NULL);
	mysql_options(base, MYSQL_OPT_NONBLOCK, NULL);
	if (!mysql_real_connect(base, NULL, "root", "", "xtrace", 0,
				getenv("MARIADB_SOCKET"), 0))
		return 1;
	if (argc > 1) {
		puts("ready");
		getchar();
	}
	ask("SELECT 1");
	ask("SELECT SLEEP(0.2)");
	ask("SELEKT 3");
	for (int i = 0; i < 20; i++)
		ask("SELECT 4");
	prepare("SELECT SLEEP(0.1), 5");
	prepare("SELEKT 6");
	mysql_close(base);
	return 0;
}
