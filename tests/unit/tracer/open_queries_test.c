/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queries that have not ended. A copy of the test calls unit_tick() or
 * unit_page() when a query is open, and the session takes their returns for the
 * tick of its clock, or for the time to draw a page. The times are those of the
 * clock
 * (--wall), so a query that is open has always taken 1 ns.
 */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"
#include "tests/unit/tracer/told.h"

#include "base/attr.h"
#include "output/tee.h"
#include "tests/unit/checks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

TARGET static void
unit_tick(void)
{
}

TARGET static void
unit_page(void)
{
}

static void (*meanwhile)(void);

TARGET static int
unit_post_run(int post, const char *text)
{
	meanwhile();
	return post + !text[0];
}

/* The probe shows a call of this function only if its result is above 1. */
TARGET static int
unit_post_try(int post, const char *text)
{
	return unit_post_run(post, text);
}

TARGET static int
unit_post_send(int post, const char *text)
{
	return post && text[0] ? 0 : -1;
}

TARGET static int
unit_post_wait(int post)
{
	return post - 1;
}

/* Fetches the next row. Returns 0 if there is no more row. */
TARGET static int
unit_post_step(int post, const char *text, int more)
{
	if (more == 1)
		meanwhile();
	return post && text[0] ? more : -1;
}

/* These functions are not queries. What they return depends on the call within,
 * so that the compiler makes no tail call of it. */
TARGET static int
unit_post_inner(void)
{
	meanwhile();
	return meanwhile != NULL;
}

TARGET static int
unit_post_outer(void)
{
	return unit_post_inner() + 1;
}

static const char set[] = "set \"posts\";\n"
			  "void unit_tick(void);\n"
			  "void unit_page(void);\n"
			  "int unit_post_inner(void);\n"
			  "int unit_post_outer(void);\n"
			  "int unit_post_run(int p, sql text);\n"
			  "int unit_post_try(int p, sql text);\n"
			  "int unit_post_send(int p, sql text);\n"
			  "int unit_post_wait(int p);\n"
			  "int unit_post_step(int p, sql text, int more);\n"
			  "probe unit_post_run { show text; }\n"
			  "probe unit_post_try { show text if retval > 1; }\n"
			  "probe unit_post_send {\n"
			  "	begin asked[p] if !retval;\n"
			  "	show text;\n"
			  "}\n"
			  "probe unit_post_wait { end asked[p] if !retval; }\n"
			  "probe unit_post_step {\n"
			  "	begin rows[p] inside if retval > 0;\n"
			  "	end rows[p] if retval <= 0;\n"
			  "	rows 1 if retval > 0;\n"
			  "	show text;\n"
			  "}\n";

/* This set has no probes: if a module has probed functions, xtrace does not
 * read the bytes that the module's own code sends. */
static const char wire[] = "set \"conversations\";\n"
			   "wire;\n"
			   "void unit_tick(void);\n"
			   "void unit_page(void);\n";

static void
heard(struct told *told, const struct event *event)
{
	struct stage *stage = told->user;

	if (event->kind != EVENT_RETURN)
		return;
	if (!strcmp(event->call->name, "unit_tick"))
		atomic_store(&stage->clockwork.tick, true);
	else if (!strcmp(event->call->name, "unit_page"))
		atomic_store(&stage->clockwork.draw, true);
}

/* Expects that the sinks are told these queries and pages. */
static void
expect_with(const char *conf, const char *line, void (*run)(void),
	    const char *expected)
{
	struct stage stage;
	struct told told;

	stage_open(&stage, line, conf, run);
	/* The clockwork wakes the thread that shows pages. */
	clockwork_init(&stage.clockwork, false, 0);
	told_init(&told);
	told.heard = heard;
	told.user = &stage;
	tee_add(stage.session.tee, &told.sink);
	stage_run(&stage);
	free(stage_close(&stage));
	told_expect(&told, expected);
	told_release(&told);
}

static void
expect(const char *line, void (*run)(void), const char *expected)
{
	expect_with(set, line, run, expected);
}

#define TICKS "--wall --in-flight 1ns -x unit_tick --set stage.conf"
#define PAGES \
	"--wall -x unit_page+unit_post_inner+unit_post_outer --set stage.conf"

static void
tick_twice(void)
{
	unit_tick();
	unit_tick();
}

static void
run_one(void)
{
	meanwhile = tick_twice;
	unit_post_run(1, "RUN");
}

/* A query that is open at two ticks is announced once. */
START_TEST(within_a_call)
{
	expect(TICKS, run_one,
	       "+unit_post_run \"RUN\"\n"
	       "unit_post_run \"RUN\"\n");
}
END_TEST

/* Whether a call is shown depends on its result, so an open call is not
 * announced. */
static void
try_one(void)
{
	meanwhile = unit_tick;
	unit_post_try(1, "TRY");
	unit_post_try(2, "TRY");
}

START_TEST(a_call_that_may_not_be_shown)
{
	expect(TICKS, try_one, "unit_post_try \"TRY\"\n");
}
END_TEST

static void
send_and_wait(void)
{
	unit_post_send(1, "SEND");
	tick_twice();
	unit_post_wait(1);
	unit_tick();
}

START_TEST(between_two_calls)
{
	expect(TICKS, send_and_wait,
	       "+unit_post_send \"SEND\"\n"
	       "unit_post_send \"SEND\"\n");
}
END_TEST

START_TEST(not_with_a_condition)
{
	expect(TICKS " --if duration>=0", send_and_wait,
	       "unit_post_send \"SEND\"\n");
}
END_TEST

START_TEST(not_before_its_time)
{
	expect("--wall --in-flight 1h -x unit_tick --set stage.conf",
	       send_and_wait, "unit_post_send \"SEND\"\n");
}
END_TEST

/* A query is open between its steps. It is announced only within a step,
 * because only the time within the steps counts. */
static void
step(void)
{
	meanwhile = unit_tick;
	unit_post_step(1, "STEP", 2);
	unit_tick();
	unit_post_step(1, "STEP", 1);
	unit_post_step(1, "STEP", 0);
}

START_TEST(within_a_later_call)
{
	expect(TICKS, step,
	       "+unit_post_step \"STEP\"\n"
	       "unit_post_step \"STEP\" rows 2\n");
}
END_TEST

static int ends[2];

static void
talk(void)
{
	static const char query[] = "Q\0\0\0\15SELECT 1";
	static const char reply[] = "C\0\0\0\15SELECT 1\0Z\0\0\0\5I";
	char room[64];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 ||
	    send(ends[0], query, sizeof(query), 0) != sizeof(query))
		_exit(1);
	meanwhile();
	syscall(SYS_sendto, ends[1], reply, sizeof(reply) - 1, 0, NULL, 0);
	if (recv(ends[0], room, sizeof(room), 0) < 0)
		_exit(2);
	meanwhile();
}

static void
talk_with_ticks(void)
{
	meanwhile = tick_twice;
	talk();
}

START_TEST(on_a_connection)
{
	expect_with(wire, TICKS, talk_with_ticks,
		    "+postgresql \"SELECT 1\"\n"
		    "postgresql \"SELECT 1\" rows 1 bytes 20\n");
}
END_TEST

/* ---- pages -----------------------------------------------------------------
 */

static void
two_pages(void)
{
	unit_page();
	unit_page();
}

static void
run_with_pages(void)
{
	meanwhile = two_pages;
	unit_post_run(1, "RUN");
	unit_post_send(1, "SEND");
	unit_page();
	unit_post_wait(1);
}

/* Each page has the open query, and no call within the query. */
START_TEST(a_query_on_each_page)
{
	expect(PAGES, run_with_pages,
	       "@unit_post_run \"RUN\"\npage\n"
	       "@unit_post_run \"RUN\"\npage\n"
	       "unit_post_run \"RUN\"\n"
	       "@unit_post_send \"SEND\"\npage\n"
	       "unit_post_send \"SEND\"\n");
}
END_TEST

static void
talk_with_pages(void)
{
	meanwhile = unit_page;
	talk();
}

START_TEST(a_connection_on_a_page)
{
	expect_with(wire, PAGES, talk_with_pages,
		    "@postgresql \"SELECT 1\"\npage\n"
		    "postgresql \"SELECT 1\" rows 1 bytes 20\n"
		    "page\n");
}
END_TEST

static void
call_plain(void)
{
	meanwhile = unit_page;
	unit_post_outer();
}

/* If no query is open, a page has the innermost open call. */
START_TEST(the_innermost_call)
{
	expect(PAGES, call_plain, "@unit_post_inner ?\npage\n");
}
END_TEST

START_TEST(no_page_with_a_condition)
{
	expect(PAGES " --if duration>=0", call_plain, "page\n");
}
END_TEST

Suite *
open_queries_suite(void)
{
	Suite *suite = suite_create("tracer/open_queries");
	TCase *tests = tcase_create("open_queries");

	tcase_add_test(tests, within_a_call);
	tcase_add_test(tests, a_call_that_may_not_be_shown);
	tcase_add_test(tests, between_two_calls);
	tcase_add_test(tests, not_with_a_condition);
	tcase_add_test(tests, not_before_its_time);
	tcase_add_test(tests, within_a_later_call);
	tcase_add_test(tests, on_a_connection);
	tcase_add_test(tests, a_query_on_each_page);
	tcase_add_test(tests, a_connection_on_a_page);
	tcase_add_test(tests, the_innermost_call);
	tcase_add_test(tests, no_page_with_a_condition);
	suite_add_tcase(suite, tests);
	return suite;
}
