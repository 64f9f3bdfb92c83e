/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of --sample. */
#include "suites.h"

#include "script.h"
#include "stacks/stack.h"

#include <string.h>

#define MAIN SCRIPT_PID
#define MS UINT64_C(1000000)

static struct script script;

static const struct frame in_c = { .kind = FRAME_NATIVE,
				   .function = "read",
				   .module = "libc.so.6" };
static const struct frame find = {
	.kind = FRAME_PYTHON, .function = "find", .file = "user.py", .line = 42
};
static const struct frame ask = {
	.kind = FRAME_PYTHON, .function = "ask", .file = "user.py", .line = 7
};
static const struct frame collects = { .kind = FRAME_NATIVE,
				       .function = "[GC]" };

static void
begin(const char *by)
{
	script_init(&script);
	script.look.group_by = by;
	script_open(&script, samples_sink_new);
}

/* frames: the last one has neither kind nor function, and does not count. */
static void
sample(pid_t tid, uint64_t ms, const struct frame *frames, unsigned count)
{
	struct event_call call = { .frames = frames, .frame_count = count };
	const struct event event = { .kind = EVENT_SAMPLE,
				     .pid = SCRIPT_PID,
				     .tid = tid,
				     .call = &call,
				     .weight = ms * MS,
				     .text = tid == MAIN ? "main\033" : NULL };

	tee_event(script.tee, &event);
}

static void
some_samples(void)
{
	const struct frame deep[] = { in_c, find, ask, find };
	const struct frame shallow[] = { ask };
	const struct frame marked[] = { collects, in_c, find };
	const struct frame native[] = { in_c };

	sample(MAIN, 600, deep, 4);
	sample(MAIN, 200, shallow, 1);
	sample(MAIN, 100, marked, 3);
	sample(MAIN + 1, 60, native, 1);
	sample(MAIN + 1, 30, &collects, 1);
	sample(MAIN + 1, 10, NULL, 0);
	/* Calls are not samples, so the table does not count this call. */
	script_whole(&script, MAIN, "f", 0, 100);
}

START_TEST(by_lines)
{
	begin(NULL);
	some_samples();
	script_expect(
		&script,
		"    self/s      %    total/s      %  samples  where\n"
		"     0.600  60.0%      0.700  70.0%        1  "
		"user.py:42 in find\n"
		"     0.200  20.0%      0.800  80.0%        1  user.py:7 "
		"in ask\n"
		"     0.100  10.0%      0.100  10.0%        1  [GC] "
		"user.py:42 in "
		"find\n"
		"     0.060   6.0%      0.060   6.0%        1  read@libc.so.6\n"
		"     0.030   3.0%      0.130  13.0%        1  [GC]\n"
		"     0.010   1.0%      0.010   1.0%        1  ?\n"
		"     1.000 in all, 6 samples of 2 threads\n");
}
END_TEST

START_TEST(by_functions)
{
	begin("function");
	some_samples();
	script_expect(
		&script,
		"    self/s      %    total/s      %  samples  function\n"
		"     0.660  66.0%      0.760  76.0%        2  read@libc.so.6\n"
		"     0.200  20.0%      0.800  80.0%        1  ask (user.py)\n"
		"     0.100  10.0%      0.100  10.0%        1  [GC] "
		"read@libc.so.6\n"
		"     0.030   3.0%      0.130  13.0%        1  [GC]\n"
		"     0.010   1.0%      0.010   1.0%        1  ?\n"
		"     0.000   0.0%      0.700  70.0%        0  find (user.py)\n"
		"     1.000 in all, 6 samples of 2 threads\n");
}
END_TEST

START_TEST(by_threads)
{
	begin("thread");
	some_samples();
	script_expect(
		&script,
		"    self/s      %    total/s      %  samples  thread\n"
		"     0.900  90.0%      0.900  90.0%        3  thread 1000 of "
		"1000 "
		"(main\\033)\n"
		"     0.100  10.0%      0.100  10.0%        3  thread 1001 of "
		"1000\n"
		"     1.000 in all, 6 samples of 2 threads\n");
}
END_TEST

START_TEST(the_rest_is_counted)
{
	begin(NULL);
	script.look.top = 1;
	some_samples();
	script_expect(&script,
		      "    self/s      %    total/s      %  samples  where\n"
		      "     0.600  60.0%      0.700  70.0%        1  "
		      "user.py:42 in find\n"
		      "       ... 5 more rows (--top)\n"
		      "     1.000 in all, 6 samples of 2 threads\n");
}
END_TEST

START_TEST(no_samples)
{
	begin(NULL);
	script_expect(&script,
		      "    self/s      %    total/s      %  samples  where\n"
		      "     0.000 in all, 0 samples of 0 threads\n");
}
END_TEST

Suite *
samples_suite(void)
{
	Suite *suite = suite_create("samples");
	TCase *tests = tcase_create("samples");

	tcase_add_test(tests, by_lines);
	tcase_add_test(tests, by_functions);
	tcase_add_test(tests, by_threads);
	tcase_add_test(tests, the_rest_is_counted);
	tcase_add_test(tests, no_samples);
	suite_add_tcase(suite, tests);
	return suite;
}
