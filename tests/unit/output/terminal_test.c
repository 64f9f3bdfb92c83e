/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --live on a terminal: what the user sees of events, what keys do, and that
 * the terminal is put back. The test does what two threads of xtrace do, one
 * after the other.
 */
#include "suites.h"

#include "output/live/console.h"
#include "script.h"
#include "stacks/stack.h"
#include "tests/unit/live/passing_time.h"
#include "tests/unit/output/screen.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define HEIGHT 12
#define WIDTH 80
#define FOOT (HEIGHT - 1)
/* How long the test waits for a page to appear. */
#define LIMIT_SECONDS 60
/* After this time has passed, rates are 0.0, however slow the machine is. */
#define LONG (100000 * CLOCK_SECOND)
#define MS 1000

static struct script script;
static struct console *console;
static struct event_call *open_call;
static struct termios before;
static char folder[] = "/tmp/xtrace-abi-live.XXXXXX";

static const struct frame lines[] = {
	{ .kind = FRAME_PYTHON, .function = "f", .file = "a.py", .line = 7 },
	{ .kind = FRAME_PYTHON, .function = "g", .file = "b.py", .line = 9 },
};

static void
begin(bool color, bool frames)
{
	struct err err = { "" };

	screen_open(HEIGHT, WIDTH);
	ck_assert_int_eq(tcgetattr(screen_descriptor(), &before), 0);
	ck_assert_msg(console_open(color, &console, &err) == 0, "%s", err.text);
	script_init(&script);
	script.look.console = console;
	script.look.command = "./server";
	script.look.has_frames = frames;
	script_open(&script, live_sink_new);
}

/* One turn of each thread: a page is made and shown, and keys are taken. */
static void
turn(void)
{
	struct event open = { .kind = EVENT_OPEN,
			      .pid = SCRIPT_PID,
			      .tid = SCRIPT_PID,
			      .call = open_call };

	if (open_call)
		tee_event(script.tee, &open);
	tee_draw(script.tee);
	if (console_serve(console))
		tee_draw(script.tee);
	screen_look();
}

/* Waits until the row contains this part. If the part is "", waits until the
 * row is empty. */
static void
await(unsigned row, const char *part)
{
	time_t limit = time(NULL) + LIMIT_SECONDS;

	for (;;) {
		turn();
		if (*part ? strstr(screen_row(row), part) != NULL
			  : !*screen_row(row))
			return;
		ck_assert_msg(time(NULL) < limit, "row %u is '%s', not '%s'",
			      row, screen_row(row), part);
		poll(NULL, 0, 1);
	}
}

static void
type(const char *keys, unsigned row, const char *part)
{
	screen_type(keys);
	await(row, part);
}

/* Tells of a call that was made in this line of a script. */
static void
call(const char *name, unsigned line, uint64_t micros)
{
	struct event_call *of = script_call(&script, name);

	of->frames = &lines[line];
	of->frame_count = 1;
	script_enter(&script, SCRIPT_PID + 1, of, 0);
	script_end(&script, SCRIPT_PID + 1, of, micros, CALL_RETURNED);
}

static void
some_calls(void)
{
	call("read", 0, 3 * MS);
	call("write", 1, 20 * MS);
	call("read", 1, 3 * MS);
	time_passes(LONG);
}

static void
expect_row(unsigned row, const char *wanted)
{
	ck_assert_str_eq(screen_row(row), wanted);
}

/* Closes the sink: the user has the terminal again. Returns the table. */
static char *
end(void)
{
	struct termios now;
	char *table = script_close(&script);

	console_close(console);
	screen_look();
	ck_assert(!screen_aside());
	ck_assert(screen_has_cursor());
	ck_assert_int_eq(tcgetattr(screen_descriptor(), &now), 0);
	ck_assert_uint_eq(now.c_lflag, before.c_lflag);
	ck_assert_uint_eq(now.c_iflag, before.c_iflag);
	ck_assert_uint_eq(now.c_oflag, before.c_oflag);
	ck_assert_mem_eq(now.c_cc, before.c_cc, sizeof(now.c_cc));
	return table;
}

#define WRITE_ROW "20.00ms       1     0.0 20.00ms       0         write"
#define READ_ROW "6.000ms       2     0.0 3.000ms       0         read"

START_TEST(a_page)
{
	begin(false, false);
	some_calls();
	open_call = script_begin(&script, SCRIPT_PID, "poll", 0);
	open_call->duration = 7000000;
	await(FOOT, "q leaves");
	ck_assert(screen_aside());
	ck_assert(!screen_has_cursor());
	ck_assert_msg(!strncmp(screen_row(0), "xtrace ./server  ", 17), "%s",
		      screen_row(0));
	expect_row(1, "3 calls, 0.0/s, 0 errors, 26.00ms in them, 1 in flight");
	expect_row(2, " >total   calls      /s     p95  errors    rows "
		      "function");
	expect_row(3, WRITE_ROW);
	expect_row(4, READ_ROW);
	expect_row(5, "");
	expect_row(9, " thread       for in flight");
	expect_row(10, "   1000   7.000ms poll");
	ck_assert_uint_eq(screen_looks(2, 40), SCREEN_REVERSE);
	ck_assert_uint_eq(screen_looks(3, 5), SCREEN_BOLD | SCREEN_UNDERLINE);
	ck_assert_uint_eq(screen_looks(4, 5), 0);
	ck_assert_uint_eq(screen_looks(FOOT, 0), SCREEN_DIM);
	script_end(&script, SCRIPT_PID, open_call, 9 * MS, CALL_RETURNED);
	open_call = NULL;
	await(10, "nothing");
	free(end());
}
END_TEST

/* With --live, the table at the end is the table of --summary. */
START_TEST(a_table_at_the_end)
{
	char *table;

	begin(false, false);
	some_calls();
	await(3, "write");
	table = end();
	script_init(&script);
	script_open(&script, summary_sink_new);
	some_calls();
	script_expect(&script, table);
	free(table);
}
END_TEST

START_TEST(rows_are_chosen)
{
	begin(false, false);
	some_calls();
	await(4, READ_ROW);
	type("s", 2, ">calls");
	expect_row(3, READ_ROW);
	type("\033OD", 2, ">total");
	screen_type("\033OB");
	do
		turn();
	while (screen_looks(4, 5) != (SCREEN_BOLD | SCREEN_UNDERLINE));
	ck_assert_uint_eq(screen_looks(3, 5), 0);
	type("\r", 0, "read");
	expect_row(0, "read");
	expect_row(1, "2 calls, total 6.000ms, max 3.000ms, mean 3.000ms");
	expect_row(FOOT, "up and down scroll, Escape goes back, q leaves");
	type("\033", 3, "write");
	type("/rE", FOOT, "filter: rE");
	ck_assert(screen_has_cursor());
	expect_row(3, READ_ROW);
	expect_row(4, "");
	type("\177", FOOT, "filter: r");
	await(3, "write");
	type("\033", FOOT, "q leaves");
	type("?", 0, "Keys of xtrace --live");
	type("x", 2, ">total");
	free(end());
}
END_TEST

/* With the lines of scripts, there are groups by line, and details by line. */
START_TEST(groups_and_lines)
{
	begin(false, true);
	some_calls();
	await(4, READ_ROW);
	type("g", 2, "where");
	expect_row(3, "23.00ms       2     0.0 20.00ms       0         "
		      "b.py:9 in g");
	expect_row(4, "3.000ms       1     0.0 3.000ms       0         "
		      "a.py:7 in f");
	type("g", 2, "function");
	screen_type("\033OB\r");
	await(0, "read");
	ck_assert(screen_has("By line:"));
	ck_assert(screen_has("    3.000ms in 1 call a.py:7 in f"));
	ck_assert(screen_has("    3.000ms in 1 call b.py:9 in g"));
	free(end());
}
END_TEST

static void
tell_stack(pid_t tid, unsigned line, const char *state)
{
	struct event_call of = { .frames = &lines[line], .frame_count = 1 };
	struct event event = { .kind = EVENT_STACK,
			       .pid = SCRIPT_PID,
			       .tid = tid,
			       .text = "w",
			       .state = state,
			       .call = &of };

	tee_event(script.tee, &event);
}

/* The page has the stacks that were told since the last t, by thread. */
START_TEST(stacks_of_threads)
{
	begin(false, false);
	await(FOOT, "q leaves");
	tell_stack(SCRIPT_PID, 0, "running");
	ck_assert(!tee_wants_stacks(script.tee));
	for (unsigned i = 0; i < 2; i++) {
		type("t", 0, "0 threads at ");
		ck_assert(tee_wants_stacks(script.tee));
		ck_assert(!tee_wants_stacks(script.tee));
		tell_stack(SCRIPT_PID + 1, 0, "running");
		tell_stack(SCRIPT_PID, 1, "blocked");
		tell_stack(SCRIPT_PID + 1, 1, "running");
		await(0, "2 threads at ");
		expect_row(2, "thread 1000 (w), blocked");
		expect_row(3, "    b.py:9 in g");
		expect_row(5, "thread 1001 of 1000 (w), running");
		expect_row(6, "    b.py:9 in g");
		expect_row(7, "");
		ck_assert(strstr(screen_row(FOOT), "t looks again"));
	}
	type("\033", FOOT, "q leaves  s sorts");
	free(end());
}
END_TEST

START_TEST(counting_is_paused_and_begun_anew)
{
	begin(false, false);
	some_calls();
	await(1, "3 calls,");
	type("p", 0, "PAUSED");
	some_calls();
	turn();
	turn();
	ck_assert(screen_has("3 calls,"));
	type("p", 1, "6 calls,");
	ck_assert(!screen_has("PAUSED"));
	type("r", 1, "0 calls, 0/s, 0 errors, no time in them");
	call("read", 0, 1);
	time_passes(LONG);
	await(1, "1 call,");
	free(end());
}
END_TEST

START_TEST(a_file_is_written)
{
	char name[64], keys[80], said[128], text[4096];
	ssize_t length;
	int fd;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(name, sizeof(name), "%s/a.json", folder);
	snprintf(keys, sizeof(keys), "w%s", name);
	begin(false, false);
	some_calls();
	await(3, "write");
	type(keys, FOOT, name);
	ck_assert(screen_has("write JSON into: "));
	snprintf(said, sizeof(said), "xtrace: %s: written", name);
	type("\r", FOOT, said);
	snprintf(said, sizeof(said),
		 "xtrace: %s: cannot be written: File "
		 "exists",
		 name);
	type(keys, FOOT, "write JSON into: ");
	type("\r", FOOT, said);
	fd = open(name, O_RDONLY);
	ck_assert_int_ge(fd, 0);
	length = read(fd, text, sizeof(text) - 1);
	ck_assert_int_gt(length, 0);
	text[length] = '\0';
	ck_assert_msg(text[0] == '{' && strstr(text, "\"write\"") &&
			      strstr(text, "\"read\""),
		      "%s", text);
	close(fd);
	unlink(name);
	rmdir(folder);
	free(end());
	/* After the end of --live, the messages are on the user's screen. */
	ck_assert(screen_has("File exists"));
}
END_TEST

/* Messages are kept while a page is shown. Only the newest messages are kept if
 * there are many. */
START_TEST(messages_are_kept)
{
	begin(false, false);
	ck_assert(!tee_message(script.tee, "xtrace: early"));
	await(FOOT, "q leaves");
	for (unsigned i = 0; i <= 100; i++) {
		char line[32];

		snprintf(line, sizeof(line), "xtrace: number %u.", i);
		ck_assert(tee_message(script.tee, line));
	}
	time_passes(LONG);
	await(FOOT, "xtrace: number 100.");
	free(end());
	ck_assert(screen_has("xtrace: number 100."));
	ck_assert(screen_has("xtrace: number 92."));
}
END_TEST

/* An error is red, or bold if there are no colours. */
START_TEST(errors_are_seen)
{
	struct event_outcome outcome = { .failed = true };
	bool color = _i;
	struct event_call *of;

	begin(color, false);
	of = script_call(&script, "read");
	of->outcome = &outcome;
	script_enter(&script, SCRIPT_PID, of, 0);
	script_end(&script, SCRIPT_PID, of, 3, CALL_RETURNED);
	time_passes(LONG);
	await(1, "1 error,");
	ck_assert_uint_eq(screen_looks(3, 38),
			  color ? SCREEN_RED : SCREEN_BOLD);
	free(end());
}
END_TEST

START_TEST(the_size_changes)
{
	struct pollfd input = { .events = POLLIN };

	begin(false, false);
	some_calls();
	await(FOOT, "q leaves");
	input.fd = console_descriptor(console);
	/* A new page is needed for another size, and for a key. */
	ck_assert(!console_serve(console));
	screen_resize(9, 50);
	ck_assert(console_serve(console));
	ck_assert(!console_serve(console));
	screen_type(" ");
	ck_assert_int_eq(poll(&input, 1, -1), 1);
	ck_assert(console_serve(console));
	await(8, "q leaves");
	expect_row(3, "20.00ms       1     0.0 20.00ms       0         wr");
	type("\014", 8, "q leaves");
	free(end());
}
END_TEST

START_TEST(the_user_leaves)
{
	begin(false, false);
	await(FOOT, "q leaves");
	ck_assert(!console_leaves(console));
	screen_type("q");
	while (!console_leaves(console))
		turn();
	free(end());
}
END_TEST

START_TEST(the_terminal_is_closed)
{
	begin(false, false);
	await(FOOT, "q leaves");
	screen_hang_up();
	while (!console_leaves(console)) {
		if (console_serve(console))
			tee_draw(script.tee);
	}
	free(script_close(&script));
	console_close(console);
}
END_TEST

/* ---- no terminal for a page ------------------------------------------------
 */

static void
expect_refused(bool shared, const char *why)
{
	struct err err = { "" };

	ck_assert_int_eq(console_check(shared, &err) < 0, *why != '\0');
	ck_assert_msg(*why ? strstr(err.text, why) != NULL : !*err.text, "%s",
		      err.text);
}

START_TEST(no_terminal)
{
	screen_leave_session();
	expect_refused(false, "--live needs a terminal");
}
END_TEST

START_TEST(a_terminal_without_a_cursor)
{
	screen_open(HEIGHT, WIDTH);
	setenv("TERM", "dumb", 1);
	expect_refused(false, "and TERM is 'dumb'");
	setenv("TERM", "no-such-terminal", 1);
	expect_refused(false, "and TERM is 'no-such-terminal'");
}
END_TEST

START_TEST(input_or_output_elsewhere)
{
	int null = open("/dev/null", O_RDWR);

	screen_open(HEIGHT, WIDTH);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	expect_refused(false, "standard input or output is not one");
	/* --live is refused if xtrace starts a command, because the command
	 * would write to the terminal, too. */
	expect_refused(true, "cannot share the terminal");
	dup2(null, STDERR_FILENO);
	expect_refused(true, "");
	dup2(screen_descriptor(), STDIN_FILENO);
	expect_refused(false, "standard input or output is not one");
	dup2(screen_descriptor(), STDOUT_FILENO);
	expect_refused(false, "");
}
END_TEST

START_TEST(in_the_background)
{
	pid_t child;

	screen_open(HEIGHT, WIDTH);
	child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	ck_assert_int_eq(setpgid(child, child), 0);
	ck_assert_int_eq(tcsetpgrp(screen_descriptor(), child), 0);
	expect_refused(false, "xtrace runs in the background");
	kill(child, SIGKILL);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
}
END_TEST

Suite *
terminal_suite(void)
{
	Suite *suite = suite_create("terminal");
	TCase *tests = tcase_create("terminal");

	tcase_add_test(tests, a_page);
	tcase_add_test(tests, a_table_at_the_end);
	tcase_add_test(tests, rows_are_chosen);
	tcase_add_test(tests, groups_and_lines);
	tcase_add_test(tests, stacks_of_threads);
	tcase_add_test(tests, counting_is_paused_and_begun_anew);
	tcase_add_test(tests, a_file_is_written);
	tcase_add_test(tests, messages_are_kept);
	tcase_add_loop_test(tests, errors_are_seen, 0, 2);
	tcase_add_test(tests, the_size_changes);
	tcase_add_test(tests, the_user_leaves);
	tcase_add_test(tests, the_terminal_is_closed);
	tcase_add_test(tests, no_terminal);
	tcase_add_test(tests, a_terminal_without_a_cursor);
	tcase_add_test(tests, input_or_output_elsewhere);
	tcase_add_test(tests, in_the_background);
	suite_add_tcase(suite, tests);
	return suite;
}
