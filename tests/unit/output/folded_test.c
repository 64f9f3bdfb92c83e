/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folded stacks: own times, the order of lines, and the limits. */
#include "suites.h"

#include "script.h"
#include "stacks/stack.h"

#include <stdlib.h>
#include <string.h>

#define MAIN SCRIPT_PID

static struct script script;

static void
some_calls(void)
{
	struct event_call *f, *g;

	script_tell(&script, MAIN, EVENT_START, 0, 0, "/usr/bin/python3");
	f = script_begin(&script, MAIN, "f", 0);
	g = script_begin(&script, MAIN, "g", 100);
	script_whole(&script, MAIN, "f", 150, 250);
	script_end(&script, MAIN, g, 400, CALL_RETURNED);
	script_whole(&script, MAIN + 1, "f", 500, 504);
	script_whole(&script, MAIN, "g", 600, 700);
	script_end(&script, MAIN, f, 1000, CALL_UNWOUND);
}

START_TEST(own_times)
{
	script_init(&script);
	script_open(&script, folded_sink_new);
	some_calls();
	script_expect(&script, "python3 1000;thread 1000;f 600\n"
			       "python3 1000;thread 1000;f;g 300\n"
			       "python3 1000;thread 1000;f;g;f 100\n"
			       "python3 1000;thread 1001;f 4\n");
}
END_TEST

START_TEST(weight_of_calls)
{
	script_init(&script);
	script.look.weight = LOOK_WEIGHT_CALLS;
	script_open(&script, folded_sink_new);
	some_calls();
	script_expect(&script, "python3 1000;thread 1000;f 1\n"
			       "python3 1000;thread 1000;f;g 2\n"
			       "python3 1000;thread 1000;f;g;f 1\n"
			       "python3 1000;thread 1001;f 1\n");
}
END_TEST

START_TEST(recursion_is_kept_or_folded)
{
	struct event_call *calls[3];

	script_init(&script);
	script.look.collapse_recursion = _i == 1;
	script_open(&script, folded_sink_new);
	for (unsigned i = 0; i < 3; i++)
		calls[i] = script_begin(&script, MAIN, "r", 10 * i);
	for (unsigned i = 3; i-- > 0;)
		script_end(&script, MAIN, calls[i], 100, CALL_RETURNED);
	script_expect(&script, _i == 1 ? "process 1000;thread 1000;r 100\n"
				       : "process 1000;thread 1000;r 10\n"
					 "process 1000;thread 1000;r;r 10\n"
					 "process 1000;thread 1000;r;r;r 80\n");
}
END_TEST

static void
tell_unwatched(int64_t change, bool extrapolated)
{
	const struct event event = { .kind = EVENT_UNWATCHED,
				     .pid = MAIN,
				     .tid = MAIN,
				     .weight = 1000000,
				     .change = change,
				     .extrapolated = extrapolated };

	tee_event(script.tee, &event);
}

/* Growth in a break to which later growth is extrapolated is in other stacks
 * already. Only growth after the last window gets a stack of its own. */
START_TEST(growth_that_was_not_watched)
{
	script_init(&script);
	script.look.weight = LOOK_WEIGHT_BYTES;
	script_open(&script, folded_sink_new);
	script_tell(&script, MAIN, EVENT_START, 0, 0, "/usr/bin/python3");
	tell_unwatched(4096, true);
	tell_unwatched(-4096, false);
	tell_unwatched(EVENT_CHANGE_UNKNOWN, false);
	tell_unwatched(12288, false);
	ck_assert(!tee_tells_gaps(script.tee));
	script_expect(&script, "python3 1000;[not watched] 12288\n");
}
END_TEST

START_TEST(exec_is_another_program)
{
	script_init(&script);
	script_open(&script, folded_sink_new);
	script_whole(&script, MAIN, "f", 0, 1);
	script_tell(&script, MAIN, EVENT_EXEC, 0, 0, "/bin/ls");
	script_whole(&script, MAIN, "f", 1, 3);
	script_tell(&script, MAIN, EVENT_EXEC, 0, 0, "cat");
	script_whole(&script, MAIN, "f", 3, 6);
	script_expect(&script, "cat 1000;thread 1000;f 3\n"
			       "ls 1000;thread 1000;f 2\n"
			       "process 1000;thread 1000;f 1\n");
}
END_TEST

START_TEST(separators_in_names)
{
	script_init(&script);
	script_open(&script, folded_sink_new);
	script_whole(&script, MAIN, "a;b\nc d", 0, 5);
	script_expect(&script, "process 1000;thread 1000;a,b c d 5\n");
}
END_TEST

/* The line of a program whose name begins with '#' would be a comment. */
START_TEST(program_that_begins_a_comment)
{
	script_init(&script);
	script_open(&script, folded_sink_new);
	script_tell(&script, MAIN, EVENT_START, 0, 0, "/srv/#\033x");
	script_whole(&script, MAIN, "#f", 0, 5);
	script_expect(&script, "\\043\\033x 1000;thread 1000;#f 5\n");
}
END_TEST

static uint64_t
sum_of(const char *text, unsigned *ret_lines)
{
	uint64_t sum = 0;

	*ret_lines = 0;
	for (; *text; text = strchr(text, '\n') + 1) {
		const char *end = strchr(text, '\n');
		const char *space = memrchr(text, ' ', (size_t)(end - text));

		sum += strtoul(space + 1, NULL, 10);
		++*ret_lines;
	}
	return sum;
}

/* However deep and many the stacks are, the sums stay correct. */
START_TEST(bounded)
{
	struct event_call *calls = calloc(2000, sizeof(*calls));
	unsigned lines;
	char *text;

	script_init(&script);
	script_open(&script, folded_sink_new);
	for (unsigned i = 0; i < 2000; i++) {
		calls[i].name = calls[i].display = i % 2 ? "odd" : "even";
		script_enter(&script, MAIN, &calls[i], 10 * i);
	}
	for (unsigned i = 2000; i-- > 0;)
		script_end(&script, MAIN, &calls[i], 40000 - 10 * i,
			   CALL_RETURNED);
	text = script_close(&script);
	ck_assert_uint_eq(sum_of(text, &lines), 40000);
	ck_assert_uint_le(lines, 500);
	free(text);
	free(calls);
}
END_TEST

/* Calls are nested at random on two threads. The widths add up to those of the
 * outermost calls. */
START_TEST(widths_add_up)
{
	struct event_call *open[2][8], *call;
	unsigned depth[2] = { 0 }, lines;
	uint64_t outermost = 0, now = 0;
	char *text;

	srandom(3);
	script_init(&script);
	script_open(&script, folded_sink_new);
	while (script.begun < SCRIPT_CALLS || depth[0] + depth[1] > 0) {
		unsigned t = (unsigned)random() % 2;
		bool more = random() % 2 && depth[t] < 8 &&
			    script.begun < SCRIPT_CALLS;

		now += (unsigned)random() % 100;
		if (more) {
			call = script_begin(&script, MAIN + (pid_t)t,
					    random() % 2 ? "x" : "y", now);
			open[t][depth[t]++] = call;
		} else if (depth[t] > 0) {
			call = open[t][--depth[t]];
			script_end(&script, MAIN + (pid_t)t, call, now,
				   CALL_RETURNED);
			outermost += depth[t] ? 0 : call->duration / 1000;
		}
	}
	text = script_close(&script);
	ck_assert_uint_eq(sum_of(text, &lines), outermost);
	free(text);
}
END_TEST

/* If frames are known only at the return, inner calls go to the place of the
 * outermost call, even if its thread ends first. */
START_TEST(late_frames)
{
	static const struct frame frame = { .kind = FRAME_PHP,
					    .function = "find",
					    .file = "u.php",
					    .line = 4,
					    .at = 77 };
	struct event_call *f, *g;

	script_init(&script);
	script.look.frames_late = true;
	script_open(&script, folded_sink_new);
	script_whole(&script, MAIN + 1, "g", 2, 7);
	script_begin(&script, MAIN + 1, "f", 8);
	script_whole(&script, MAIN + 1, "g", 9, 10);
	script_tell(&script, MAIN + 1, EVENT_THREAD_END, 11, 0, NULL);
	f = script_begin(&script, MAIN, "f", 0);
	g = script_begin(&script, MAIN, "g", 10);
	g->frames = f->frames = &frame;
	g->frame_count = f->frame_count = 1;
	g->frames_late = f->frames_late = true;
	script_end(&script, MAIN, g, 30, CALL_RETURNED);
	script_end(&script, MAIN, f, 100, CALL_RETURNED);
	script_expect(&script,
		      "process 1000;thread 1000;find (u.php:4);f 80\n"
		      "process 1000;thread 1000;find (u.php:4);f;g 20\n"
		      "process 1000;thread 1001;f;g 1\n"
		      "process 1000;thread 1001;g 5\n");
}
END_TEST

Suite *
folded_suite(void)
{
	Suite *suite = suite_create("folded");
	TCase *tests = tcase_create("folded");

	tcase_add_test(tests, own_times);
	tcase_add_test(tests, weight_of_calls);
	tcase_add_loop_test(tests, recursion_is_kept_or_folded, 0, 2);
	tcase_add_test(tests, growth_that_was_not_watched);
	tcase_add_test(tests, exec_is_another_program);
	tcase_add_test(tests, separators_in_names);
	tcase_add_test(tests, program_that_begins_a_comment);
	tcase_add_test(tests, bounded);
	tcase_add_test(tests, widths_add_up);
	tcase_add_test(tests, late_frames);
	suite_add_tcase(suite, tests);
	return suite;
}
