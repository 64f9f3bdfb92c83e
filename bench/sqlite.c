/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sqlite N: makes N fast calls of SQLite: turns of sqlite3_step(),
 * sqlite3_column_int() and sqlite3_reset(). Prints the nanoseconds per call:
 * mean and median (subject_time()). The exit status is 2 if there is no SQLite.
 */
#include "bench/subject.h"

#include <dlfcn.h>

#define CALLS 3
#define ROW 100 /* SQLITE_ROW of sqlite3.h */

static int (*step)(void *statement), (*reset)(void *statement);
static int (*column)(void *statement, int column);
static void *statement;
static volatile int sink;

static void *
function(void *library, const char *name)
{
	void *found = dlsym(library, name);

	if (!found)
		exit(2);
	return found;
}

static void
take_turns(long count)
{
	for (long i = 0; i < count; i++) {
		if (step(statement) != ROW)
			exit(2);
		sink = column(statement, 0);
		reset(statement);
	}
}

int
main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 30000;
	void *library = dlopen("libsqlite3.so.0", RTLD_NOW), *db;
	int (*open)(const char *, void **);
	int (*prepare)(void *, const char *, int, void **, const char **);
	double took, median;

	if (!library)
		return 2;
	open = function(library, "sqlite3_open");
	prepare = function(library, "sqlite3_prepare_v2");
	step = function(library, "sqlite3_step");
	reset = function(library, "sqlite3_reset");
	column = function(library, "sqlite3_column_int");
	if (open(":memory:", &db) != 0 ||
	    prepare(db, "SELECT 1", -1, &statement, NULL) != 0)
		return 2;
	took = subject_time(take_turns, count / CALLS, &median);
	printf("%.3f %.3f\n", took / CALLS, median / CALLS);
	return 0;
}
