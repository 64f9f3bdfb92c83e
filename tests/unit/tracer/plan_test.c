/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which functions are planted for -x, -e, -l and sets: names of C++, several
 * names of one function, calls of a library, functions that only data points
 * to. Names that no module has are reported.
 */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"

#include "tests/unit/checks.h"
#include "tracer/report/hot_sites.h"

#include <dlfcn.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Functions with the names that a C++ compiler gives to unit::size(int) and
 * unit::size(char). */
TARGET int unit_size_int(int number) __asm__("_ZN4unit4sizeEi");
TARGET int unit_size_char(char number) __asm__("_ZN4unit4sizeEc");

TARGET int
unit_size_int(int number)
{
	return number + 1;
}

TARGET int
unit_size_char(char number)
{
	return number - 1;
}

/* Two names of one function. */
TARGET int unit_alias_one(int number);
int unit_alias_two(int number) __attribute__((alias("unit_alias_one")));

TARGET int
unit_alias_one(int number)
{
	return number * 3;
}

static const char prototypes[] = "int unit_alias_one(int);\n"
				 "int unit_alias_two(int);\n"
				 "int getpgrp(void);\n";

static void
call_names(void)
{
	unit_size_int(1);
	unit_size_char(1);
	unit_alias_one(2);
	if (unit_alias_two(3) != 9)
		_exit(1);
}

START_TEST(names_of_cplusplus)
{
	stage_expect("-x unit::size(int)", NULL, call_names,
		     "_ZN4unit4sizeEi(1) = 2\n"
		     "+++ exited (status 0) +++\n");
	stage_expect("-C -x unit::size*", NULL, call_names,
		     "unit::size(1) = 2\n"
		     "unit::size('\\001') = 0\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

/* If several names of a function match the filter, its site has the first of
 * them. */
START_TEST(two_names_of_a_function)
{
	stage_expect("-F stage.conf -x unit_alias_*", prototypes, call_names,
		     "unit_alias_one(2) = 6\n"
		     "unit_alias_one(3) = 9\n"
		     "+++ exited (status 0) +++\n");
	stage_expect("-F stage.conf -x unit_alias_two", prototypes, call_names,
		     "unit_alias_two(2) = 6\n"
		     "unit_alias_two(3) = 9\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

/* ---- calls of other modules -----------------------------------------------
 */

static int
compare_groups(const void *one, const void *other)
{
	(void)one;
	(void)other;
	return getpgrp() != 0;
}

/* Calls getpgrp() directly, and has lfind() of libc call it once for each
 * member. */
static void
call_group(void)
{
	int members[100] = { 0 }, key = 1;
	size_t count = 100;
	int (*compare)(const void *, const void *) =
		(int (*)(const void *, const void *))(void (*)(void))getpgrp;

	if (lfind(&key, members, &count, sizeof(int), compare) ||
	    lfind(&key, members, &count, sizeof(int), compare_groups))
		_exit(1);
}

static unsigned
count_of(const char *text, const char *part)
{
	unsigned times = 0;

	for (; (text = strstr(text, part)); text++)
		times++;
	return times;
}

START_TEST(calls_of_a_library)
{
	char *text = stage_trace("-F stage.conf -l libc.so.6", prototypes,
				 call_group);

	ck_assert_uint_eq(count_of(text, "getpgrp() = "), 100);
	ck_assert_uint_eq(count_of(text, "lfind("), 2);
	free(text);
	text = stage_trace("-F stage.conf -l */libc.so.6", prototypes,
			   call_group);
	ck_assert_uint_eq(count_of(text, "getpgrp() = "), 100);
	free(text);
}
END_TEST

/* Calls of getpgrp() by libc stop as well, until the function has a jump. */
static void
group_often(const char *line, const char *why)
{
	struct stage stage;
	char *text;

	stage_open(&stage, line, prototypes, call_group);
	stage_run(&stage);
	hot_sites_say(&stage.session);
	text = stage_close_plain(&stage);
	ck_assert_uint_eq(count_of(text, "getpgrp() = "), 100);
	free(text);
	text = stage_said();
	ck_assert_msg(strstr(text, why) != NULL, "%s", text);
	free(text);
}

START_TEST(calls_for_other_callers)
{
	group_often("-F stage.conf -e getpgrp@MAIN --engine=agent --stats",
		    "hot site getpgrp: a jump; stops since then: ");
}
END_TEST

/* ---- functions that only data points to -----------------------------------
 */

TARGET static int
unit_asked(int number)
{
	return number;
}

TARGET static void
unit_hook(void)
{
}

static const char set[] = "set \"functions of libc's hooks\";\n"
			  "int unit_asked(int number);\n"
			  "int hooked(int number);\n"
			  "probe unit_asked { show number; }\n"
			  "probe hooked at error_print_progname {\n"
			  "	show number;\n"
			  "}\n"
			  "probe hooked at no_such_data { show number; }\n";

/* libc has a pointer to a function, which is NULL until the program sets it. */
static void
fill_hook(void)
{
	void (**hook)(void) = dlsym(RTLD_DEFAULT, "error_print_progname");

	if (!hook)
		_exit(1);
	unit_hook();
	unit_asked(1);
	*hook = unit_hook;
	unit_asked(2);
	unit_hook();
}

START_TEST(functions_that_data_points_to)
{
	char *text = stage_trace("--set stage.conf", set, fill_hook);

	ck_assert_uint_eq(count_of(text, " unit_asked 1 = 1 "), 1);
	ck_assert_uint_eq(count_of(text, " unit_asked 2 = 2 "), 1);
	ck_assert_uint_eq(count_of(text, " hooked "), 1);
	ck_assert_ptr_nonnull(strstr(text, "+++ exited (status 0) +++"));
	free(text);
}
END_TEST

/* ---- what matches nothing -------------------------------------------------
 */

static const struct {
	const char *options, *said;
} missing[] = {
	{ "-x mallok /bin/true",
	  "xtrace: mallok: not loaded yet; waiting for a library that defines "
	  "it\n"
	  "xtrace: mallok: no module ever had it; is malloc meant?\n" },
	{ "-x std::nosuch(int)+exit+PQ* /bin/true",
	  "xtrace: std::nosuch(int): not loaded yet; waiting for a library "
	  "that defines it\n"
	  "xtrace: PQ*: not loaded yet; waiting for a library that defines "
	  "it\n"
	  "xtrace: std::nosuch(int): no module ever had it\n"
	  "xtrace: PQ*: no module ever had it\n" },
	{ "-x @libnosuch*,exit@libd.so.6 /bin/true",
	  "xtrace: @libnosuch*: not loaded yet; waiting for this library\n"
	  "xtrace: exit@libd.so.6: not loaded yet; waiting for this library\n"
	  "xtrace: @libnosuch*: no such library was ever loaded\n"
	  "xtrace: exit@libd.so.6: no such library was ever loaded; is "
	  "libc.so.6 meant?\n" },
	{ "-x nosuch@libc.so.6+nosuch@MAIN /bin/true",
	  "xtrace: nosuch@libc.so.6: no such function there; waiting for "
	  "another module of this name\n"
	  "xtrace: nosuch@MAIN: the program has no such function\n"
	  "xtrace: nosuch@libc.so.6: there never was such a function\n"
	  "xtrace: nosuch@MAIN: there never was such a function\n" },
	{ "-e exitt /bin/true",
	  "xtrace: -e exitt: not called yet; waiting for a library that calls "
	  "it\n"
	  "xtrace: -e exitt: no module ever called it; is exit meant?\n" },
	{ "-e unheard@MAIN /bin/true",
	  "xtrace: -e unheard@MAIN: the program does not call it\n"
	  "xtrace: -e unheard@MAIN: it was never called there\n" },
	{ "-e puts@libc.so.6 /bin/true",
	  "xtrace: -e puts@libc.so.6: not called there; the library part of "
	  "-e is the caller (-x puts@libc.so.6 traces the function in this "
	  "library)\n"
	  "xtrace: -e puts@libc.so.6: it was never called there\n" },
	{ "-l libnosuch* -l libd.so.6 -l libc.so* /bin/true",
	  "xtrace: -l libnosuch*: not loaded yet; waiting for this library\n"
	  "xtrace: -l libd.so.6: not loaded yet; waiting for this library\n"
	  "xtrace: -l libnosuch*: no such library was ever loaded\n"
	  "xtrace: -l libd.so.6: no such library was ever loaded; is "
	  "libc.so.6 meant?\n" },
	{ "-l /no/such/libc.so.6 /bin/true",
	  "xtrace: -l /no/such/libc.so.6: not loaded yet; waiting for this "
	  "library\n"
	  "xtrace: -l /no/such/libc.so.6: no such library was ever loaded\n" },
	{ "-x exit-exit -x exit /bin/true", "" },
};

START_TEST(names_that_match_nothing)
{
	char *said;

	free(stage_trace(missing[_i].options, NULL, NULL));
	said = stage_said();
	ck_assert_str_eq(said, missing[_i].said);
	free(said);
}
END_TEST

Suite *
plan_suite(void)
{
	Suite *suite = suite_create("tracer/plan");
	TCase *tests = tcase_create("plan");

	tcase_add_test(tests, names_of_cplusplus);
	tcase_add_test(tests, two_names_of_a_function);
	tcase_add_test(tests, calls_of_a_library);
	tcase_add_test(tests, calls_for_other_callers);
	tcase_add_test(tests, functions_that_data_points_to);
	tcase_add_loop_test(tests, names_that_match_nothing, 0,
			    array_size(missing));
	suite_add_tcase(suite, tests);
	return suite;
}
