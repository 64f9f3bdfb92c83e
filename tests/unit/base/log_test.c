/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Topics are selected by name, and the last 64 KiB are kept. */
#include "tests/unit/base/suites.h"

#include "base/fd.h"
#include "base/log.h"
#include "base/xmalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Everything that was written to fd, a memory file. */
static char *
text_of(int fd)
{
	cleanup(freep) char *path = xasprintf("/proc/self/fd/%d", fd);
	char *text = NULL;

	ck_assert_int_eq(fd_read_file(path, &text, NULL), 0);
	return text;
}

START_TEST(only_what_was_chosen_is_heard)
{
	cleanup(fd_closep) int fd = memfd_create("log", MFD_CLOEXEC);
	cleanup(freep) char *text = NULL;

	debug_of(LOG_ARCH, "too early");
	ck_assert_int_eq(log_choose("arch,conf", fd), 0);
	debug_of(LOG_ARCH, "slot %d", 7);
	debug_of(LOG_PROCESS, "unheard");
	debug_of(LOG_CONF, "parsed");
	text = text_of(fd);
	ck_assert_str_eq(text, "xtrace[arch]: slot 7\nxtrace[conf]: parsed\n");
}
END_TEST

START_TEST(no_such_topic)
{
	ck_assert_int_eq(log_choose("arch,archery", -1), -EINVAL);
	ck_assert_int_eq(log_choose("arch,,", -1), -EINVAL);
	ck_assert_uint_eq(log_heard, 0);
	ck_assert_int_eq(log_choose("all", -1), 0);
	ck_assert_uint_eq(log_heard, (1u << LOG_TOPICS) - 1);
	ck_assert_int_eq(log_choose("", -1), 0);
	ck_assert_uint_eq(log_heard, 0);
}
END_TEST

START_TEST(the_last_of_it_is_kept)
{
	cleanup(fd_closep) int fd = memfd_create("log", MFD_CLOEXEC);
	cleanup(freep) char *text = NULL;

	ck_assert_int_eq(log_choose("all", -1), 0);
	for (int i = 0; i < 10000; i++)
		debug_of(LOG_BASE, "line %d", i);
	log_dump(fd);
	text = text_of(fd);
	ck_assert_uint_eq(strlen(text), 65536);
	ck_assert_ptr_null(strstr(text, "line 5000\n"));
	ck_assert_ptr_nonnull(strstr(text, "line 9000\n"));
	ck_assert_str_eq(text + 65536 - strlen("line 9999\n"), "line 9999\n");
}
END_TEST

START_TEST(a_long_line_is_cut)
{
	cleanup(fd_closep) int fd = memfd_create("log", MFD_CLOEXEC);
	cleanup(freep) char *text = NULL;

	ck_assert_int_eq(log_choose("base", fd), 0);
	debug_of(LOG_BASE, "%2000d", 1);
	debug_of(LOG_BASE, "next");
	text = text_of(fd);
	ck_assert_uint_lt(strlen(text), 1000);
	ck_assert_ptr_nonnull(strstr(text, " \nxtrace[base]: next\n"));
}
END_TEST

START_TEST(names_are_escaped)
{
	cleanup(fd_closep) int fd = memfd_create("log", MFD_CLOEXEC);
	cleanup(freep) char *text = NULL;

	ck_assert_int_eq(log_choose("base", fd), 0);
	debug_of(LOG_BASE, "%s has ended", "lib\033\nforged");
	text = text_of(fd);
	ck_assert_str_eq(text, "xtrace[base]: lib\\033\\nforged has ended\n");
}
END_TEST

Suite *
log_suite(void)
{
	Suite *suite = suite_create("base/log");
	TCase *tests = tcase_create("log");

	tcase_add_test(tests, only_what_was_chosen_is_heard);
	tcase_add_test(tests, no_such_topic);
	tcase_add_test(tests, the_last_of_it_is_kept);
	tcase_add_test(tests, a_long_line_is_cut);
	tcase_add_test(tests, names_are_escaped);
	suite_add_tcase(suite, tests);
	return suite;
}
