/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON Lines: the form of some values, and a check of everything with the
 * schema. */
#include "suites.h"

#include "base/clock.h"
#include "reader.h"
#include "script.h"
#include "stacks/stack.h"
#include "subject.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define MAIN SCRIPT_PID

static struct script script;
static struct subject *subject;

static void
begin(const char *prototypes)
{
	subject = subject_new(prototypes);
	script_init(&script);
	script.look.epoch_offset = 1259793110 * CLOCK_SECOND;
	script_open(&script, json_sink_new);
}

static void
call_with(const char *name, const uint64_t arguments[6], uint64_t result,
	  int error_number)
{
	struct event_call *call = script_call(&script, name);

	subject_enter(subject, call, arguments);
	script_enter(&script, MAIN, call, 507781);
	subject_leave_entry(subject);
	subject_return(subject, call, result);
	call->error_number = error_number;
	script_end(&script, MAIN, call, 1508381, CALL_RETURNED);
}

/* Expects the arguments of the last line, and what follows up to the
 * duration. */
static void
expect_call(const char *expected)
{
	char *text = script_close(&script);
	char *from = strstr(text, "\"arguments\":");
	char *to = strstr(text, ",\"duration\"");

	ck_assert_ptr_nonnull(from);
	ck_assert_ptr_nonnull(to);
	*to = '\0';
	ck_assert_str_eq(from, expected);
	free(text);
	subject_free(subject);
}

START_TEST(a_whole_line)
{
	addr_t query;

	begin("int mysql_real_query(addr,string,ulong);\n");
	query = subject_text(subject, "SELECT sleep(1)");
	call_with("mysql_real_query", (uint64_t[6]){ 0x27bc540, query, 15 }, 0,
		  0);
	script_expect(
		&script,
		"{\"event\":\"call\",\"time\":1259793110.507781000,"
		"\"pid\":1000,\"tid\":1000,\"id\":1,"
		"\"name\":\"mysql_real_query\",\"module\":\"libfoo.so.1\","
		"\"depth\":0,\"address\":\"0x7f0000001040\","
		"\"return_address\":\"0x400010\","
		"\"arguments\":[{\"type\":\"addr\",\"value\":\"0x27bc540\"},"
		"{\"type\":\"char *\",\"lens\":\"string\","
		"\"value\":\"SELECT sleep(1)\"},"
		"{\"type\":\"ulong\",\"value\":15}],\"end\":\"returned\","
		"\"result\":{\"type\":\"int\",\"value\":0},"
		"\"duration\":1.000600000,\"wall\":1.000600000,"
		"\"uncertainty\":0.000000000}\n");
	subject_free(subject);
}
END_TEST

START_TEST(numbers_are_numbers)
{
	begin("ulong f(long, hex(int), char, bool(int), short);\n");
	call_with("f", (uint64_t[6]){ 1ULL << 63, 255, 'a', 2, (uint64_t)-3 },
		  UINT64_MAX, 0);
	expect_call("\"arguments\":["
		    "{\"type\":\"long\",\"value\":-9223372036854775808},"
		    "{\"type\":\"int\",\"lens\":\"hex\",\"value\":255},"
		    "{\"type\":\"char\",\"value\":\"a\"},"
		    "{\"type\":\"int\",\"lens\":\"bool\",\"value\":true},"
		    "{\"type\":\"short\",\"value\":-3}],"
		    "\"end\":\"returned\",\"result\":{\"type\":\"ulong\","
		    "\"value\":18446744073709551615}");
}
END_TEST

START_TEST(texts_whole_cut_and_broken)
{
	addr_t whole, longer, latin;

	begin("void f(string, string, string, string, string);\n");
	script.look.string_length = 5;
	whole = subject_text(subject, "a\"b\n");
	longer = subject_text(subject, "abcd\xc3\xa9");
	latin = subject_text(subject, "caf\xe9");
	call_with("f", (uint64_t[6]){ whole, longer, latin, 0, 16 }, 0, 0);
	expect_call("\"arguments\":[{\"type\":\"char *\",\"lens\":\"string\","
		    "\"value\":\"a\\\"b\\n\"},"
		    "{\"type\":\"char *\",\"lens\":\"string\","
		    "\"value\":\"abcd\",\"cut\":true},"
		    "{\"type\":\"char *\",\"lens\":\"string\","
		    "\"value\":{\"$bytes\":\"caf\\u00e9\"}},"
		    "{\"type\":\"char *\",\"lens\":\"string\","
		    "\"value\":null},"
		    "{\"type\":\"char *\",\"lens\":\"string\","
		    "\"value\":{\"$unreadable\":\"0x10\"}}],"
		    "\"end\":\"returned\"");
}
END_TEST

START_TEST(structs_and_arrays)
{
	int numbers[] = { 1, 2, 3, 4, 5, 6, 7 };
	double real[] = { 1.5, 0.1 };
	addr_t array, pair;

	begin("void f(array(int,arg2)*, int, struct(double,double)*);\n");
	array = subject_put(subject, numbers, sizeof(numbers));
	pair = subject_put(subject, real, sizeof(real));
	call_with("f", (uint64_t[6]){ array, 6, pair }, 0, 0);
	expect_call("\"arguments\":[{\"type\":\"int[] *\","
		    "\"value\":[1,2,3,4],\"cut\":true},"
		    "{\"type\":\"int\",\"value\":6},"
		    "{\"type\":\"struct *\","
		    "\"value\":{\"0\":1.5,\"1\":0.1}}],"
		    "\"end\":\"returned\"");
}
END_TEST

START_TEST(names_and_numbers)
{
	begin("typedef color = enum(RED, GREEN=2);\n"
	      "errno(int) f(color, color);\n");
	call_with("f", (uint64_t[6]){ 2, 7 }, (uint64_t)-1, ENOENT);
	expect_call("\"arguments\":[{\"type\":\"color\",\"lens\":\"enum\","
		    "\"value\":{\"$name\":\"GREEN\",\"$number\":2}},"
		    "{\"type\":\"color\",\"lens\":\"enum\",\"value\":7}],"
		    "\"end\":\"returned\",\"result\":{\"type\":\"int\","
		    "\"lens\":\"errno\",\"value\":-1,\"errno\":2,"
		    "\"error\":\"ENOENT\"}");
}
END_TEST

START_TEST(what_the_function_filled_in)
{
	struct event_call *call;
	addr_t buffer;

	begin("int f(+string, int);\n");
	buffer = subject_text(subject, "before");
	call = script_call(&script, "f");
	subject_enter(subject, call, (uint64_t[6]){ buffer, 7 });
	script_enter(&script, MAIN, call, 0);
	subject_leave_entry(subject);
	subject_change(subject, buffer, "after!", 6);
	subject_return(subject, call, 1);
	script_end(&script, MAIN, call, 3, CALL_RETURNED);
	expect_call("\"arguments\":[{\"type\":\"char *\",\"lens\":\"string\","
		    "\"value\":\"after!\"},{\"type\":\"int\",\"value\":7}],"
		    "\"end\":\"returned\","
		    "\"result\":{\"type\":\"int\",\"value\":1}");
}
END_TEST

/* xtrace may have held the thread for the whole time between two reads of rows.
 * In this case the trace also has the time by the clock. */
START_TEST(parts_of_a_query)
{
	static const struct {
		int64_t between;
		uint64_t between_wall;
		const char *said;
	} parts[] = {
		{ 0, 0, "\"first\":0.000000400,\"fetching\":0.000000600," },
		{ 0, 454000,
		  "\"fetching\":0.000000600,\"between\":0.000000000,"
		  "\"between_wall\":0.000454000," },
		{ 2000, 454000,
		  "\"between\":0.000002000,\"between_wall\":0.000454000," },
	};
	struct event_outcome outcome = { .has_first = true,
					 .first = 400,
					 .between = parts[_i].between,
					 .between_wall =
						 parts[_i].between_wall };
	struct event_call *call;
	char *text;

	begin("void f(int);\n");
	call = script_call(&script, "f");
	subject_enter(subject, call, (uint64_t[6]){ 1 });
	script_enter(&script, MAIN, call, 0);
	subject_leave_entry(subject);
	subject_return(subject, call, 0);
	call->outcome = &outcome;
	script_end(&script, MAIN, call, 1, CALL_RETURNED);
	text = script_close(&script);
	ck_assert_msg(strstr(text, parts[_i].said), "%s", text);
	ck_assert(!strstr(text, "between") == (_i == 0));
	free(text);
	subject_free(subject);
}
END_TEST

START_TEST(min_time_and_signals_hidden)
{
	begin("");
	script.look.min_duration = 1000000;
	script.look.hide_signals = true;
	script_whole(&script, MAIN, "f", 0, 999);
	script_tell(&script, MAIN, EVENT_SIGNAL, 1, SIGHUP, NULL);
	script_expect(&script, "");
	subject_free(subject);
}
END_TEST

static void
tell_growth(void)
{
	const struct frame frame = { .kind = FRAME_PYTHON,
				     .function = "find",
				     .file = "user.py",
				     .line = 42 };
	struct event_call call = { .frames = &frame, .frame_count = 1 };
	struct event event = { .kind = EVENT_GROWTH,
			       .when = 507781000,
			       .pid = MAIN,
			       .tid = MAIN,
			       .call = &call,
			       .weight = 262144,
			       .seen = 0.25,
			       .window = 3,
			       .text = "mmap" };

	tee_event(script.tee, &event);
	event.kind = EVENT_UNWATCHED;
	event.weight = 980000000;
	event.change = -4096;
	event.extrapolated = true;
	tee_event(script.tee, &event);
	event.change = EVENT_CHANGE_UNKNOWN;
	event.extrapolated = false;
	tee_event(script.tee, &event);
}

#define HEAD "\"time\":1259793110.507781000,\"pid\":1000,\"tid\":1000,"

START_TEST(growth_and_breaks)
{
	begin("");
	tell_growth();
	ck_assert(tee_tells_gaps(script.tee));
	script_expect(
		&script,
		"{\"event\":\"growth\"," HEAD
		"\"growth\":\"mmap\",\"where\":\"user.py:42 in find\","
		"\"bytes\":262144,\"watched\":0.25,\"window\":3,\"frames\":[{"
		"\"kind\":\"python\",\"function\":\"find\",\"file\":"
		"\"user.py\",\"line\":42}]}\n"
		"{\"event\":\"unwatched\"," HEAD
		"\"duration\":0.980000000,\"change\":-4096,"
		"\"extrapolated\":true}\n"
		"{\"event\":\"unwatched\"," HEAD
		"\"duration\":0.980000000,\"extrapolated\":false}\n");
	subject_free(subject);
}
END_TEST

/* A call with an argument of each kind. */
static void
all_sorts(void)
{
	int more[] = { 1, 2, 3, 4, 5 };
	uint64_t ring[2];
	addr_t at, hello;
	struct event_call *call;

	begin("typedef l = struct; typedef l = struct(int, l*);\n"
	      "typedef l = struct(int, l*);\n"
	      "typedef color = enum(RED, GREEN=2, BLUE);\n"
	      "void ll(l*);\n"
	      "errno(int) g(color, string, array(int,5)*, hide(int), "
	      "bitvec(uint), hex(addr));\n"
	      "int printf(format);\n");
	script_tell(&script, MAIN, EVENT_START, 0, 0, "/bin/caf\xe9");
	ring[0] = 4;
	ring[1] = 0;
	at = subject_put(subject, ring, sizeof(ring));
	ring[1] = at;
	subject_change(subject, at, ring, sizeof(ring));
	call_with("ll", (uint64_t[6]){ at }, 0, 0);
	hello = subject_text(subject, "he\xffllo %d %s\n");
	call_with("printf", (uint64_t[6]){ hello, 5, hello }, 3, 0);
	at = subject_put(subject, more, sizeof(more));
	call_with("g", (uint64_t[6]){ 2, hello, at, 1, 5, at }, (uint64_t)-1,
		  EINTR);
	call_with("g", (uint64_t[6]){ 9, 0, 16, 1, ~4u, 0 }, 0, 0);
	call_with("unknown", (uint64_t[6]){ 1, 2, 3, 4 }, 5, 0);
	for (unsigned end = CALL_RETURNED; end <= CALL_ENTRY_ONLY; end++) {
		call = script_begin(&script, MAIN, "h", 10);
		call->display = "a->h(\"x\")";
		call->caller = "a";
		script_end(&script, MAIN, call, 20, (enum call_end)end);
	}
	tell_growth();
	script_tell(&script, MAIN, EVENT_SIGNAL, 1, SIGUSR1, NULL);
	script_tell(&script, MAIN, EVENT_SIGNAL, 1, SIGRTMIN + 1, NULL);
	script_tell(&script, MAIN, EVENT_EXEC, 1, 0, NULL);
	script_tell(&script, MAIN, EVENT_THREAD_START, 1, 0, NULL);
	script_tell(&script, MAIN, EVENT_THREAD_END, 1, 0, NULL);
	script_tell(&script, MAIN, EVENT_LEAVE, 1, 0, NULL);
	script_tell(&script, MAIN, EVENT_EXITED, 1, 7, NULL);
	script_tell(&script, MAIN, EVENT_KILLED, 1, SIGKILL, NULL);
}

START_TEST(everything_is_as_the_schema_says)
{
	char *text;

	all_sorts();
	text = script_close(&script);
	reader_expect_silence("validate.py docs/json-schema.json", text);
	free(text);
	subject_free(subject);
}
END_TEST

Suite *
json_suite(void)
{
	Suite *suite = suite_create("json");
	TCase *tests = tcase_create("json");

	tcase_set_timeout(tests, 20);
	tcase_add_test(tests, a_whole_line);
	tcase_add_test(tests, numbers_are_numbers);
	tcase_add_test(tests, texts_whole_cut_and_broken);
	tcase_add_test(tests, structs_and_arrays);
	tcase_add_test(tests, names_and_numbers);
	tcase_add_test(tests, what_the_function_filled_in);
	tcase_add_loop_test(tests, parts_of_a_query, 0, 3);
	tcase_add_test(tests, min_time_and_signals_hidden);
	tcase_add_test(tests, growth_and_breaks);
	tcase_add_test(tests, everything_is_as_the_schema_says);
	suite_add_tcase(suite, tests);
	return suite;
}
