/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several sinks with the same events, and one sink and file for each
 * process. */
#include "suites.h"

#include "output/split.h"
#include "script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/xtrace-split-XXXXXX";
static struct event_call calls[2];

static struct event
event_of(pid_t pid, enum event_kind kind)
{
	return (struct event){ .kind = kind, .pid = pid, .tid = pid };
}

static void
tell(struct tee *tee, pid_t pid, enum event_kind kind)
{
	struct event event = event_of(pid, kind);

	if (kind == EVENT_ENTRY || kind == EVENT_RETURN)
		event.call = &calls[pid % 2];
	tee_event(tee, &event);
}

static const char *
contents(const char *name)
{
	static char text[1024];
	char path[64];
	ssize_t n;
	int file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = open(path, O_RDONLY);
	ck_assert_int_ge(file, 0);
	n = read(file, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	close(file);
	unlink(path);
	return text;
}

START_TEST(a_file_for_each_process)
{
	static const struct look look = { .align = 10 };
	struct tee *tee = tee_new();
	char path[64];
	int failure = 0;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/out", folder);
	calls[0].display = calls[0].name = "even";
	calls[1].display = calls[1].name = "odd";
	tee_add(tee, split_sink_new(&look, path, text_sink_new, &failure));
	tell(tee, 10, EVENT_ENTRY);
	tell(tee, 11, EVENT_START);
	tell(tee, 11, EVENT_ENTRY);
	tell(tee, 10, EVENT_RETURN);
	tee_tick(tee);
	ck_assert_str_eq(contents("out.10"), "even()   = <void>\n");
	tell(tee, 11, EVENT_RETURN);
	tell(tee, 11, EVENT_EXITED);
	ck_assert_str_eq(contents("out.11"), "odd()    = <void>\n"
					     "+++ exited (status 0) +++\n");
	tell(tee, 11, EVENT_THREAD_END);
	tee_close(tee);
	ck_assert_int_eq(failure, 0);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(a_failure_is_kept)
{
	static const struct look look = { .align = 10 };
	struct tee *tee = tee_new();
	int failure = 0;

	tee_add(tee, split_sink_new(&look, "/nowhere/at/all", text_sink_new,
				    &failure));
	tell(tee, 10, EVENT_ENTRY);
	tell(tee, 10, EVENT_RETURN);
	tee_close(tee);
	ck_assert_int_eq(failure, -ENOENT);
}
END_TEST

START_TEST(a_tee_tells_all)
{
	struct script script;

	script_init(&script);
	script.look.align = 10;
	script_open(&script, text_sink_new);
	script_open(&script, folded_sink_new);
	script_open(&script, text_sink_new);
	script_whole(&script, SCRIPT_PID, "f", 0, 10);
	tee_tick(script.tee);
	script_expect(&script, "f()      = <void>\n"
			       "f()      = <void>\n"
			       "process 1000;thread 1000;f 10\n");
	tee_close(NULL);
}
END_TEST

Suite *
split_suite(void)
{
	Suite *suite = suite_create("split");
	TCase *tests = tcase_create("split");

	tcase_add_test(tests, a_file_for_each_process);
	tcase_add_test(tests, a_failure_is_kept);
	tcase_add_test(tests, a_tee_tells_all);
	suite_add_tcase(suite, tests);
	return suite;
}
