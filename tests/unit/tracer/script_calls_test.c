/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of scripts (--script-calls). The test has the probes of three
 * interpreters, and a copy of it reaches them as an interpreter does: PHP calls
 * itself for each function, and Python does not.
 */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"

#include "base/attr.h"
#include "tests/cases/probes/support/sdt.h"
#include "tests/unit/checks.h"
#include "tracer/scripts/script_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

struct function {
	const char *class, *name, *file;
	int line;
	void (*body)(void);
};

/* ---- interpreters ----------------------------------------------------------
 */

#define PHP(probe, of)                                                    \
	PROBE("php", probe, "0", "8@%0 8@%1 -4@%2 8@%3", "r"((of)->name), \
	      "r"((of)->file), "r"((of)->line), "r"((of)->class))
#define RUBY(probe, of)                                                     \
	PROBE("ruby", probe, "0", "8@%0 8@%1 8@%2 -4@%3", "r"((of)->class), \
	      "r"((of)->name), "r"((of)->file), "r"((of)->line))
#define PYTHON(probe, of)                                               \
	PROBE("python", probe, "0", "8@%0 8@%1 -4@%2", "r"((of)->file), \
	      "r"((of)->name), "r"((of)->line))

TARGET static void
unit_php_call(const struct function *of)
{
	PHP("function__entry", of);
	if (of->body)
		of->body();
	PHP("function__return", of);
}

/* A function that ends without its return probe, as exit() does. */
TARGET static void
unit_php_drop(const struct function *of)
{
	PHP("function__entry", of);
}

TARGET static void
unit_php_return(const struct function *of)
{
	PHP("function__return", of);
}

TARGET static void
unit_ruby_call(const struct function *of)
{
	RUBY("cmethod__entry", of);
	if (of->body)
		of->body();
	RUBY("cmethod__return", of);
}

/* Kernel#raise has an entry and no return. */
TARGET static void
unit_ruby_raise(const struct function *of)
{
	RUBY("cmethod__entry", of);
}

TARGET static void
unit_python_enter(const struct function *of)
{
	PYTHON("function__entry", of);
}

TARGET static void
unit_python_return(const struct function *of)
{
	PYTHON("function__return", of);
}

static void
call_leaf(void)
{
	static const struct function leaf = { "", "leaf", "shop.php", 3, NULL };

	unit_php_call(&leaf);
}

static void
call_fill(void)
{
	static const struct function fill = { "Shop", "fill", "shop.php", 2,
					      call_leaf };

	unit_php_call(&fill);
	call_leaf();
}

static void
call_open(void)
{
	static const struct function open = { "Shop", "open", "shop.php", 1,
					      call_fill };

	unit_php_call(&open);
}

/* ---- which calls ------------------------------------------------------------
 */

START_TEST(calls_within_calls)
{
	stage_expect("-n 1 --script-calls -x php:*", NULL, call_open,
		     "Shop::open(\"shop.php\", 1 <unfinished ...>\n"
		     " Shop::fill(\"shop.php\", 2 <unfinished ...>\n"
		     " leaf(\"shop.php\", 3) = <void>\n"
		     " <... Shop::fill resumed> ) = <void>\n"
		     " leaf(\"shop.php\", 3) = <void>\n"
		     "<... Shop::open resumed> ) = <void>\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(calls_of_a_filter)
{
	stage_expect("--script-calls -x php:Shop::* -x -php:fill", NULL,
		     call_open,
		     "Shop::open(\"shop.php\", 1) = <void>\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(a_filter_that_matches_nothing)
{
	char *text = stage_trace("--script-calls -x php:leaf -x php:none", NULL,
				 call_open);
	char *said = stage_said();

	ck_assert_str_eq(text, "leaf(\"shop.php\", 3) = <void>\n"
			       "leaf(\"shop.php\", 3) = <void>\n"
			       "+++ exited (status 0) +++\n");
	ck_assert_str_eq(said, "xtrace: php:none: no such function was "
			       "called\n");
	free(text);
	free(said);
}
END_TEST

static void
call_nothing(void)
{
}

START_TEST(interpreters_that_tell_nothing)
{
	char *text = stage_trace("--script-calls", NULL, call_nothing);
	char *said = stage_said();

	ck_assert_str_eq(text, "+++ exited (status 0) +++\n");
	ck_assert_ptr_nonnull(strstr(said, "Ruby has reported no method"));
	ck_assert_ptr_nonnull(strstr(said, "Python has reported no function"));
	ck_assert_ptr_nonnull(strstr(said, "PHP has reported no function"));
	free(text);
	free(said);
}
END_TEST

/* ---- how they end -----------------------------------------------------------
 */

static int depth;

static void
call_itself(void)
{
	struct function again = { "", "again", "deep.php", ++depth,
				  call_itself };

	if (depth <= 3)
		unit_php_call(&again);
}

START_TEST(a_return_ends_the_innermost_call)
{
	stage_expect("-n 1 --script-calls -x php:*", NULL, call_itself,
		     "again(\"deep.php\", 1 <unfinished ...>\n"
		     " again(\"deep.php\", 2 <unfinished ...>\n"
		     " again(\"deep.php\", 3) = <void>\n"
		     " <... again resumed> ) = <void>\n"
		     "<... again resumed> ) = <void>\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

/* The second entry is at the place of the first one, which has ended. */
static void
drop_two(void)
{
	static const struct function one = { "", "one", "end.php", 1, NULL },
				     two = { "", "two", "end.php", 2, NULL };

	for (int i = 0; i < 2; i++)
		unit_php_drop(i == 0 ? &one : &two);
}

static void
call_and_drop(void)
{
	static const struct function outer = { "", "outer", "end.php", 3,
					       drop_two };

	unit_php_call(&outer);
}

START_TEST(calls_without_a_return)
{
	stage_expect("--script-calls -x php:*", NULL, call_and_drop,
		     "outer(\"end.php\", 3 <unfinished ...>\n"
		     "one(\"end.php\", 1) = <unwound>\n"
		     "two(\"end.php\", 2) = <unwound>\n"
		     "<... outer resumed> ) = <void>\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(a_call_that_is_open_at_the_end)
{
	stage_expect("--script-calls -x php:two", NULL, drop_two,
		     "two(\"end.php\", 2 <no return ...>\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

/* A return without an entry ends nothing, although another call is open. */
static void
return_alone(void)
{
	static const struct function never = { "", "never", "end.php", 4,
					       NULL };

	unit_php_return(&never);
}

static void
call_and_return_alone(void)
{
	static const struct function outer = { "", "outer", "end.php", 3,
					       return_alone };

	return_alone();
	unit_php_call(&outer);
}

START_TEST(a_return_without_an_entry)
{
	stage_expect("--script-calls -x php:*", NULL, call_and_return_alone,
		     "outer(\"end.php\", 3) = <void>\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

/* Python's functions have one place on the stack, so the return of the outer
 * one proves that the inner one has ended. */
static void
run_python(void)
{
	static const struct function outer = { "", "outer", "a/job.py", 5,
					       NULL },
				     inner = { "", "inner", "b/job.py", 6,
					       NULL };

	unit_python_enter(&outer);
	unit_python_enter(&inner);
	unit_python_return(&inner);
	unit_python_enter(&inner);
	unit_python_return(&outer);
}

START_TEST(functions_of_one_frame)
{
	stage_expect("-n 1 --script-calls -x py:a.job.outer -x py:job.inner",
		     NULL, run_python,
		     "job.outer(\"a/job.py\", 5 <unfinished ...>\n"
		     " job.inner(\"b/job.py\", 6) = <void>\n"
		     " job.inner(\"b/job.py\", 6) = <unwound>\n"
		     "<... job.outer resumed> ) = <void>\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

static void
raise_error(void)
{
	static const struct function raise = { "Kernel", "raise", "job.rb", 8,
					       NULL };

	unit_ruby_raise(&raise);
}

static void
call_ruby(void)
{
	static const struct function each = { "Array", "each", "job.rb", 7,
					      raise_error };

	unit_ruby_call(&each);
}

START_TEST(an_exception)
{
	char *text =
		stage_trace("-n 1 --script-calls -x rb:*", NULL, call_ruby);

	ck_assert_str_eq(text, "Array#each(\"job.rb\", 7 <unfinished ...>\n"
			       " Kernel#raise(\"job.rb\", 8) = <unwound>\n"
			       "<... Array#each resumed> ) = <void>\n"
			       "+++ exited (status 0) +++\n");
	free(text);
}
END_TEST

/* ---- several stacks
 * ----------------------------------------------------------
 */

static ucontext_t home, fibers[2];
static char stacks[2][64 << 10];

static void
yield_home(void)
{
	ucontext_t *own = depth == 0 ? &fibers[0] : &fibers[1];

	swapcontext(own, &home);
}

/* Both fibers call turn(), which yields before it returns. */
static void
fiber(int line)
{
	struct function turn = { "", "turn", "fiber.php", line, yield_home };

	unit_php_call(&turn);
}

static void
run_fibers(void)
{
	for (depth = 0; depth < 2; depth++) {
		getcontext(&fibers[depth]);
		fibers[depth].uc_stack.ss_sp = stacks[depth];
		fibers[depth].uc_stack.ss_size = sizeof(stacks[depth]);
		fibers[depth].uc_link = &home;
		makecontext(&fibers[depth], (void (*)(void))fiber, 1,
			    depth + 1);
		swapcontext(&home, &fibers[depth]);
	}
	/* The fiber that began first ends first. */
	for (depth = 0; depth < 2; depth++)
		swapcontext(&home, &fibers[depth]);
}

START_TEST(fibers_that_take_turns)
{
	char *text = stage_trace("--script-calls -x php:*", NULL, run_fibers);

	ck_assert_str_eq(text, "turn(\"fiber.php\", 1) = <void>\n"
			       "turn(\"fiber.php\", 2) = <void>\n"
			       "+++ exited (status 0) +++\n");
	free(text);
	text = stage_said();
	/* A tracee with AddressSanitizer warns of its own swapcontext(). */
#ifndef __SANITIZE_ADDRESS__
	ck_assert_str_eq(text, "");
#endif
	free(text);
}
END_TEST

/* ---- names
 * -------------------------------------------------------------------
 */

static void
call_nameless(void)
{
	static const struct function none = { NULL, "plain", "x.php", 1, NULL },
				     bad = { NULL, (const char *)8, "x.php", 2,
					     NULL };

	unit_php_call(&none);
	unit_php_call(&bad);
}

START_TEST(names_that_cannot_be_read)
{
	stage_expect("--script-calls -x php:*", NULL, call_nameless,
		     "plain(\"x.php\", 1) = <void>\n"
		     "?(\"x.php\", 2) = <void>\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

static struct known_function *
find(struct script_functions *functions, enum script_language language,
     const char *name, const char *file)
{
	const struct script_function function = { language, "Kernel", name,
						  file };

	return script_functions_find(functions, &function);
}

START_TEST(what_tells_functions_apart)
{
	struct options options = { .script_calls = true };
	struct script_functions functions;
	struct known_function *known;

	script_functions_init(&functions, &options);
	known = find(&functions, SCRIPT_RUBY, "raise", "a");
	ck_assert_ptr_eq(find(&functions, SCRIPT_RUBY, "raise", "b"), known);
	ck_assert(known->chosen);
	ck_assert_str_eq(known->raises, "raise");
	ck_assert_str_eq(known->tracepoint.name, "Kernel#raise");
	ck_assert_str_eq(known->tracepoint.module, "ruby");
	ck_assert_str_eq(find(&functions, SCRIPT_RUBY, "fail", "a")->raises,
			 "fail");
	ck_assert_ptr_null(find(&functions, SCRIPT_RUBY, "puts", "a")->raises);
	known = find(&functions, SCRIPT_PHP, "raise", "a");
	ck_assert_ptr_null(known->raises);
	ck_assert_str_eq(known->tracepoint.name, "Kernel::raise");
	known = find(&functions, SCRIPT_PYTHON, "raise", "a.py");
	ck_assert_ptr_ne(find(&functions, SCRIPT_PYTHON, "raise", "b.py"),
			 known);
	ck_assert_uint_eq(functions.count, 6);
	script_functions_release(&functions);
}
END_TEST

START_TEST(too_many_functions)
{
	struct options options = { .script_calls = true };
	struct script_functions functions;
	struct known_function *first, *rest;
	char name[16];

	script_functions_init(&functions, &options);
	first = find(&functions, SCRIPT_PHP, "0", "");
	for (int i = 1; i < 65536; i++) {
		snprintf(name, sizeof(name), "%d", i);
		(void)find(&functions, SCRIPT_PHP, name, "");
	}
	rest = find(&functions, SCRIPT_PHP, "more", "");
	ck_assert_str_eq(rest->tracepoint.name, "(further functions)");
	ck_assert(rest->chosen);
	ck_assert_ptr_eq(find(&functions, SCRIPT_PHP, "yet more", ""), rest);
	ck_assert_ptr_ne(find(&functions, SCRIPT_RUBY, "more", ""), rest);
	ck_assert_ptr_eq(find(&functions, SCRIPT_PHP, "0", ""), first);
	script_functions_release(&functions);
}
END_TEST

Suite *
script_calls_suite(void)
{
	Suite *suite = suite_create("tracer/script_calls");
	TCase *tests = tcase_create("script_calls");

	tcase_add_test(tests, calls_within_calls);
	tcase_add_test(tests, calls_of_a_filter);
	tcase_add_test(tests, a_filter_that_matches_nothing);
	tcase_add_test(tests, interpreters_that_tell_nothing);
	tcase_add_test(tests, a_return_ends_the_innermost_call);
	tcase_add_test(tests, calls_without_a_return);
	tcase_add_test(tests, a_call_that_is_open_at_the_end);
	tcase_add_test(tests, a_return_without_an_entry);
	tcase_add_test(tests, functions_of_one_frame);
	tcase_add_test(tests, an_exception);
	tcase_add_test(tests, fibers_that_take_turns);
	tcase_add_test(tests, names_that_cannot_be_read);
	tcase_add_test(tests, what_tells_functions_apart);
	tcase_add_test(tests, too_many_functions);
	suite_add_tcase(suite, tests);
	return suite;
}
