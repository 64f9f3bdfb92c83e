/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of a copy of the test: reading, writing, and the veil. */
#include "process/space.h"
#include "tests/unit/live/tracee.h"
#include "tests/unit/process/suites.h"

#include "base/attr.h"
#include "process/tally.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

static char words[64] = "what the copy has";
static const char constant[] = "never written by a program";

static struct tally tally;
static struct space *space;
static pid_t pid;

static void
setup(void)
{
	pid = tracee_fork(tracee_pause);
	space = space_new(pid, &tally);
}

static void
teardown(void)
{
	tracee_kill(pid);
	space_unref(space);
}

static void
opened(void)
{
	struct err err = { "" };

	ck_assert_msg(space_open(space, &err) == 0, "%s", err.text);
}

START_TEST(its_memory_is_not_ours)
{
	char there[64];

	opened();
	words[0] = 'W';
	ck_assert_int_eq(space_read_raw(space, (addr_t)words, there, 64), 0);
	ck_assert_str_eq(there, "what the copy has");
	ck_assert_int_eq(space_write(space, (addr_t)words, "else", 5), 0);
	ck_assert_int_eq(space_read_raw(space, (addr_t)words, there, 64), 0);
	ck_assert_str_eq(there, "else");
	ck_assert_str_eq(words, "What the copy has");
	ck_assert_uint_eq(tally.reads, 2);
	ck_assert_uint_eq(tally.read_bytes, 128);
	ck_assert_uint_eq(tally.writes, 1);
	ck_assert_uint_eq(tally.write_bytes, 5);
}
END_TEST

START_TEST(page_protections_do_not_matter)
{
	char there[64];

	opened();
	/* Some kernels let only a tracer write to read-only pages. */
	ck_assert_int_eq(ptrace(PTRACE_SEIZE, pid, NULL, NULL), 0);
	ck_assert_int_eq(space_write(space, (addr_t)constant, "NEVER", 5), 0);
	ck_assert_int_eq(space_read_raw(space, (addr_t)constant, there,
					sizeof(constant)),
			 0);
	ck_assert_str_eq(there, "NEVER written by a program");
	ck_assert_str_eq(constant, "never written by a program");
}
END_TEST

START_TEST(without_its_file_it_is_read_only)
{
	char there[64];

	ck_assert_int_eq(space_read_raw(space, (addr_t)words, there, 64), 0);
	ck_assert_str_eq(there, words);
	ck_assert_int_eq(space_read_raw(space, 16, there, 64), -EFAULT);
	ck_assert_int_eq(space_write(space, (addr_t)words, "x", 1), -EPERM);
}
END_TEST

START_TEST(what_is_not_mapped)
{
	char there[8];

	opened();
	ck_assert_int_eq(space_read_raw(space, 16, there, 8), -EFAULT);
	ck_assert_int_eq(space_write(space, 16, there, 8), -EFAULT);
}
END_TEST

START_TEST(processes_that_have_ended)
{
	struct err err = { "" };
	struct space *other;
	char there[8];

	opened();
	tracee_kill(pid);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(space_read_raw(space, (addr_t)words, there, 8),
			 -ESRCH);
	ck_assert_int_eq(space_write(space, (addr_t)words, there, 8), -ESRCH);
	other = space_new(5000000, &tally);
	ck_assert_int_eq(space_open(other, &err), -ESRCH);
	ck_assert_str_eq(err.text, "process 5000000 has ended");
	ck_assert_int_eq(space_read_raw(other, (addr_t)words, there, 8),
			 -ESRCH);
	space_unref(other);
}
END_TEST

/* In a child, because its /proc shows no process, as with hidepid=. The status
 * is 77 if the machine allows no such child. */
static int
opens_hidden(void)
{
	struct err err = { "" };
	char text[64];

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", "/proc", "tmpfs", 0, NULL) < 0)
		return 77;
	if (space_open(space, &err) != -ENOENT)
		return 1;
	snprintf(text, sizeof(text), "cannot open /proc/%d/mem: ", pid);
	return strncmp(err.text, text, strlen(text)) ? 2 : 0;
}

START_TEST(processes_that_are_hidden)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(opens_hidden());
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		puts("no namespaces: a hidden process is not tested");
	else
		ck_assert_int_eq(status, 0);
}
END_TEST

/* ---- the veil --------------------------------------------------------------
 */

static unsigned covered;

static void
cover(struct veil *veil, addr_t from, void *bytes, size_t length)
{
	(void)veil;
	(void)from;
	covered++;
	memset(bytes, '-', length);
}

START_TEST(reads_of_others_are_veiled)
{
	struct veil veil = { .cover = cover };
	char there[8] = "", other[4] = "";
	const struct span spans[] = {
		{ (addr_t)words, there, 4 },
		{ (addr_t)words + 5, other, 3 },
		{ 16, there, 4 },
	};

	opened();
	space->veil = &veil;
	ck_assert_int_eq(reader_read(&space->reader, (addr_t)words, there, 4),
			 0);
	ck_assert_str_eq(there, "----");
	ck_assert_int_eq(reader_read(&space->reader, 16, there, 4), -EFAULT);
	ck_assert_uint_eq(covered, 1);
	ck_assert_int_eq(space_read_raw(space, (addr_t)words, there, 4), 0);
	ck_assert_str_eq(there, "what");
	/*
	 * Of several spans, only the first ones that could be read are counted.
	 */
	ck_assert_uint_eq(space->reader.read_spans(&space->reader, spans, 3),
			  2);
	ck_assert_str_eq(there, "----");
	ck_assert_str_eq(other, "---");
	ck_assert_uint_eq(covered, 3);
	space->veil = NULL;
	ck_assert_uint_eq(space->reader.read_spans(&space->reader, spans, 2),
			  2);
	ck_assert_str_eq(there, "what");
	ck_assert_str_eq(other, "the");
}
END_TEST

Suite *
space_suite(void)
{
	Suite *suite = suite_create("process/space");
	TCase *tests = tcase_create("space");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, its_memory_is_not_ours);
	tcase_add_test(tests, page_protections_do_not_matter);
	tcase_add_test(tests, without_its_file_it_is_read_only);
	tcase_add_test(tests, what_is_not_mapped);
	tcase_add_test(tests, processes_that_have_ended);
	tcase_add_test(tests, processes_that_are_hidden);
	tcase_add_test(tests, reads_of_others_are_veiled);
	suite_add_tcase(suite, tests);
	return suite;
}
