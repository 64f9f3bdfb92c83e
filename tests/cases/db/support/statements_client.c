/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Steps many statements of SQLite once, and then others again and again: CALLS
 * calls, unless that takes longer than LIMIT seconds. Prints how many.
 *
 * LDFLAGS: -lsqlite3
 */
#include <sqlite3.h>
#include <stdio.h>
#include <time.h>

#define ONCE 1500
#define AGAIN 300
#define CALLS 1000000
#define LIMIT 30

static sqlite3_stmt *statements[ONCE + AGAIN];

static int
run(sqlite3_stmt *statement)
{
	return sqlite3_step(statement) == SQLITE_ROW &&
	       sqlite3_reset(statement) == SQLITE_OK;
}

int
main(void)
{
	time_t end = time(NULL) + LIMIT;
	int calls = 0;
	sqlite3 *base;

	if (sqlite3_open(":memory:", &base) != SQLITE_OK)
		return 1;
	for (int i = 0; i < ONCE + AGAIN; i++)
		if (sqlite3_prepare_v2(base, "SELECT 1", -1, &statements[i],
				       NULL) != SQLITE_OK)
			return 1;
	for (int i = 0; i < ONCE; i++)
		if (!run(statements[i]))
			return 1;
	while (calls < CALLS && time(NULL) < end)
		for (int i = ONCE; i < ONCE + AGAIN; i++, calls += 2)
			if (!run(statements[i]))
				return 1;
	printf("%d calls\n", calls);
	return 0;
}
