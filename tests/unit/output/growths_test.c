/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of --alloc: which frame a growth belongs to, and estimates. */
#include "suites.h"

#include "script.h"
#include "stacks/stack.h"

static struct script script;

static const struct frame in_libc = { .kind = FRAME_NATIVE,
				      .function = "malloc",
				      .module = "libc.so.6" };
static const struct frame in_cxx = { .kind = FRAME_NATIVE,
				     .function = "operator new(unsigned long)",
				     .module = "libstdc++.so.6" };
static const struct frame native = { .kind = FRAME_NATIVE,
				     .function = "fill\033",
				     .module = "prog" };
static const struct frame find = {
	.kind = FRAME_PYTHON, .function = "find", .file = "user.py", .line = 42
};

struct seen {
	uint64_t bytes, window;
	double part;
};

static void
grow(const char *kind, const struct seen *seen, const struct frame *frames,
     unsigned count)
{
	struct event_call call = { .frames = frames, .frame_count = count };
	const struct event event = { .kind = EVENT_GROWTH,
				     .pid = SCRIPT_PID,
				     .tid = SCRIPT_PID,
				     .call = &call,
				     .weight = seen->bytes,
				     .window = seen->window,
				     .seen = seen->part,
				     .text = kind };

	tee_event(script.tee, &event);
}

static void
begin(void)
{
	script_init(&script);
	script_open(&script, growths_sink_new);
}

#define HEAD "         count               bytes  growth  where\n"
#define IN_ALL "  in all, of growth: memory that was got from the system\n"

START_TEST(rows_by_line)
{
	const struct frame of_script[] = { in_libc, native, find, native };
	const struct frame of_native[] = { in_libc, in_cxx, native };
	const struct seen small = { 4096, 1, 1 }, large = { 1 << 20, 2, 1 };

	begin();
	grow("mmap", &small, of_script, 4);
	grow("mmap", &large, of_script, 4);
	grow("brk", &small, of_script, 4);
	grow("brk", &small, of_native, 3);
	grow("mmap", &small, &in_libc, 1);
	grow("mmap", &small, NULL, 0);
	/* Calls are not growths, so the table does not count this call. */
	script_whole(&script, SCRIPT_PID, "f", 0, 100);
	script_expect(
		&script, HEAD
		"             2           1 052 672  (mmap)  user.py:42 in "
		"find\n"
		"             1               4 096  (brk)  "
		"fill\\033@prog\n"
		"             1               4 096  (brk)  user.py:42 in "
		"find\n"
		"             1               4 096  (mmap)  ?\n"
		"             1               4 096  (mmap)  "
		"malloc@libc.so.6\n"
		"             6           1 069 056" IN_ALL);
}
END_TEST

/* The variance is 1000^2 * 0.75 / 0.25^2 for each of the two windows, so the
 * deviation is 4899 of 8100. */
START_TEST(estimates)
{
	const struct seen first = { 500, 1, 0.25 }, second = { 1000, 2, 0.25 };
	const struct seen whole = { 100, 3, 1 };

	begin();
	script.look.top = 1;
	grow("mmap", &first, &find, 1);
	grow("mmap", &first, &find, 1);
	grow("mmap", &second, &find, 1);
	grow("brk", &whole, &native, 1);
	script_expect(
		&script, HEAD
		"            12               8 000  (mmap)  user.py:42 in "
		"find\n"
		"                                    ... 1 more rows "
		"(--top)\n"
		"            13               8 100" IN_ALL
		"  estimated from 4 samples, error about 60 %\n");
}
END_TEST

START_TEST(nothing)
{
	begin();
	script_expect(&script,
		      HEAD "             0                   0" IN_ALL);
}
END_TEST

Suite *
growths_suite(void)
{
	Suite *suite = suite_create("growths");
	TCase *tests = tcase_create("growths");

	tcase_add_test(tests, rows_by_line);
	tcase_add_test(tests, estimates);
	tcase_add_test(tests, nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
