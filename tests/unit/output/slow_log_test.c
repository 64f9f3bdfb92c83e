/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --slow-log: queries whose text is not known, queries of which only a part of
 * the time is known, and what the log has of their answers.
 * tests/cases/db/slow-log.py has programs that read the log. */
#include "suites.h"

#include "script.h"
#include "stacks/stack.h"
#include "subject.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAIN SCRIPT_PID
#define MS UINT64_C(1000)
/* 2026-01-14 22:31:49 UTC, and a part of a second. */
#define BEGIN (UINT64_C(1768429909) * 1000000000 + 900000000)

static struct script script;
static struct subject *subject;

static const struct frame asks = { .kind = FRAME_PYTHON,
				   .function = "index",
				   .file = "my views\n.py",
				   .line = 22 };

static void
begin(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
	script_init(&script);
	script.look.epoch_offset = BEGIN;
	script_open(&script, slow_log_sink_new);
	subject = subject_new("int ask(addr, string, sql(string));\n");
}

static void
expect(const char *text)
{
	script_expect(&script, text);
	subject_free(subject);
}

/* A query from 0 to 1200 ms. A text that is NULL is unknown. */
static void
ask(struct event_call *call, const char *text, enum call_end end)
{
	subject_enter(subject, call,
		      (uint64_t[6]){ 0x55d0, subject_text(subject, "a\33"),
				     text ? subject_text(subject, text) : 0 });
	script_enter(&script, MAIN, call, 0);
	subject_leave_entry(subject);
	script_end(&script, MAIN, call, 1200 * MS, end);
}

#define OPENING                                                         \
	"/usr/bin/xtrace, not mysqld, Version: xtrace. started with:\n" \
	"Tcp port: 0  Unix socket: unknown\n"                           \
	"Time\t\t    Id Command\tArgument\n"
#define HEAD                                                      \
	"# Time: 260114 22:31:51\n"                               \
	"# User@Host: unknown[unknown] @ unknown []  Id:  1000\n" \
	"# Query_time: 1.200000  Lock_time: 0.000000"
#define TIMESTAMP "SET timestamp=1768429909;\n"

START_TEST(answers_are_told)
{
	struct event_outcome outcome = {
		.failed = true,
		.has_code = true,
		.code = 7,
		.has_rows = true,
		.rows = 3,
		.has_bytes = true,
		.bytes = 70,
		.state = "42000",
	};
	struct event_call *call;

	begin();
	call = script_call(&script, "ask");
	call->frames = &asks;
	call->frame_count = 1;
	call->outcome = &outcome;
	ask(call, "SELECT 1", CALL_RETURNED);
	call = script_call(&script, "ask");
	outcome = (struct event_outcome){
		.failed = true, .state = "1 x=2", .has_rows = true, .rows = 4
	};
	call->outcome = &outcome;
	ask(call, "/* a */\n Update t set a = 1", CALL_RETURNED);
	expect(OPENING HEAD
	       "  Rows_sent: 3  Rows_examined: 0  Bytes_sent: 70"
	       "  Errno: 7  Sqlstate: 42000  Where: "
	       "my_views\\n.py:22\n" TIMESTAMP "SELECT 1;\n" HEAD
	       "  Rows_sent: 0  Rows_examined: 0  Rows_affected: 4\n" TIMESTAMP
	       "/* a */\n Update t set a = 1;\n");
}
END_TEST

START_TEST(parts_are_marked)
{
	struct event_call *call;

	begin();
	call = script_call(&script, "ask");
	call->before = true;
	ask(call, "SELECT 1", CALL_UNFINISHED);
	ask(script_call(&script, "ask"), "SELECT 2", CALL_NO_RETURN);
	ask(script_call(&script, "ask"), "SELECT 3", CALL_ENTRY_ONLY);
	expect(OPENING HEAD "  Rows_sent: 0  Rows_examined: 0\n" TIMESTAMP
			    "SELECT 1 /* began before xtrace attached */"
			    " /* unfinished */;\n" HEAD
			    "  Rows_sent: 0  Rows_examined: 0\n" TIMESTAMP
			    "SELECT 2 /* no return */;\n");
}
END_TEST

START_TEST(unknown_texts_have_their_handle)
{
	begin();
	ask(script_call(&script, "ask"), NULL, CALL_RETURNED);
	ask(script_call(&script, "ask"), "", CALL_RETURNED);
	expect(OPENING HEAD "  Rows_sent: 0  Rows_examined: 0\n" TIMESTAMP
			    "? 0x55d0 \"a\\033\";\n" HEAD
			    "  Rows_sent: 0  Rows_examined: 0\n" TIMESTAMP
			    "? 0x55d0 \"a\\033\";\n");
}
END_TEST

Suite *
slow_log_suite(void)
{
	Suite *suite = suite_create("slow log");
	TCase *tests = tcase_create("slow log");

	tcase_add_test(tests, answers_are_told);
	tcase_add_test(tests, parts_are_marked);
	tcase_add_test(tests, unknown_texts_have_their_handle);
	suite_add_tcase(suite, tests);
	return suite;
}
