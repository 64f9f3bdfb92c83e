/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queries that several calls make, as with libmariadb: one call brings the
 * beginning of the answer, and later calls bring its rows. In this test, a
 * struct line is a connection or a result.
 */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"
#include "tests/unit/tracer/told.h"

#include "base/attr.h"
#include "output/tee.h"
#include "tests/unit/checks.h"
#include "tracer/queries/probes.h"
#include "tracer/report/report.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

struct line {
	int more, count, state;
};

/* Accessors: their code is interpreted, not executed. */
_Static_assert(offsetof(struct line, count) == 4 &&
		       offsetof(struct line, state) == 8,
	       "see below");
__asm__(".pushsection .text\n"
	".type unit_line_more, @function\n"
	"unit_line_more:\n\t"
	"mov (%rdi),%eax\n\t"
	"ret\n"
	".size unit_line_more, . - unit_line_more\n"
	".type unit_line_count, @function\n"
	"unit_line_count:\n\t"
	"mov 4(%rdi),%eax\n\t"
	"ret\n"
	".size unit_line_count, . - unit_line_count\n"
	".type unit_line_state, @function\n"
	"unit_line_state:\n\t"
	"mov 8(%rdi),%eax\n\t"
	"ret\n"
	".size unit_line_state, . - unit_line_state\n"
	".popsection");

static struct line line, result;
static int ends[2];

/* Sends the text if there is a server. `fate` tells whether the query has no
 * rows, fails, or has rows. */
TARGET static int
unit_line_query(struct line *of, const char *text, int fate)
{
	if (ends[0] && send(ends[0], text, 4, 0) != 4)
		_exit(1);
	of->state = fate > 1;
	return fate;
}

TARGET static struct line *
unit_line_store(struct line *of)
{
	return of->more > 1 ? NULL : &result;
}

TARGET static struct line *
unit_line_use(struct line *of)
{
	return of ? &result : NULL;
}

TARGET static void
unit_line_free(struct line *of)
{
	of->count = 0;
}

TARGET static void
unit_line_close(struct line *of)
{
	of->more = 0;
}

TARGET static int
unit_line_send(struct line *of, const char *text)
{
	return of && text[0] ? 0 : -1;
}

TARGET static int
unit_line_wait(struct line *of)
{
	return of->state;
}

TARGET static struct line *
unit_line_start(const char *text)
{
	return text[0] ? &line : NULL;
}

static const char set[] =
	"set \"lines\";\n"
	"wire;\n"
	"int unit_line_more(addr l);\n"
	"int unit_line_count(addr l);\n"
	"int unit_line_state(addr l);\n"
	"int unit_line_query(addr l, sql text, int fate);\n"
	"addr unit_line_store(addr l);\n"
	"addr unit_line_use(addr l);\n"
	"void unit_line_free(addr l);\n"
	"void unit_line_close(addr l);\n"
	"int unit_line_send(addr l, sql text);\n"
	"int unit_line_wait(addr l);\n"
	"addr unit_line_start(sql text);\n"
	"probe unit_line_query {\n"
	"	begin query[l] anew if retval > 0;\n"
	"	answered query[l];\n"
	"	show text;\n"
	"	error if retval < 0;\n"
	"	transaction l, unit_line_state(l) if retval >= 0;\n"
	"}\n"
	"probe unit_line_store {\n"
	"	end query[l] if !unit_line_more(l) || !retval;\n"
	"	error 5, \"no more\" if !retval;\n"
	"	rows unit_line_count(retval) if retval;\n"
	"	transaction l, unit_line_state(l);\n"
	"}\n"
	"probe unit_line_use {\n"
	"	link query[l] as result[retval] while unit_line_more\n"
	"		rows unit_line_count if retval;\n"
	"}\n"
	"probe unit_line_free { end result[l]; }\n"
	"probe unit_line_close {\n"
	"	forget query[l];\n"
	"	transaction l, 0;\n"
	"}\n"
	"probe unit_line_send {\n"
	"	begin sent[l] if !retval;\n"
	"	show text;\n"
	"}\n"
	"probe unit_line_wait {\n"
	"	end sent[l] if !retval;\n"
	"	rows \"DONE 3\";\n"
	"}\n"
	"probe unit_line_start {\n"
	"	begin sent[retval] if retval;\n"
	"	show text;\n"
	"}\n";

/* Expects that the sinks are told these queries. The times are those of the
 * clock. */
static void
expect_so(const char *options, void (*run)(void), const char *expected)
{
	struct stage stage;
	struct told told;

	stage_open(&stage, options, set, run);
	told_init(&told);
	tee_add(stage.session.tee, &told.sink);
	stage_run(&stage);
	free(stage_close(&stage));
	told_expect(&told, expected);
	told_release(&told);
}

static void
expect(void (*run)(void), const char *expected)
{
	expect_so("--wall --set stage.conf", run, expected);
}

/* ---- rows ------------------------------------------------------------------
 */

static void
store(void)
{
	unit_line_query(&line, "NONE", 0);
	unit_line_query(&line, "SOME", 1);
	result.count = 5;
	unit_line_store(&line);
	unit_line_query(&line, "FAIL", -1);
}

START_TEST(rows_that_are_stored)
{
	expect(store, "unit_line_query \"NONE\"\n"
		      "unit_line_query \"SOME\" rows 5 apart\n"
		      "unit_line_query \"FAIL\" failed\n");
}
END_TEST

static void
store_results(void)
{
	unit_line_query(&line, "TWO", 1);
	line.more = 1;
	result.count = 5;
	unit_line_store(&line);
	line.more = 0;
	result.count = 2;
	unit_line_store(&line);
}

START_TEST(several_results)
{
	expect(store_results, "unit_line_query \"TWO\" rows 7 apart\n");
}
END_TEST

static void
fail_late(void)
{
	unit_line_query(&line, "LATE", 1);
	line.more = 2;
	unit_line_store(&line);
}

START_TEST(an_error_while_rows_come)
{
	expect(fail_late,
	       "unit_line_query \"LATE\" failed 5 (no more) apart\n");
}
END_TEST

/* The result knows how many rows it has received until it is freed. */
static void
use(void)
{
	unit_line_query(&line, "USE", 1);
	unit_line_use(&line);
	result.count = 4;
	unit_line_free(&result);
	/* Nothing is linked with the result any more. */
	unit_line_free(&result);
}

START_TEST(rows_one_by_one)
{
	expect(use, "unit_line_query \"USE\" rows 4 apart\n");
}
END_TEST

static void
use_results(void)
{
	unit_line_query(&line, "TWO", 1);
	unit_line_use(&line);
	result.count = 4;
	line.more = 1;
	unit_line_free(&result);
	unit_line_use(&line);
	result.count = 3;
	line.more = 0;
	unit_line_free(&result);
}

START_TEST(several_results_one_by_one)
{
	expect(use_results, "unit_line_query \"TWO\" rows 7 apart\n");
}
END_TEST

/* ---- ends ------------------------------------------------------------------
 */

static void
query_again(void)
{
	unit_line_query(&line, "ONE", 1);
	unit_line_query(&line, "TWO", 1);
	unit_line_close(&line);
	unit_line_query(&line, "OPEN", 1);
}

/* The server has answered all queries, so they have ended well, although the
 * client has not fetched their rows. */
START_TEST(rows_that_are_not_fetched)
{
	expect(query_again, "unit_line_query \"ONE\"\n"
			    "unit_line_query \"TWO\"\n"
			    "unit_line_query \"OPEN\"\n");
}
END_TEST

static void
pipeline(void)
{
	unit_line_send(&line, "ONE");
	unit_line_send(&line, "TWO");
	unit_line_wait(&line);
	unit_line_send(&line, "LOST");
	unit_line_wait(&line);
}

START_TEST(queries_of_a_pipeline)
{
	expect(pipeline, "unit_line_send \"ONE\" rows 3\n"
			 "unit_line_send \"TWO\" rows 3\n"
			 "unit_line_send \"LOST\" no return\n");
}
END_TEST

/* The key is known only when the call has returned. */
static void
start(void)
{
	unit_line_start("");
	unit_line_start("START");
	line.state = 1;
	unit_line_wait(&line);
	line.state = 0;
	unit_line_wait(&line);
}

START_TEST(a_key_that_is_the_result)
{
	expect(start, "unit_line_start \"\"\n"
		      "unit_line_start \"START\" rows 6\n");
}
END_TEST

/* ---- reads of the connection -----------------------------------------------
 */

static void
serve(size_t length)
{
	static const char zeros[64];

	syscall(SYS_sendto, ends[1], zeros, length, 0, NULL, 0);
}

static void
read_rows(void)
{
	char room[64];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		_exit(2);
	unit_line_query(&line, "READ", 1);
	unit_line_use(&line);
	serve(10);
	if (recv(ends[0], room, sizeof(room), 0) != 10 ||
	    recv(ends[0], room, sizeof(room), MSG_DONTWAIT) > 0)
		_exit(3);
	serve(7);
	/* MSG_PEEK looks at the bytes and does not read them. */
	if (recv(ends[0], room, sizeof(room), MSG_PEEK) != 7 ||
	    recv(ends[0], room, sizeof(room), 0) != 7)
		_exit(4);
	result.count = 2;
	unit_line_free(&result);
	/* The next bytes belong to no query. */
	serve(3);
	if (recv(ends[0], room, sizeof(room), 0) != 3)
		_exit(5);
}

/* The time between two reads is the program's own time. */
START_TEST(reads_between_the_calls)
{
	expect(read_rows, "unit_line_query \"READ\" rows 2 bytes 17 apart\n");
}
END_TEST

static void
write_rows(void)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		_exit(2);
	unit_line_query(&line, "COPY", 1);
	if (send(ends[0], "rows", 4, 0) != 4)
		_exit(3);
	line.more = 0;
	unit_line_store(&line);
}

START_TEST(rows_that_are_sent)
{
	expect(write_rows, "unit_line_query \"COPY\" rows 0 bytes 4 apart\n");
}
END_TEST

/* ---- transactions ----------------------------------------------------------
 */

static void
commit(void)
{
	unit_line_query(&line, "SELECT", 0);
	unit_line_query(&line, "BEGIN", 2);
	unit_line_store(&line);
	unit_line_query(&line, "COMMIT", 0);
	unit_line_query(&line, "BEGIN", 2);
	unit_line_store(&line);
	unit_line_close(&line);
}

/* Queries are left out while two calls are open that belong to the span of an
 * earlier call. One of the two calls belongs to a suspended coroutine. */
START_TEST(a_cut_forgets_spans)
{
	static struct session session;
	struct call_span span = { .key = NULL };
	struct tracepoint tracepoint = { .kind = TRACEPOINT_PROBED };
	struct probing probing[2] = { { .span = &span }, { .span = &span } };
	struct thread_record record = { .silent = false };
	struct space space = { .pid = 1 };
	struct program program = { .session = &session, .space = &space };
	struct open_call open[2];
	struct call call[2];

	memset(open, 0, sizeof(open));
	memset(call, 0, sizeof(call));
	for (int i = 0; i < 2; i++) {
		open[i].tracepoint = &tracepoint;
		open[i].own = &probing[i];
		call[i].user = &open[i];
	}
	vec_push(&record.calls.live, &call[0]);
	vec_push(&record.calls.away, &call[1]);
	map_init(&session.records);
	map_put(&session.records, 1, &record);
	session.memory = memory_new();
	probes_life.cut(&program);
	ck_assert_ptr_null(probing[0].span);
	ck_assert_ptr_null(probing[1].span);
	memory_free(session.memory);
	map_release(&session.records);
	vec_release(&record.calls.live);
	vec_release(&record.calls.away);
}
END_TEST

START_TEST(transactions_of_a_line)
{
	expect_so("--wall --transactions --set stage.conf", commit,
		  "unit_line_query \"SELECT\"\n"
		  "unit_line_query \"BEGIN\" rows 0 apart of transaction 1\n"
		  "unit_line_query \"COMMIT\" of transaction 1\n"
		  "transaction 1 committed, 2 queries\n"
		  "unit_line_query \"BEGIN\" rows 0 apart of transaction 2\n"
		  "transaction 2 closed, 1 queries\n");
}
END_TEST

Suite *
probe_spans_suite(void)
{
	Suite *suite = suite_create("tracer/probe_spans");
	TCase *tests = tcase_create("probe_spans");

	tcase_add_test(tests, rows_that_are_stored);
	tcase_add_test(tests, several_results);
	tcase_add_test(tests, an_error_while_rows_come);
	tcase_add_test(tests, rows_one_by_one);
	tcase_add_test(tests, several_results_one_by_one);
	tcase_add_test(tests, rows_that_are_not_fetched);
	tcase_add_test(tests, queries_of_a_pipeline);
	tcase_add_test(tests, a_key_that_is_the_result);
	tcase_add_test(tests, reads_between_the_calls);
	tcase_add_test(tests, rows_that_are_sent);
	tcase_add_test(tests, a_cut_forgets_spans);
	tcase_add_test(tests, transactions_of_a_line);
	suite_add_tcase(suite, tests);
	return suite;
}
