/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --script-calls: the copy of the test plays an interpreter. It has the probes
 * of PHP, Python and Ruby, and "calls" functions of a script that does not
 * exist.
 */
#include "tests/cases/probes/support/sdt.h"
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"
#include "tests/unit/checks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "/srv/shop.php"

/* A function of PHP, and the function that it calls before it returns. */
struct script {
	const char *class, *function;
	const struct script *calls;
};

TARGET static void
unit_php(const struct script *script)
{
	PROBE("php", "function__entry", "0", "8@%0 8@%1 4@%2 8@%3 8@%4",
	      "r"(script->function), "r"(FILE_NAME), "r"(12),
	      "r"(script->class), "r"("::"));
	if (script->calls)
		unit_php(script->calls);
	PROBE("php", "function__return", "0", "8@%0 8@%1 4@%2 8@%3 8@%4",
	      "r"(script->function), "r"(FILE_NAME), "r"(12),
	      "r"(script->class), "r"("::"));
}

static void
run_php(void)
{
	static const struct script inner = { "Cart", "total", NULL };
	static const struct script outer = { "", "main", &inner };

	unit_php(&outer);
	unit_php(&inner);
}

START_TEST(functions_of_php)
{
	stage_expect("--script-calls -x php:*", NULL, run_php,
		     "main(\"/srv/shop.php\", 12 <unfinished ...>\n"
		     "Cart::total(\"/srv/shop.php\", 12) = <void>\n"
		     "<... main resumed> ) = <void>\n"
		     "Cart::total(\"/srv/shop.php\", 12) = <void>\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(some_functions_of_php)
{
	char *text = stage_trace("--script-calls -x php:total -x php:nothing "
				 "-x -php:main",
				 NULL, run_php);

	ck_assert_str_eq(text, "Cart::total(\"/srv/shop.php\", 12) = <void>\n"
			       "Cart::total(\"/srv/shop.php\", 12) = <void>\n"
			       "+++ exited (status 0) +++\n");
	free(text);
	text = stage_said();
	ck_assert_str_eq(text,
			 "xtrace: php:nothing: no such function was called\n");
	free(text);
}
END_TEST

/* Python has one frame of C for all functions. */
TARGET static void
unit_python(void)
{
	PROBE("python", "function__entry", "0", "8@%0 8@%1 4@%2",
	      "r"("/srv/shop.py"), "r"("outer"), "r"(3));
	PROBE("python", "function__entry", "0", "8@%0 8@%1 4@%2",
	      "r"("/srv/shop.py"), "r"("inner"), "r"(7));
	PROBE("python", "function__return", "0", "8@%0 8@%1 4@%2",
	      "r"("/srv/shop.py"), "r"("inner"), "r"(8));
	/* lost() has no return. The next return is that of the outer
	 * function. */
	PROBE("python", "function__entry", "0", "8@%0 8@%1 4@%2",
	      "r"("/srv/shop.py"), "r"("lost"), "r"(9));
	PROBE("python", "function__return", "0", "8@%0 8@%1 4@%2",
	      "r"("/srv/shop.py"), "r"("outer"), "r"(4));
	/* The entry of earlier() was not seen. */
	PROBE("python", "function__return", "0", "8@%0 8@%1 4@%2",
	      "r"("/srv/shop.py"), "r"("earlier"), "r"(1));
}

START_TEST(functions_of_python)
{
	stage_expect("--script-calls -x py:*", NULL, unit_python,
		     "shop.outer(\"/srv/shop.py\", 3 <unfinished ...>\n"
		     "shop.inner(\"/srv/shop.py\", 7) = <void>\n"
		     "shop.lost(\"/srv/shop.py\", 9) = <unwound>\n"
		     "<... shop.outer resumed> ) = <void>\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

TARGET static void
unit_ruby_c(const char *class, const char *method)
{
	PROBE("ruby", "cmethod__entry", "0", "8@%0 8@%1 8@%2 4@%3", "r"(class),
	      "r"(method), "r"("/srv/shop.rb"), "r"(5));
	PROBE("ruby", "cmethod__return", "0", "8@%0 8@%1 8@%2 4@%3", "r"(class),
	      "r"(method), "r"("/srv/shop.rb"), "r"(5));
}

static void
run_ruby(void)
{
	unit_ruby_c("Array", "each");
	unit_ruby_c("Integer", "times");
}

/* Ruby tells of methods in C only, unless the script asks for more. */
START_TEST(methods_of_ruby)
{
	char *text =
		stage_trace("--script-calls -x rb:Array#*", NULL, run_ruby);

	ck_assert_str_eq(text, "Array#each(\"/srv/shop.rb\", 5) = <void>\n"
			       "+++ exited (status 0) +++\n");
	free(text);
	text = stage_said();
	ck_assert_str_eq(text, "xtrace: --script-calls: Ruby has reported no "
			       "method that is written in Ruby; it reports "
			       "them only while a TracePoint asks for calls "
			       "and returns\n");
	free(text);
}
END_TEST

static void
run_nothing(void)
{
}

START_TEST(interpreters_that_tell_nothing)
{
	char *text = stage_trace("--script-calls", NULL, run_nothing);

	ck_assert_str_eq(text, "+++ exited (status 0) +++\n");
	free(text);
	text = stage_said();
	ck_assert_ptr_nonnull(strstr(text, "Python has reported no function"));
	ck_assert_ptr_nonnull(strstr(text, "PHP has reported no function"));
	free(text);
}
END_TEST

START_TEST(no_interpreter)
{
	char *text =
		stage_trace("--script-calls -x rb:* /bin/true", NULL, NULL);

	ck_assert_str_eq(text, "+++ exited (status 0) +++\n");
	free(text);
	text = stage_said();
	ck_assert_str_eq(text, "xtrace: --script-calls: no interpreter is "
			       "loaded yet; waiting for Ruby, Python or PHP\n"
			       "xtrace: rb:*: no such function was called\n");
	free(text);
}
END_TEST

/* Perl is a part of every Debian system, and is built without probes. */
START_TEST(an_interpreter_without_probes)
{
	char *text =
		stage_trace("--script-calls /usr/bin/perl -e 1", NULL, NULL);

	ck_assert_str_eq(text, "+++ exited (status 0) +++\n");
	free(text);
	text = stage_said();
	ck_assert_str_eq(text, "xtrace: --script-calls: perl was built "
			       "without probes (-Dusedtrace)\n");
	free(text);
}
END_TEST

Suite *
scripts_suite(void)
{
	Suite *suite = suite_create("tracer/scripts");
	TCase *tests = tcase_create("scripts");

	tcase_add_test(tests, functions_of_php);
	tcase_add_test(tests, some_functions_of_php);
	tcase_add_test(tests, functions_of_python);
	tcase_add_test(tests, methods_of_ruby);
	tcase_add_test(tests, interpreters_that_tell_nothing);
	tcase_add_test(tests, no_interpreter);
	tcase_add_test(tests, an_interpreter_without_probes);
	suite_add_tcase(suite, tests);
	return suite;
}
