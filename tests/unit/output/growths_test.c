/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of --alloc: which frame a growth belongs to, and estimates. */
#include "suites.h"

#include "script.h"
#include "stacks/stack.h"

#include <stdlib.h>
#include <string.h>

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

/* The sentences below the table about what was not watched. */
#define UNKNOWN (-1)
struct gap {
	bool extrapolated;
	uint64_t ms;
	int64_t change;
};
static const struct {
	struct gap gaps[4]; /* until ms is 0 */
	const char *said;
} unwatched_rows[] = {
	{ { { false, 1283, 5242880 } },
	  "  not watched: the last 1.283 s; private writable memory "
	  "grew by 5 242 880 bytes in this time\n" },
	{ { { false, 1, -4096 } },
	  "  not watched: the last 0.001 s; private writable memory "
	  "shrank by 4 096 bytes in this time\n" },
	{ { { false, 60000, 0 } },
	  "  not watched: the last 60.000 s; private writable memory "
	  "has kept its size in this time\n" },
	{ { { false, 20, UNKNOWN } },
	  "  not watched: the last 0.020 s; it is unknown how much "
	  "memory was got in this time\n" },
	{ { { false, 20, UNKNOWN }, { false, 30, 8192 }, { false, 5, -4096 } },
	  "  not watched: the last 0.055 s of 3 programs together; "
	  "private writable memory grew by 8 192 bytes and shrank by 4 "
	  "096 bytes in this time (known for 2 of them)\n" },
	{ { { true, 500, 4096 } },
	  "  not watched: 0.500 s in 1 break, to which later growth "
	  "is extrapolated; private writable memory grew by 4 096 "
	  "bytes in this time\n" },
	{ { { true, 500, 4096 }, { true, 700, 4096 }, { false, 10, UNKNOWN } },
	  "  not watched: 1.200 s in 2 breaks, to which later growth "
	  "is extrapolated; private writable memory grew by 8 192 "
	  "bytes in this time\n"
	  "  not watched: the last 0.010 s; it is unknown how much "
	  "memory was got in this time\n" },
};

START_TEST(not_watched)
{
	const struct gap *gap = unwatched_rows[_i].gaps;
	char *text;

	begin();
	for (; gap->ms; gap++) {
		const struct event event = {
			.kind = EVENT_UNWATCHED,
			.pid = SCRIPT_PID,
			.tid = SCRIPT_PID,
			.weight = gap->ms * 1000000,
			.change = gap->change == UNKNOWN ? EVENT_CHANGE_UNKNOWN
							 : gap->change,
			.extrapolated = gap->extrapolated,
		};

		tee_event(script.tee, &event);
	}
	ck_assert(tee_tells_gaps(script.tee));
	text = script_close(&script);
	ck_assert_str_eq(strstr(text, IN_ALL) + strlen(IN_ALL),
			 unwatched_rows[_i].said);
	free(text);
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
	tcase_add_loop_test(tests, not_watched, 0, 7);
	tcase_add_test(tests, nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
