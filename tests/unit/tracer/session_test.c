/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole sessions: in each, xtrace attaches to a forked copy of the test, which
 * calls some functions and loads modules. */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"

#include "base/attr.h"
#include "tests/unit/checks.h"

#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TARGET static int
unit_add(int one, int two)
{
	return one + two;
}

TARGET static int
unit_outer(int times)
{
	int sum = 0;

	for (int i = 0; i < times; i++)
		sum = unit_add(sum, i);
	return sum;
}

static jmp_buf back;

TARGET static int
unit_jump(int number)
{
	if (unit_add(number, 1) > 0)
		longjmp(back, number);
	return 0;
}

TARGET static int
unit_fail(const char *why)
{
	errno = ENOENT;
	return why ? -1 : 0;
}

TARGET static void
unit_end(int status)
{
	_exit(status + unit_add(0, 1));
}

static const char prototypes[] = "int unit_add(int, int);\n"
				 "int unit_outer(int);\n"
				 "int unit_jump(int);\n"
				 "errno(int) unit_fail(string);\n"
				 "void unit_end(int);\n"
				 "int getppid(void);\n";

/* ---- calls -----------------------------------------------------------------
 */

static void
call_once(void)
{
	if (unit_add(2, 3) != 5)
		_exit(1);
}

START_TEST(one_call)
{
	stage_expect("-F stage.conf -x unit_add", prototypes, call_once,
		     "unit_add(2, 3) = 5\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

static void
call_within(void)
{
	unit_outer(3);
}

START_TEST(calls_within_a_call)
{
	stage_expect("-F stage.conf -x unit_add+unit_outer", prototypes,
		     call_within,
		     "unit_outer(3 <unfinished ...>\n"
		     "unit_add(0, 0) = 0\n"
		     "unit_add(0, 1) = 1\n"
		     "unit_add(1, 2) = 3\n"
		     "<... unit_outer resumed> ) = 3\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(calls_by_a_pattern)
{
	stage_expect("-F stage.conf -n 2 -x unit_[ao]*@MAIN", prototypes,
		     call_within,
		     "unit_outer(3 <unfinished ...>\n"
		     " unit_add(0, 0) = 0\n"
		     " unit_add(0, 1) = 1\n"
		     " unit_add(1, 2) = 3\n"
		     "<... unit_outer resumed> ) = 3\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(calls_of_interest)
{
	stage_expect("-F stage.conf -x unit_add --if arg1>0", prototypes,
		     call_within,
		     "unit_add(1, 2) = 3\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

static unsigned
count(const char *text, const char *part)
{
	unsigned times = 0;

	for (; (text = strstr(text, part)); text++)
		times++;
	return times;
}

START_TEST(calls_with_their_frames)
{
	char *text = stage_trace("-F stage.conf -x unit_add -w 1 "
				 "--stack=native",
				 prototypes, call_within);

	/*
	 * The lines also have a file and a line number. The test does not
	 * compare these, because they depend on how this file was compiled.
	 */
	ck_assert_uint_eq(count(text, " in unit_outer@unit-tracer\n"), 3);
	ck_assert_uint_eq(count(text, "\n"), 7);
	free(text);
}
END_TEST

START_TEST(calls_within_the_traced_ones)
{
	stage_expect("-F stage.conf -x unit_add+unit_outer -w 2 --stack=calls",
		     prototypes, call_within,
		     "unit_outer(3 <unfinished ...>\n"
		     "unit_add(0, 0) = 0\n"
		     " unit_outer@unit-tracer\n"
		     "unit_add(0, 1) = 1\n"
		     " unit_outer@unit-tracer\n"
		     "unit_add(1, 2) = 3\n"
		     " unit_outer@unit-tracer\n"
		     "<... unit_outer resumed> ) = 3\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(frames_of_what_took_long)
{
	char *text = stage_trace("-F stage.conf -x unit_add -w 1 "
				 "--stack=native --stack-min-time=1ns --wall",
				 prototypes, call_within);

	ck_assert_uint_eq(count(text, " in unit_outer@unit-tracer\n"), 3);
	free(text);
	text = stage_trace("-F stage.conf -x unit_add -w 1 --stack=native "
			   "--stack-min-time=1h",
			   prototypes, call_within);
	ck_assert_uint_eq(count(text, "unit_outer"), 0);
	free(text);
}
END_TEST

static void
fail_twice(void)
{
	unit_fail("not there");
	unit_fail(NULL);
}

START_TEST(calls_that_fail)
{
	stage_expect(
		"-F stage.conf -x unit_fail", prototypes, fail_twice,
		"unit_fail(\"not there\") = -1 ENOENT (No such file or director"
		"y)\n"
		"unit_fail(nil) = 0\n"
		"+++ exited (status 0) +++\n");
	stage_expect(
		"-F stage.conf -x unit_fail --if errno==ENOENT", prototypes,
		fail_twice,
		"unit_fail(\"not there\") = -1 ENOENT (No such file or director"
		"y)\n"
		"+++ exited (status 0) +++\n");
}
END_TEST

static void
jump(void)
{
	if (setjmp(back) == 0)
		unit_jump(4);
	unit_add(7, 8);
}

START_TEST(calls_that_are_jumped_out_of)
{
	stage_expect("-F stage.conf -x unit_add+unit_jump", prototypes, jump,
		     "unit_jump(4 <unfinished ...>\n"
		     "unit_add(4, 1) = 5\n"
		     "<... unit_jump resumed> ) = <unwound>\n"
		     "unit_add(7, 8) = 15\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

static void
end_within(void)
{
	unit_end(3);
}

START_TEST(calls_that_do_not_return)
{
	stage_expect("-F stage.conf -x unit_end+unit_add", prototypes,
		     end_within,
		     "unit_end(3 <unfinished ...>\n"
		     "unit_add(0, 1) = 1\n"
		     "+++ exited (status 4) +++\n");
}
END_TEST

START_TEST(a_call_that_was_there_before)
{
	char *text = stage_trace("-x wait_at_gate", NULL, call_once);

	ck_assert_uint_eq(count(text, "wait_at_gate("), 1);
	ck_assert_uint_eq(count(text, " <in flight ...>\n"), 1);
	ck_assert_uint_eq(count(text, "<... wait_at_gate resumed>"), 1);
	free(text);
}
END_TEST

/* ---- modules ---------------------------------------------------------------
 */

static int (*volatile getter)(void) = getppid;

static void
call_library(void)
{
	getppid();
	getter();
}

START_TEST(calls_of_a_library)
{
	stage_expect("-F stage.conf -e getppid@MAIN", prototypes, call_library,
		     "getppid() = PARENT\n"
		     "getppid() = PARENT\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(calls_into_a_library)
{
	stage_expect("-F stage.conf -x getppid@libc.so.6", prototypes,
		     call_library,
		     "getppid() = PARENT\n"
		     "getppid() = PARENT\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(calls_as_ltrace_has_them)
{
	stage_expect("ltrace -F stage.conf -e getppid -x unit_add", prototypes,
		     call_library,
		     "unit-tracer->getppid() = PARENT\n"
		     "unit-tracer->getppid() = PARENT\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

/* Calls an IFUNC, whose code is chosen when the program is relocated. */
static void
call_indirect(void)
{
	size_t (*volatile length)(const char *) = strlen;

	length("four");
}

START_TEST(calls_of_an_indirect_function)
{
	stage_expect("-F stage.conf -x strlen@libc.so.6",
		     "size_t strlen(string);\n", call_indirect,
		     "strlen(\"four\") = 4\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

/* A library that the test is not linked with, and one of its functions. */
#define LATE "libresolv.so.2"
#define LATE_FUNCTION "ns_format_ttl"

static void
load_late(void)
{
	for (int i = 0; i < 2; i++) {
		void *library = dlopen(LATE, RTLD_NOW);
		int (*format)(unsigned long, char *, size_t);
		char text[16];

		if (!library)
			_exit(1);
		format = (int (*)(unsigned long, char *,
				  size_t))dlsym(library, LATE_FUNCTION);
		if (!format || format(61, text, sizeof(text)) < 0 ||
		    dlclose(library) != 0)
			_exit(2);
	}
}

START_TEST(calls_of_what_is_loaded_later)
{
	char *text = stage_trace("-F stage.conf -x " LATE_FUNCTION,
				 "int " LATE_FUNCTION
				 "(ulong, out string, ulong);\n",
				 load_late);

	ck_assert_str_eq(text, "ns_format_ttl(61, \"1m1s\", 16) = 4\n"
			       "ns_format_ttl(61, \"1m1s\", 16) = 4\n"
			       "+++ exited (status 0) +++\n");
	free(text);
	text = stage_said();
	ck_assert_str_eq(text, "xtrace: ns_format_ttl: not loaded yet; "
			       "waiting for a library that defines it\n");
	free(text);
}
END_TEST

/* Names that nothing has, and a name that is nearly that of a function. */
START_TEST(filters_that_match_nothing)
{
	char *said;

	free(stage_trace("-F stage.conf -x unit_outre -e strlenn -l libnot.so",
			 prototypes, call_within));
	said = stage_said();
	ck_assert_msg(strstr(said, "unit_outer") && strstr(said, "strlenn") &&
			      strstr(said, "libnot.so"),
		      "%s", said);
	free(said);
}
END_TEST

/* ---- commands --------------------------------------------------------------
 */

START_TEST(a_command)
{
	stage_expect("-e execve@MAIN /bin/sh -c :", NULL, NULL,
		     "+++ exited (status 0) +++\n");
}
END_TEST

Suite *
session_suite(void)
{
	Suite *suite = suite_create("tracer/session");
	TCase *tests = tcase_create("session");

	tcase_add_test(tests, one_call);
	tcase_add_test(tests, calls_within_a_call);
	tcase_add_test(tests, calls_by_a_pattern);
	tcase_add_test(tests, calls_of_interest);
	tcase_add_test(tests, calls_with_their_frames);
	tcase_add_test(tests, calls_within_the_traced_ones);
	tcase_add_test(tests, frames_of_what_took_long);
	tcase_add_test(tests, calls_that_fail);
	tcase_add_test(tests, calls_that_are_jumped_out_of);
	tcase_add_test(tests, calls_that_do_not_return);
	tcase_add_test(tests, a_call_that_was_there_before);
	tcase_add_test(tests, calls_of_a_library);
	tcase_add_test(tests, calls_into_a_library);
	tcase_add_test(tests, calls_as_ltrace_has_them);
	tcase_add_test(tests, calls_of_an_indirect_function);
	tcase_add_test(tests, calls_of_what_is_loaded_later);
	tcase_add_test(tests, filters_that_match_nothing);
	tcase_add_test(tests, a_command);
	suite_add_tcase(suite, tests);
	return suite;
}
