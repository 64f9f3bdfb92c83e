/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An exception leaves the call of a query. A connection that is used further
 * down the stack is not taken for a part of that call: the queries that are
 * read from it are shown.
 *
 * LDFLAGS: -lsqlite3
 * NEEDS: /usr/include/sqlite3.h postgresql
 * RUN: xtrace --sql %t
 * EXPECT:
 *   %time sqlite3_step "SELECT throws()" = <unwound> <%dur>
 *   %time postgresql "SELECT 1 -- 0" = 1 <%dur>
 *   %time postgresql "SELECT 1 -- 1" = 1 <%dur>
 *   %time +++ exited (status 0) +++
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define DEPTH 20

static void
throws(sqlite3_context *, int, sqlite3_value **)
{
	throw 7;
}

static int
leave()
{
	sqlite3_stmt *statement;
	sqlite3 *base;

	sqlite3_open(":memory:", &base);
	sqlite3_create_function(base, "throws", 0, SQLITE_UTF8, nullptr, throws,
				nullptr, nullptr);
	sqlite3_prepare_v2(base, "SELECT throws()", -1, &statement, nullptr);
	try {
		sqlite3_step(statement);
	} catch (int thrown) {
		return thrown;
	}
	return 0;
}

/* Reads messages, up to the message of a server that is ready. */
static bool
await_ready(int fd)
{
	char bytes[4096];
	size_t length = 0;

	while (length < 6 || bytes[length - 6] != 'Z') {
		ssize_t n = recv(fd, bytes + length, sizeof(bytes) - length, 0);

		if (n <= 0)
			return false;
		length += n;
	}
	return true;
}

static bool
log_in(int fd)
{
	static const char parameters[] =
		"user\0xtrace\0database\0postgres\0"; /* and a NUL */
	char message[8 + sizeof(parameters)] = {
		0, 0, 0, sizeof(message), 0, 3, 0, 0,
	};

	memcpy(message + 8, parameters, sizeof(parameters));
	return send(fd, message, sizeof(message), 0) > 0 && await_ready(fd);
}

static bool
talk()
{
	sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/.s.PGSQL.5432",
		 getenv("PGHOST"));
	if (connect(fd, (sockaddr *)&address, sizeof(address)) < 0 ||
	    !log_in(fd))
		return false;
	for (int i = 0; i < 2; i++) {
		char message[] = "Q\0\0\0\022SELECT 1 -- 0";

		message[sizeof(message) - 2] += i;
		if (send(fd, message, sizeof(message), 0) < 0 ||
		    !await_ready(fd))
			return false;
	}
	return true;
}

/* With a stack that is `depth` frames deeper, each filled. */
__attribute__((noinline)) static bool
talk_deeper(int depth)
{
	volatile char filled[256];
	bool talked;

	for (char &byte : *const_cast<char(*)[256]>(&filled))
		*static_cast<volatile char *>(&byte) = 1;
	talked = depth ? talk_deeper(depth - 1) : talk();
	return filled[17] && talked;
}

int
main()
{
	return leave() == 7 && talk_deeper(DEPTH) ? 0 : 1;
}
