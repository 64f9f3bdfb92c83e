/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An exception or a longjmp leaves the call of a query: no later query is taken
 * for a part of that call. The later calls are further down the stack, so that
 * their place does not show that the call is over. A call that is live is not
 * ended, although it is further down, too.
 *
 * VARIANT: exception -DTHROWS
 * VARIANT: longjmp -DJUMPS
 * LDFLAGS: -lsqlite3
 * NEEDS: /usr/include/sqlite3.h
 * RUN: xtrace --sql --min-time 50ms %t
 * CONTAINS:
 *   %time sqlite3_step "SELECT pause(100) -- slow 0" %any
 *   %time sqlite3_step "SELECT pause(100) -- slow 1" %any
 *   %time sqlite3_step "SELECT pause(100) -- slow 2" %any
 *   %time +++ exited (status 0) +++
 *
 * RUN: xtrace --engine=agent --sql --min-time 50ms %t
 * CONTAINS:
 *   %time sqlite3_step "SELECT pause(100) -- slow 0" %any
 *   %time sqlite3_step "SELECT pause(100) -- slow 1" %any
 *   %time sqlite3_step "SELECT pause(100) -- slow 2" %any
 *   %time +++ exited (status 0) +++
 *
 * A query that throws may take long on a busy machine, but not as long as the
 * slow ones of this run.
 *
 * RUN: xtrace --engine=agent --sql --min-time 700ms %t known
 * CONTAINS:
 *   %time sqlite3_step "SELECT pause(?1) -- known" %any
 *   %time sqlite3_step "SELECT pause(?1) -- known" %any
 *   %time sqlite3_step "SELECT pause(?1) -- known" %any
 *   %time +++ exited (status 0) +++
 * ABSENT:
 *   %time sqlite3_step "SELECT throws()" %any
 *
 * RUN: xtrace --sql -x work %t live
 * CONTAINS:
 *   %time sqlite3_step "SELECT pause(100) -- slow 0" %any
 *   %time work(%any) = 101 %any
 * COUNT: 3 %time work(%any) = 101 %any
 * ABSENT:
 *   %time work(%any) = <unwound> %any
 */
#include <setjmp.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define FAST 300
#define DEPTH 20

static void
pause_for(sqlite3_context *context, int, sqlite3_value **values)
{
	timespec time = { 0, sqlite3_value_int(values[0]) * 1000000 };

	nanosleep(&time, nullptr);
	sqlite3_result_int(context, 1);
}

static jmp_buf outside;

static void
throws(sqlite3_context *, int, sqlite3_value **)
{
#ifdef JUMPS
	longjmp(outside, 7);
#else
	throw 7;
#endif
}

static sqlite3_stmt *
prepare(const char *query)
{
	sqlite3_stmt *statement;
	sqlite3 *base;

	sqlite3_open(":memory:", &base);
	sqlite3_create_function(base, "pause", 1, SQLITE_UTF8, nullptr,
				pause_for, nullptr, nullptr);
	sqlite3_create_function(base, "throws", 0, SQLITE_UTF8, nullptr, throws,
				nullptr, nullptr);
	sqlite3_prepare_v2(base, query, -1, &statement, nullptr);
	return statement;
}

/* Steps with a stack that is `depth` frames deeper, each filled. The
 * instructions behind the call have room for a jump. */
__attribute__((noinline)) static int
step(sqlite3_stmt *statement, int depth)
{
	volatile char filled[256];
	int result;

	for (char &byte : *const_cast<char(*)[256]>(&filled))
		*static_cast<volatile char *>(&byte) = 1;
	if (depth) {
		result = step(statement, depth - 1);
	} else {
		result = sqlite3_step(statement);
		filled[3] = 2;
		filled[4] = 5;
		filled[200] = 7;
	}
	return filled[17] ? result : 0;
}

static int
leave(sqlite3_stmt *statement)
{
	int number = setjmp(outside);

	if (number)
		return number;
	try {
		step(statement, 0);
	} catch (int thrown) {
		return thrown;
	}
	return 0;
}

extern "C" __attribute__((noinline)) int
work(sqlite3_stmt *statement)
{
	int result = step(statement, 3);

	sqlite3_reset(statement);
	return result + 1;
}

__attribute__((noinline)) static int
work_deeper(sqlite3_stmt *statement, int depth)
{
	volatile char filled[256];
	int result;

	for (char &byte : *const_cast<char(*)[256]>(&filled))
		*static_cast<volatile char *>(&byte) = 1;
	result = depth ? work_deeper(statement, depth - 1) : work(statement);
	return filled[17] ? result : 0;
}

/* The slow query has a statement that was used before, and so has the place of
 * its call. */
static int
leave_for_known()
{
	sqlite3_stmt *known = prepare("SELECT pause(?1) -- known");
	int caught = 0;

	for (int i = 0; i < FAST; i++) {
		sqlite3_bind_int(known, 1, 0);
		step(known, 0);
		sqlite3_reset(known);
	}
	for (int i = 0; i < 3; i++) {
		sqlite3_stmt *thrown = prepare("SELECT throws()");

		sqlite3_bind_int(known, 1, 800);
		caught += leave(thrown);
		step(known, DEPTH);
		sqlite3_reset(known);
	}
	return caught == 21 ? 0 : 1;
}

int
main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "known"))
		return leave_for_known();

	bool live = argc > 1 && !strcmp(argv[1], "live");
	int caught = 0;
	sqlite3_stmt *fast = prepare("SELECT 1");

	for (int i = 0; i < FAST && !live; i++) {
		step(fast, 0);
		sqlite3_reset(fast);
	}
	for (int i = 0; i < 3; i++) {
		char query[64];
		sqlite3_stmt *thrown, *slow;

		snprintf(query, sizeof(query), "SELECT pause(100) -- slow %d",
			 i);
		slow = prepare(query);
		thrown = prepare("SELECT throws()");
		caught += leave(thrown);
		if (live)
			work_deeper(slow, DEPTH);
		else
			step(slow, DEPTH);
		sqlite3_reset(slow);
		for (int n = 0; n < FAST && !live; n++) {
			step(fast, 0);
			sqlite3_reset(fast);
		}
	}
	return caught == 21 ? 0 : 1;
}
