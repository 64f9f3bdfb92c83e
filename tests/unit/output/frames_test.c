/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The callers of calls: below their lines, in JSON, in folded stacks. */
#include "suites.h"

#include "reader.h"
#include "script.h"
#include "stacks/stack.h"

#include <stdlib.h>
#include <string.h>

#define MAIN SCRIPT_PID

static struct script script;

/* main calls find, which calls back. */
static const struct frame frames[] = {
	{ .kind = FRAME_PYTHON,
	  .function = "back;\n\"\\x\"",
	  .file = "caf\xc3\xa9\x1b.py",
	  .line = 3,
	  .at = 30 },
	{ .kind = FRAME_PYTHON,
	  .function = "find",
	  .file = "user.py",
	  .line = 42,
	  .at = 20 },
	{ .kind = FRAME_NATIVE, .function = "main", .module = "sh", .at = 10 },
	{ .kind = FRAME_PHP, .file = "a.php", .at = 5 },
};

static struct event_call *
begin_from(const char *name, uint64_t micros, unsigned from, unsigned count)
{
	struct event_call *call = script_call(&script, name);

	call->frames = frames + from;
	call->frame_count = count;
	call->frames_partial = from + count == array_size(frames);
	script_enter(&script, MAIN, call, micros);
	return call;
}

static void
nested_calls(void)
{
	struct event_call *f, *g;

	f = begin_from("f", 0, 1, 2);
	g = begin_from("g", 100, 0, 3);
	script_end(&script, MAIN, g, 200, CALL_RETURNED);
	script_whole(&script, MAIN, "h", 250, 260);
	script_end(&script, MAIN, f, 300, CALL_RETURNED);
}

#define BELOW_F "    user.py:42 in find\n    main@sh\n"
#define BELOW_G "    caf\xc3\xa9\\033.py:3 in back;\\n\"\\x\"\n" BELOW_F

START_TEST(under_the_line)
{
	script_init(&script);
	script.look.align = 0;
	script.look.immediate = _i == 1;
	script_open(&script, text_sink_new);
	nested_calls();
	script_expect(&script,
		      _i == 1 ? "f( <unfinished ...>\n" BELOW_F
				"g() = <void>\n" BELOW_G "h() = <void>\n"
				"<... f resumed> ) = <void>\n"
			      : "f( <unfinished ...>\n" BELOW_F
				"g() = <void>\n" BELOW_G "h() = <void>\n"
				"<... f resumed> ) = <void>\n");
}
END_TEST

START_TEST(what_is_not_known_is_left_out)
{
	struct event_call *f;

	script_init(&script);
	script.look.align = 0;
	script_open(&script, text_sink_new);
	f = begin_from("f", 0, 3, 1);
	script_end(&script, MAIN, f, 100, CALL_UNFINISHED);
	script_expect(&script, "f( <unfinished ...>\n    a.php in ?\n"
			       "    <cannot be read further>\n");
}
END_TEST

/* With ltrace's lines, an empty line is behind the last frame. */
START_TEST(in_lines_of_ltrace)
{
	static const struct frame native[] = {
		{ .kind = FRAME_NATIVE,
		  .function = "main",
		  .module = "sh",
		  .path = "/bin/sh",
		  .start = 0x401000,
		  .pc = 0x40101c,
		  .within = 0x40101b },
		{ .kind = FRAME_NATIVE,
		  .function = "f",
		  .start = 0x10,
		  .pc = 0x20,
		  .within = 0x1f,
		  .file = "f.c",
		  .line = 9 },
		{ .kind = FRAME_NATIVE,
		  .module = "libc.so.6",
		  .pc = 0x7f00,
		  .within = 0x7eff },
		{ .kind = FRAME_PHP,
		  .file = "a.php",
		  .function = "g",
		  .line = 7 },
	};
	static const struct frames_skipped skipped = { "package", 2 };
	struct event_call *call;

	script_init(&script);
	script.look.align = 0;
	script.look.as_ltrace = true;
	script_open(&script, text_sink_new);
	call = script_call(&script, "f");
	call->frames = native;
	call->frame_count = array_size(native);
	call->frames_partial = true;
	call->frames_apart = 3;
	call->skipped = &skipped;
	call->skipped_count = 1;
	script_enter(&script, MAIN, call, 0);
	script_end(&script, MAIN, call, 100, CALL_RETURNED);
	script_expect(&script, "f() = <void>\n"
			       "    ... 2 of package\n"
			       " > /bin/sh(main+0x1c) [40101c]\n"
			       " > [unknown](f+0xf) [1f]\n\tf.c:9\n"
			       " > libc.so.6([unknown]+0x0) [7eff]\n"
			       "    <the script, not placed among these>\n"
			       " > a.php:7 in g\n"
			       " > [...]\n\n");
}
END_TEST

START_TEST(in_json)
{
	struct event_call *f;
	char *text;

	script_init(&script);
	script_open(&script, json_sink_new);
	f = begin_from("f", 0, 0, 4);
	script_end(&script, MAIN, f, 100, CALL_RETURNED);
	text = script_close(&script);
	ck_assert_ptr_nonnull(
		strstr(text, "\"frames\":["
			     "{\"kind\":\"python\","
			     "\"function\":\"back;\\n\\\"\\\\x\\\"\","
			     "\"file\":\"caf\xc3\xa9\\u001b.py\",\"line\":3},"
			     "{\"kind\":\"python\",\"function\":\"find\","
			     "\"file\":\"user.py\",\"line\":42},"
			     "{\"kind\":\"native\",\"function\":\"main\","
			     "\"module\":\"sh\"},"
			     "{\"kind\":\"php\",\"file\":\"a.php\"}],"
			     "\"partial\":true"));
	reader_expect_silence("validate.py docs/json-schema.json", text);
	free(text);
}
END_TEST

START_TEST(in_folded_stacks)
{
	script_init(&script);
	script_open(&script, folded_sink_new);
	nested_calls();
	script_expect(
		&script,
		"process 1000;thread 1000;main@sh;find (user.py:42);f 190\n"
		"process 1000;thread 1000;main@sh;find (user.py:42);f;"
		"back,\\n\"\\x\" (caf\xc3\xa9\\033.py:3);g 100\n"
		"process 1000;thread 1000;main@sh;find (user.py:42);f;h 10\n");
}
END_TEST

Suite *
frames_suite(void)
{
	Suite *suite = suite_create("output/frames");
	TCase *tests = tcase_create("frames");

	tcase_add_loop_test(tests, under_the_line, 0, 2);
	tcase_add_test(tests, what_is_not_known_is_left_out);
	tcase_add_test(tests, in_lines_of_ltrace);
	tcase_add_test(tests, in_json);
	tcase_add_test(tests, in_folded_stacks);
	suite_add_tcase(suite, tests);
	return suite;
}
