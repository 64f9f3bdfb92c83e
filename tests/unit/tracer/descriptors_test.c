/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -y: the file behind a descriptor is shown; -P: only calls about a file are
 * shown. */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"
#include "tests/unit/checks.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* No other descriptor of the copy has one of these numbers. */
#define NULL_FD 210
#define ROOT_FD 211

TARGET static int
unit_use(int fd, int number)
{
	return fd < 0 ? fd : number;
}

/* Has a parameter for a folder, like the *at functions. */
TARGET static int
unit_use_at(int folder, const char *path)
{
	return path[0] == '/' ? -folder : 0;
}

TARGET static int
unit_name(const char *path)
{
	return path[0];
}

static const char prototypes[] =
	"int unit_use(int epfd, int number);\n"
	"int unit_use_at(enum(AT_FDCWD=-100) folder, string path);\n"
	"int unit_name(string path);\n"
	"int dup2(int, int);\n";

static void
place(const char *path, int fd)
{
	int opened = open(path, O_RDONLY);

	if (opened < 0 || dup2(opened, fd) != fd || close(opened) < 0)
		_exit(1);
}

static void
use_files(void)
{
	place("/dev/null", NULL_FD);
	place("/", ROOT_FD);
	unit_use(NULL_FD, NULL_FD);
	unit_use(-1, 5);
	unit_use(ROOT_FD + 1, 6);
	unit_use_at(ROOT_FD, "dev/null");
	unit_use_at(AT_FDCWD, "/dev/null");
	unit_name("/dev/null");
	unit_name("/dev/nul");
}

START_TEST(files_of_arguments)
{
	char *text = stage_trace("-F stage.conf -y -x unit_use+unit_use_at",
				 prototypes, use_files);
	char *folder = getcwd(NULL, 0);
	char *expected;

	ck_assert_int_ge(
		asprintf(&expected,
			 "unit_use(210</dev/null>, 210) = 210\n"
			 "unit_use(-1, 5) = -1\n"
			 "unit_use(212, 6) = 6\n"
			 "unit_use_at(211</>, \"dev/null\") = 0\n"
			 "unit_use_at(AT_FDCWD<%s>, \"/dev/null\") = 100\n"
			 "+++ exited (status 0) +++\n",
			 folder),
		0);
	ck_assert_str_eq(text, expected);
	free(expected);
	free(folder);
	free(text);
}
END_TEST

/* The name of a function says that it returns a new descriptor. */
START_TEST(files_of_results)
{
	char *text = stage_trace("-F stage.conf -y -x dup2@libc.so.6",
				 prototypes, use_files);

	ck_assert_msg(strstr(text, ", 210) = 210</dev/null>\n") &&
			      strstr(text, ", 211) = 211</>\n"),
		      "%s", text);
	free(text);
}
END_TEST

START_TEST(calls_about_a_file)
{
	stage_expect("-F stage.conf -P /dev/null "
		     "-x unit_use+unit_use_at+unit_name",
		     prototypes, use_files,
		     "unit_use(210, 210) = 210\n"
		     "unit_use_at(AT_FDCWD, \"/dev/null\") = 100\n"
		     "unit_name(\"/dev/null\") = 47\n"
		     "+++ exited (status 0) +++\n");
	stage_expect("-F stage.conf -P / -P /dev/nul "
		     "-x unit_use+unit_use_at+unit_name",
		     prototypes, use_files,
		     "unit_use_at(211, \"dev/null\") = 0\n"
		     "unit_name(\"/dev/nul\") = 47\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

Suite *
descriptors_suite(void)
{
	Suite *suite = suite_create("tracer/descriptors");
	TCase *tests = tcase_create("descriptors");

	tcase_add_test(tests, files_of_arguments);
	tcase_add_test(tests, files_of_results);
	tcase_add_test(tests, calls_about_a_file);
	suite_add_tcase(suite, tests);
	return suite;
}
