/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing bytes: whole lines, and what happens if the reader does not read. */
#include "suites.h"

#include "base/xmalloc.h"
#include "output/out.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void
put(struct out *out, const char *text)
{
	out_write(out, text, strlen(text));
}

/* Everything that can be read from descriptor without blocking. */
static const char *
drain(int descriptor)
{
	static char text[4096];
	ssize_t n;

	fcntl(descriptor, F_SETFL, O_NONBLOCK);
	n = read(descriptor, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

static const char *
contents(int descriptor)
{
	static char text[4096];
	ssize_t n = pread(descriptor, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

START_TEST(only_whole_lines_leave)
{
	struct out *out;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	out = out_descriptor(ends[1]);
	put(out, "one\ntw");
	out_flush(out, false);
	ck_assert_str_eq(drain(ends[0]), "one\n");
	put(out, "o\nthree\nfour");
	out_flush(out, false);
	ck_assert_str_eq(drain(ends[0]), "two\nthree\n");
	ck_assert_int_eq(out_close(out), 0);
	ck_assert_str_eq(drain(ends[0]), "four");
	/* The descriptor was lent to the out, so it is still open. */
	ck_assert_int_eq(close(ends[1]), 0);
	close(ends[0]);
}
END_TEST

/* Other programs write to the descriptor, too. */
START_TEST(a_shared_descriptor_gets_each_line_at_once)
{
	struct out *out;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	out = out_descriptor(ends[1]);
	put(out, "one\ntw");
	out_flush(out, true);
	ck_assert_str_eq(drain(ends[0]), "one\n");
	out_close(out);
	close(ends[0]);
	close(ends[1]);
}
END_TEST

START_TEST(pressure_writes_large_buffers)
{
	int file = memfd_create("out", 0);
	cleanup(freep) char *path = xasprintf("/proc/self/fd/%d", file);
	struct out *out;
	struct stat status;
	struct err err;

	ck_assert_int_eq(out_open(path, &out, &err), 0);
	put(out, "a line\n");
	out_flush(out, true);
	ck_assert_int_eq(fstat(file, &status), 0);
	ck_assert_int_eq(status.st_size, 0);
	out_flush(out, false);
	ck_assert_int_eq(fstat(file, &status), 0);
	ck_assert_int_eq(status.st_size, 7);
	for (int i = 0; i < 3000; i++)
		put(out, "a line of thirty-two characters\n");
	out_flush(out, true);
	ck_assert_int_eq(fstat(file, &status), 0);
	ck_assert_int_eq(status.st_size, 7 + 3000 * 32);
	out_close(out);
	close(file);
}
END_TEST

START_TEST(terminal_sees_everything_at_once)
{
	int screen, tty;
	struct out *out;

	ck_assert_int_eq(openpty(&screen, &tty, NULL, NULL, NULL), 0);
	out = out_descriptor(tty);
	ck_assert(out_terminal(out));
	put(out, "sleep(10");
	out_flush(out, true);
	ck_assert_str_eq(drain(screen), "sleep(10");
	out_close(out);
	close(tty);
	close(screen);
}
END_TEST

START_TEST(closed_pipe_is_remembered)
{
	struct out *out;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	close(ends[0]);
	out = out_descriptor(ends[1]);
	put(out, "line\n");
	ck_assert_int_eq(out_error(out), 0);
	out_flush(out, false);
	ck_assert_int_eq(out_error(out), -EPIPE);
	put(out, "line\n");
	out_flush(out, false);
	ck_assert_int_eq(out_close(out), -EPIPE);
	close(ends[1]);
}
END_TEST

START_TEST(full_disk_is_remembered)
{
	struct out *out;

	ck_assert_int_eq(out_open("/dev/full", &out, NULL), 0);
	put(out, "line\n");
	out_flush(out, false);
	ck_assert_int_eq(out_error(out), -ENOSPC);
	ck_assert_int_eq(out_close(out), -ENOSPC);
}
END_TEST

START_TEST(full_disk_tears_no_line)
{
	char path[] = "/tmp/xtrace-out-XXXXXX";
	struct rlimit limit = { 20, 20 };
	int file = mkstemp(path);
	struct out *out;

	ck_assert_int_eq(out_open(path, &out, NULL), 0);
	put(out, "eight ch\neight ch\neight ch\n");
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	out_flush(out, false);
	ck_assert_int_eq(out_error(out), -EFBIG);
	ck_assert_str_eq(contents(file), "eight ch\neight ch\n");
	out_close(out);
	unlink(path);
	close(file);
}
END_TEST

START_TEST(unopenable_says_why)
{
	struct out *out;
	struct err err;

	ck_assert_int_eq(out_open("/nowhere/at/all", &out, &err), -ENOENT);
	ck_assert_str_eq(err.text, "/nowhere/at/all: cannot be written: "
				   "No such file or directory");
}
END_TEST

START_TEST(command_gets_it_all_and_is_awaited)
{
	char path[] = "/tmp/xtrace-out-XXXXXX";
	int file = mkstemp(path);
	char command[128];
	struct out *out;

	snprintf(command, sizeof(command),
		 "|sleep 0.05; cat >%s; echo end >>%s", path, path);
	ck_assert_int_eq(out_open(command, &out, NULL), 0);
	ck_assert(!out_terminal(out));
	put(out, "one\n");
	out_flush(out, false);
	put(out, "two\n");
	ck_assert_int_eq(out_close(out), 0);
	ck_assert_str_eq(contents(file), "one\ntwo\nend\n");
	unlink(path);
	close(file);
}
END_TEST

/* The signals in a line of /proc/PID/status, without the two that the C library
 * reserves for itself. */
static uint64_t
mask_of(const char *status, const char *line)
{
	return strtoull(strstr(status, line) + 8, NULL, 16) & ~(3ULL << 31);
}

/* We ignore SIGPIPE, and children inherit this; `yes | head` must still end. */
START_TEST(command_has_default_signals)
{
	char path[] = "/tmp/xtrace-out-XXXXXX";
	int file = mkstemp(path);
	char command[128];
	struct out *out;
	sigset_t all;

	signal(SIGPIPE, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	snprintf(command, sizeof(command),
		 "|grep -E '^Sig(Ign|Blk)' /proc/self/status >%s", path);
	ck_assert_int_eq(out_open(command, &out, NULL), 0);
	out_close(out);
	ck_assert_uint_eq(mask_of(contents(file), "SigBlk:"), 0);
	ck_assert_uint_eq(mask_of(contents(file), "SigIgn:"), 0);
	unlink(path);
	close(file);
}
END_TEST

START_TEST(command_that_ends_early_is_a_closed_pipe)
{
	struct out *out;

	ck_assert_int_eq(out_open("|exec <&-; exit 3", &out, NULL), 0);
	while (out_error(out) == 0) {
		put(out, "line\n");
		out_flush(out, false);
	}
	ck_assert_int_eq(out_close(out), -EPIPE);
}
END_TEST

START_TEST(memory_is_at_once)
{
	struct str text = { 0 };
	struct out *out = out_memory(&text);

	put(out, "par");
	ck_assert_str_eq(text.text, "par");
	out_flush(out, false);
	ck_assert_int_eq(out_close(out), 0);
	str_release(&text);
	ck_assert_int_eq(out_close(NULL), 0);
}
END_TEST

START_TEST(a_new_file_is_whole_or_missing)
{
	char folder[] = "/tmp/xtrace-anew-XXXXXX";
	cleanup(freep) char *path = NULL, *link = NULL;
	struct out *out;
	int before;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	path = xasprintf("%s/file", folder);
	link = xasprintf("%s/link", folder);
	ck_assert_int_eq(out_open(path, &out, NULL), 0);
	before = open(path, O_RDONLY);
	put(out, "old\n");
	out_flush(out, false);
	ck_assert(out_anew(out));
	ck_assert(!out_anew(out));
	put(out, "new");
	out_flush(out, false);
	ck_assert_str_eq(contents(before), "old\n");
	out_complete(out);
	ck_assert_str_eq(contents(before), "old\n");
	close(before);
	before = open(path, O_RDONLY);
	ck_assert_str_eq(contents(before), "new");
	close(before);
	ck_assert_int_eq(out_close(out), 0);
	ck_assert_int_eq(symlink("file", link), 0);
	ck_assert_int_eq(out_open(link, &out, NULL), 0);
	ck_assert(!out_anew(out));
	ck_assert_int_eq(out_close(out), 0);
	unlink(link);
	unlink(path);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* A file that was renamed, for example by logrotate, gets the last version,
 * too.
 */
START_TEST(a_renamed_file_is_written_anew)
{
	char folder[] = "/tmp/xtrace-anew-XXXXXX";
	cleanup(freep) char *path = NULL, *moved = NULL;
	struct out *out;
	int file;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	path = xasprintf("%s/file", folder);
	moved = xasprintf("%s/moved", folder);
	ck_assert_int_eq(out_open(path, &out, NULL), 0);
	ck_assert(out_anew(out));
	put(out, "a long version\n");
	out_complete(out);
	ck_assert_int_eq(rename(path, moved), 0);
	ck_assert(!out_anew(out));
	out_empty(out);
	put(out, "the last\n");
	ck_assert_int_eq(out_close(out), 0);
	file = open(moved, O_RDONLY);
	ck_assert_str_eq(contents(file), "the last\n");
	close(file);
	ck_assert_int_lt(access(path, F_OK), 0);
	unlink(moved);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

Suite *
out_suite(void)
{
	Suite *suite = suite_create("out");
	TCase *tests = tcase_create("out");

	tcase_add_test(tests, a_renamed_file_is_written_anew);
	tcase_add_test(tests, only_whole_lines_leave);
	tcase_add_test(tests, a_shared_descriptor_gets_each_line_at_once);
	tcase_add_test(tests, pressure_writes_large_buffers);
	tcase_add_test(tests, terminal_sees_everything_at_once);
	tcase_add_test(tests, closed_pipe_is_remembered);
	tcase_add_test(tests, full_disk_is_remembered);
	tcase_add_test(tests, full_disk_tears_no_line);
	tcase_add_test(tests, unopenable_says_why);
	tcase_add_test(tests, command_gets_it_all_and_is_awaited);
	tcase_add_test(tests, command_has_default_signals);
	tcase_add_test(tests, command_that_ends_early_is_a_closed_pipe);
	tcase_add_test(tests, memory_is_at_once);
	tcase_add_test(tests, a_new_file_is_whole_or_missing);
	suite_add_tcase(suite, tests);
	return suite;
}
