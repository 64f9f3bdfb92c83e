/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace as text: scripted runs, and every byte of their output. */
#include "suites.h"

#include "base/clock.h"
#include "script.h"
#include "subject.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define MAIN SCRIPT_PID
#define OTHER (SCRIPT_PID + 1)

static struct script script;

static void
begin(void)
{
	script_init(&script);
	script.look.align = 20;
}

static void
open_text(void)
{
	script_open(&script, text_sink_new);
}

static void
returned(pid_t tid, struct event_call *call, uint64_t micros)
{
	script_end(&script, tid, call, micros, CALL_RETURNED);
}

START_TEST(the_line_of_the_issue)
{
	struct subject *subject =
		subject_new("int mysql_real_query(addr,string,ulong);\n");
	struct event_call *call;
	addr_t query = subject_text(subject, "SELECT sleep(1)");

	script_init(&script);
	script.look.time = LOOK_TIME_MICROS;
	script.look.durations = true;
	script.look.epoch_offset = 1259793110 * CLOCK_SECOND;
	open_text();
	call = script_call(&script, "mysql_real_query");
	subject_enter(subject, call, (uint64_t[6]){ 0x27bc540, query, 15 });
	script_enter(&script, MAIN, call, 507781);
	subject_leave_entry(subject);
	/* The line shows the arguments as they were at the entry. */
	subject_change(subject, query, "gone", 4);
	subject_return(subject, call, 0);
	script_end(&script, MAIN, call, 1508381, CALL_RETURNED);
	script_expect(&script, "22:31:50.507781 mysql_real_query(0x27bc540, "
			       "\"SELECT sleep(1)\", 15) = 0 <1.000600>\n");
	subject_free(subject);
}
END_TEST

START_TEST(whole_lines_and_their_column)
{
	begin();
	open_text();
	script_whole(&script, MAIN, "f", 0, 1);
	script_whole(&script, MAIN, "sixteen_columns_", 2, 3);
	script_whole(&script, MAIN, "seventeen_columns", 4, 5);
	script_whole(&script, MAIN, "somewhat_longer_than_that", 6, 7);
	script_expect(&script, "f()                = <void>\n"
			       "sixteen_columns_() = <void>\n"
			       "seventeen_columns() = <void>\n"
			       "somewhat_longer_than_that() = <void>\n");
}
END_TEST

START_TEST(nested_calls_that_print_come_between)
{
	struct event_call *outer, *inner;

	begin();
	open_text();
	outer = script_begin(&script, MAIN, "outer", 0);
	inner = script_begin(&script, MAIN, "inner", 1);
	script_whole(&script, MAIN, "leaf", 2, 3);
	script_whole(&script, MAIN, "leaf", 4, 5);
	returned(MAIN, inner, 6);
	returned(MAIN, outer, 7);
	script_expect(&script, "outer( <unfinished ...>\n"
			       "inner( <unfinished ...>\n"
			       "leaf()             = <void>\n"
			       "leaf()             = <void>\n"
			       "<... inner resumed> ) = <void>\n"
			       "<... outer resumed> ) = <void>\n");
}
END_TEST

/* Two calls overlap, and the first one ends first: two whole lines, and the
 * times do not go backwards. */
START_TEST(overlapping_threads_keep_whole_lines)
{
	struct event_call *a, *b;

	begin();
	script.look.time = LOOK_TIME_MICROS;
	open_text();
	a = script_begin(&script, MAIN, "a", 0);
	b = script_begin(&script, OTHER, "b", 1);
	returned(MAIN, a, 2);
	returned(OTHER, b, 3);
	script_expect(&script, "00:00:00.000000 a() = <void>\n"
			       "[pid 1001] 00:00:00.000001 b() = <void>\n");
}
END_TEST

START_TEST(another_thread_comes_between)
{
	struct event_call *a;

	begin();
	script.look.time = LOOK_TIME_MICROS;
	script.look.bare_thread_column = true;
	open_text();
	a = script_begin(&script, MAIN, "a", 0);
	script_whole(&script, OTHER, "b", 1, 2);
	returned(MAIN, a, 3);
	script_whole(&script, MAIN, "c", 4, 5);
	script_expect(&script,
		      "00:00:00.000000 a( <unfinished ...>\n"
		      "1001 00:00:00.000001 b() = <void>\n"
		      "1000 00:00:00.000003 <... a resumed> ) = <void>\n"
		      "1000 00:00:00.000004 c() = <void>\n");
}
END_TEST

/* A query waits for its end, also on a terminal, and is one whole line. */
START_TEST(queries_are_whole_lines)
{
	struct event_call *query, *late, *f;

	begin();
	script.look.time = LOOK_TIME_MICROS;
	script.look.durations = true;
	script.look.bare_thread_column = true;
	script.look.immediate = _i;
	open_text();
	query = script_call(&script, "query");
	query->bare = true;
	script_enter(&script, MAIN, query, 0);
	f = script_begin(&script, OTHER, "f", 1);
	script_in_flight(&script, MAIN, query, 5);
	returned(MAIN, query, 6);
	returned(OTHER, f, 7);
	late = script_call(&script, "late");
	late->bare = true;
	script_enter(&script, MAIN, late, 8);
	script_end(&script, MAIN, late, 9, CALL_UNFINISHED);
	script_expect(
		&script,
		_i ? "00:00:00.000001 f( <unfinished ...>\n"
		     "1000 00:00:00.000000 query <in flight ...> <0.000005+>\n"
		     "1000 00:00:00.000000 query = <void> <0.000006>\n"
		     "1001 00:00:00.000007 <... f resumed> ) = <void> "
		     "<0.000006>\n"
		     "1000 00:00:00.000008 late <unfinished ...> "
		     "<0.000001+>\n"
		   : "00:00:00.000000 query <in flight ...> <0.000005+>\n"
		     "00:00:00.000000 query = <void> <0.000006>\n"
		     "1001 00:00:00.000001 f() = <void> <0.000006>\n"
		     "1000 00:00:00.000008 late <unfinished ...> "
		     "<0.000001+>\n");
}
END_TEST

START_TEST(thread_column_always_and_never)
{
	begin();
	script.look.thread_column = _i ? LOOK_ALWAYS : LOOK_NEVER;
	open_text();
	script_whole(&script, MAIN, "a", 0, 1);
	script_whole(&script, OTHER, "b", 2, 3);
	script_expect(&script, _i ? "[pid 1000] a()     = <void>\n"
				    "[pid 1001] b()     = <void>\n"
				  : "a()                = <void>\n"
				    "b()                = <void>\n");
}
END_TEST

START_TEST(ends)
{
	struct event_call *outer, *call;

	begin();
	open_text();
	call = script_begin(&script, MAIN, "_start", 0);
	script_end(&script, MAIN, call, 0, CALL_ENTRY_ONLY);
	outer = script_begin(&script, MAIN, "outer", 1);
	call = script_begin(&script, MAIN, "jumps", 2);
	script_end(&script, MAIN, call, 3, CALL_UNWOUND);
	script_end(&script, MAIN, outer, 4, CALL_UNWOUND);
	call = script_begin(&script, OTHER, "poll", 5);
	script_end(&script, OTHER, call, 6, CALL_UNFINISHED);
	outer = script_begin(&script, MAIN, "main", 7);
	call = script_begin(&script, MAIN, "exit", 8);
	script_end(&script, MAIN, call, 9, CALL_NO_RETURN);
	script_end(&script, MAIN, outer, 9, CALL_NO_RETURN);
	script_tell(&script, MAIN, EVENT_EXITED, 10, 3, NULL);
	script_expect(&script, "_start() <entry only>\n"
			       "outer( <unfinished ...>\n"
			       "jumps()            = <unwound>\n"
			       "<... outer resumed> ) = <unwound>\n"
			       "[pid 1001] poll( <unfinished ...>\n"
			       "[pid 1000] main( <unfinished ...>\n"
			       "[pid 1000] exit( <no return ...>\n"
			       "[pid 1000] +++ exited (status 3) +++\n");
}
END_TEST

/*
 * The end of a call that never returns has a line of its own if another
 * thread's line has cut the call, but not if its own thread's line has.
 */
START_TEST(no_return_behind_another_line)
{
	struct event_call *outer, *inner, *call;

	begin();
	script.look.thread_column = LOOK_NEVER;
	script.look.immediate = _i == 1;
	open_text();
	call = script_begin(&script, OTHER, "waits", 0);
	script_whole(&script, MAIN, "a", 1, 2);
	script_end(&script, OTHER, call, 3, CALL_NO_RETURN);
	outer = script_begin(&script, OTHER, "outer", 4);
	script_whole(&script, MAIN, "b", 5, 6);
	inner = script_begin(&script, OTHER, "inner", 7);
	script_end(&script, OTHER, inner, 8, CALL_NO_RETURN);
	script_end(&script, OTHER, outer, 8, CALL_NO_RETURN);
	outer = script_begin(&script, OTHER, "outer", 9);
	inner = script_begin(&script, OTHER, "inner", 10);
	script_end(&script, OTHER, inner, 11, CALL_NO_RETURN);
	script_end(&script, OTHER, outer, 11, CALL_NO_RETURN);
	script_expect(&script, "waits( <unfinished ...>\n"
			       "a()                = <void>\n"
			       "<... waits resumed> <no return ...>\n"
			       "outer( <unfinished ...>\n"
			       "b()                = <void>\n"
			       "inner( <no return ...>\n"
			       "<... outer resumed> <no return ...>\n"
			       "outer( <unfinished ...>\n"
			       "inner( <no return ...>\n");
}
END_TEST

START_TEST(signals_and_other_lines)
{
	struct event_call *call;

	begin();
	script.look.hide_signals = _i == 1;
	open_text();
	script_tell(&script, MAIN, EVENT_START, 0, 0, "/bin/true");
	call = script_begin(&script, MAIN, "pause", 0);
	script_tell(&script, MAIN, EVENT_SIGNAL, 1, SIGUSR1, NULL);
	script_tell(&script, MAIN, EVENT_SIGNAL, 2, SIGRTMIN + 3, NULL);
	returned(MAIN, call, 3);
	script_tell(&script, MAIN, EVENT_EXEC, 4, 0, "/bin/ls");
	script_tell(&script, OTHER, EVENT_THREAD_END, 4, 0, NULL);
	script_tell(&script, MAIN, EVENT_KILLED, 5, SIGSEGV, NULL);
	script_expect(&script,
		      _i == 1 ? "pause()            = <void>\n"
				"--- Called exec() ---\n"
				"+++ killed by SIGSEGV +++\n"
			      : "pause( <unfinished ...>\n"
				"--- SIGUSR1 (User defined signal 1) ---\n"
				"--- SIGRTMIN+3 (Real-time signal 3) ---\n"
				"<... pause resumed> ) = <void>\n"
				"--- Called exec() ---\n"
				"+++ killed by SIGSEGV +++\n");
}
END_TEST

START_TEST(address_indent_and_relative_time)
{
	struct event_call *call;

	begin();
	script.look.time = LOOK_TIME_RELATIVE;
	script.look.return_address = true;
	script.look.indent = 2;
	open_text();
	call = script_begin(&script, MAIN, "f", 100);
	script_whole(&script, MAIN, "g", 250, 300);
	script_tell(&script, MAIN, EVENT_SIGNAL, 310, SIGHUP, NULL);
	returned(MAIN, call, 400);
	call = script_call(&script, "_start");
	call->return_address = 0;
	script_enter(&script, MAIN, call, 500);
	script_end(&script, MAIN, call, 500, CALL_ENTRY_ONLY);
	script_expect(&script,
		      "  0.000000 [0x400010] f( <unfinished ...>\n"
		      "  0.000150 [0x400020]   g() = <void>\n"
		      "  0.000060 --- SIGHUP (Hangup) ---\n"
		      "  0.000090 [0x400010] <... f resumed> ) = <void>\n"
		      "  0.000100 [?] _start() <entry only>\n");
}
END_TEST

/* Expects that the terminal shows this text. */
static void
screen(const char *text)
{
	ck_assert_str_eq(str_text(&script.text), text);
}

START_TEST(terminal_shows_entries_at_once)
{
	struct event_call *a, *b;

	begin();
	script.look.immediate = true;
	script.look.thread_column = LOOK_NEVER;
	open_text();
	a = script_begin(&script, MAIN, "a", 0);
	screen("a(");
	returned(MAIN, a, 1);
	screen("a()                = <void>\n");
	str_clear(&script.text);
	a = script_begin(&script, MAIN, "a", 2);
	b = script_begin(&script, OTHER, "b", 3);
	screen("a( <unfinished ...>\nb(");
	returned(MAIN, a, 4);
	returned(OTHER, b, 5);
	script_tell(&script, MAIN, EVENT_EXITED, 10, 0, NULL);
	script_expect(&script, "a( <unfinished ...>\n"
			       "b( <unfinished ...>\n"
			       "<... a resumed> )  = <void>\n"
			       "<... b resumed> )  = <void>\n"
			       "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(terminal_ends)
{
	struct event_call *call;

	begin();
	script.look.immediate = true;
	open_text();
	call = script_begin(&script, MAIN, "_start", 0);
	script_end(&script, MAIN, call, 0, CALL_ENTRY_ONLY);
	call = script_begin(&script, MAIN, "exit", 1);
	script_end(&script, MAIN, call, 2, CALL_NO_RETURN);
	call = script_begin(&script, MAIN, "poll", 3);
	script_expect(&script, "_start() <entry only>\n"
			       "exit( <no return ...>\n"
			       "poll( <unfinished ...>\n");
}
END_TEST

/* Printed by the real ltrace: it considers raise() lost at the signal. */
START_TEST(as_ltrace)
{
	struct event_call *call;

	begin();
	script.look.as_ltrace = true;
	script.look.align = 50;
	open_text();
	call = script_call(&script, "raise");
	call->display = "t->raise";
	call->caller = "t";
	script_enter(&script, MAIN, call, 0);
	script_tell(&script, MAIN, EVENT_SIGNAL, 1, SIGUSR1, NULL);
	script_whole(&script, MAIN, "getpid", 2, 3);
	returned(MAIN, call, 4);
	call = script_begin(&script, MAIN, "qsort", 5);
	script_whole(&script, MAIN, "abs", 6, 7);
	returned(MAIN, call, 8);
	call = script_begin(&script, MAIN, "exit", 9);
	script_end(&script, MAIN, call, 10, CALL_NO_RETURN);
	script_tell(&script, MAIN, EVENT_EXITED, 11, 0, NULL);
	script_expect(
		&script,
		"t->raise( <no return ...>\n"
		"--- SIGUSR1 (User defined signal 1) ---\n"
		"getpid()                                         = <void>\n"
		"<... raise resumed> )                            = <void>\n"
		"qsort( <unfinished ...>\n"
		"abs()                                            = <void>\n"
		"<... qsort resumed> )                            = <void>\n"
		"exit( <no return ...>\n"
		"+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(a_call_begun_before_we_came)
{
	struct event_call *call;

	begin();
	open_text();
	call = script_call(&script, "read");
	script.depth[0] = 1;
	returned(MAIN, call, 5);
	script_expect(&script, "<... read resumed> ) = <void>\n");
}
END_TEST

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

START_TEST(colours_take_no_columns)
{
	struct event_call *call;

	begin();
	script.look.color = true;
	script.look.durations = true;
	open_text();
	script_whole(&script, MAIN, "f", 0, 1);
	call = script_begin(&script, MAIN, "g", 2);
	script_tell(&script, MAIN, EVENT_SIGNAL, 3, SIGHUP, NULL);
	returned(MAIN, call, 4);
	script_expect(&script,
		      BOLD "f" PLAIN "()                = <void> " YELLOW
			   "<0.000001>" PLAIN "\n" BOLD "g" PLAIN "(" DIM
			   " <unfinished ...>" PLAIN "\n"
			   "\033[1;35m--- SIGHUP (Hangup) ---" PLAIN "\n" DIM
			   "<... " PLAIN BOLD "g" PLAIN DIM " resumed>" PLAIN
			   " )  = <void> " YELLOW "<0.000002>" PLAIN "\n");
}
END_TEST

START_TEST(late_arguments_come_at_the_return)
{
	struct subject *subject =
		subject_new("int getcwd(int, +string, ulong);\n");
	addr_t buffer = subject_text(subject, "before");
	struct event_call *call;

	begin();
	script.look.immediate = _i == 1;
	open_text();
	call = script_call(&script, "getcwd");
	subject_enter(subject, call, (uint64_t[6]){ 3, buffer, 64 });
	script_enter(&script, MAIN, call, 0);
	subject_leave_entry(subject);
	if (_i == 1)
		screen("getcwd(3, ");
	if (_i == 2)
		script_whole(&script, OTHER, "b", 1, 2);
	subject_change(subject, buffer, "/home", 6);
	subject_return(subject, call, 6);
	returned(MAIN, call, 3);
	script_expect(&script,
		      _i == 2 ? "getcwd(3,  <unfinished ...>\n"
				"[pid 1001] b()     = <void>\n"
				"[pid 1000] <... getcwd resumed> \"/home\", "
				"64) = 6\n"
			      : "getcwd(3, \"/home\", 64) = 6\n");
	subject_free(subject);
}
END_TEST

START_TEST(errors_are_named_and_red)
{
	struct subject *subject = subject_new("errno(int) close(int);\n");
	struct event_call *call;

	begin();
	script.look.color = true;
	open_text();
	call = script_call(&script, "close");
	subject_enter(subject, call, (uint64_t[6]){ 99 });
	script_enter(&script, MAIN, call, 0);
	subject_leave_entry(subject);
	subject_return(subject, call, (uint64_t)-1);
	call->error_number = EBADF;
	returned(MAIN, call, 1);
	script_expect(&script,
		      BOLD "close" PLAIN "(99)          = \033[31m"
			   "-1 EBADF (Bad file descriptor)" PLAIN "\n");
	subject_free(subject);
}
END_TEST

START_TEST(guessed_arguments)
{
	struct subject *subject = subject_new("");
	struct event_call *call;

	begin();
	open_text();
	call = script_call(&script, "who_knows");
	subject_enter(subject, call,
		      (uint64_t[6]){ 4, (uint64_t)-5, 0xffffffff, 10000 });
	script_enter(&script, MAIN, call, 0);
	subject_leave_entry(subject);
	subject_return(subject, call, 0x5582);
	returned(MAIN, call, 1);
	script_expect(&script,
		      "who_knows(4, -5, 0xffffffff, 10000) = 0x5582\n");
	subject_free(subject);
}
END_TEST

/* Names and the text of the server's error are escaped. */
START_TEST(names_are_escaped)
{
	static const struct event_outcome outcome = { .failed = true,
						      .state = "4\033\n2" };
	struct event_call *outer;

	begin();
	script.look.immediate = _i == 1;
	script.look.as_ltrace = _i == 2;
	script.look.align = 0;
	open_text();
	outer = script_begin(&script, MAIN, "f\033[m\n+++", 0);
	outer->outcome = &outcome;
	script_whole(&script, MAIN, "\xc3\xa4\xff", 1, 2);
	returned(MAIN, outer, 3);
	script_expect(&script, "f\\033[m\\n+++( <unfinished ...>\n"
			       "\xc3\xa4\\377() = <void>\n"
			       "<... f\\033[m\\n+++ resumed> ) = <void>"
			       " ERROR (4\\033\\n2)\n");
}
END_TEST

/* The output may depend on which calls are open, but no call is ever lost. */
START_TEST(every_call_begins_and_ends_once)
{
	struct event_call *open[3][8], *call;
	unsigned depth[3] = { 0 }, begun = 0, ended = 0;
	uint64_t now = 0;
	char *text, *at;

	srandom(4);
	begin();
	script.look.immediate = _i == 1;
	open_text();
	while (script.begun < SCRIPT_CALLS || depth[0] + depth[1] + depth[2]) {
		unsigned t = (unsigned)random() % 3;
		pid_t tid = MAIN + (pid_t)t;

		now++;
		if (random() % 2 && depth[t] < 8 && script.begun < SCRIPT_CALLS)
			open[t][depth[t]++] =
				script_begin(&script, tid, "f", now);
		else if (depth[t] > 0) {
			call = open[t][--depth[t]];
			returned(tid, call, now);
		}
	}
	text = script_close(&script);
	for (at = text; (at = strstr(at, "f(")); at++)
		begun++;
	for (at = text; (at = strstr(at, "= <void>\n")); at++)
		ended++;
	ck_assert_uint_eq(begun, SCRIPT_CALLS);
	ck_assert_uint_eq(ended, SCRIPT_CALLS);
	free(text);
}
END_TEST

Suite *
text_suite(void)
{
	Suite *suite = suite_create("text");
	TCase *tests = tcase_create("text");

	tcase_add_test(tests, the_line_of_the_issue);
	tcase_add_test(tests, whole_lines_and_their_column);
	tcase_add_test(tests, nested_calls_that_print_come_between);
	tcase_add_test(tests, overlapping_threads_keep_whole_lines);
	tcase_add_test(tests, another_thread_comes_between);
	tcase_add_loop_test(tests, queries_are_whole_lines, 0, 2);
	tcase_add_loop_test(tests, thread_column_always_and_never, 0, 2);
	tcase_add_test(tests, ends);
	tcase_add_loop_test(tests, no_return_behind_another_line, 0, 2);
	tcase_add_loop_test(tests, signals_and_other_lines, 0, 2);
	tcase_add_test(tests, address_indent_and_relative_time);
	tcase_add_test(tests, terminal_shows_entries_at_once);
	tcase_add_test(tests, terminal_ends);
	tcase_add_test(tests, as_ltrace);
	tcase_add_test(tests, a_call_begun_before_we_came);
	tcase_add_test(tests, colours_take_no_columns);
	tcase_add_loop_test(tests, late_arguments_come_at_the_return, 0, 3);
	tcase_add_test(tests, errors_are_named_and_red);
	tcase_add_test(tests, guessed_arguments);
	tcase_add_loop_test(tests, names_are_escaped, 0, 3);
	tcase_add_loop_test(tests, every_call_begins_and_ends_once, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}
