/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attempts. Each row runs in a child, which writes a letter for each thing that
 * happens: what ends only the attempt, and what ends the process.
 */
#include "tests/unit/base/suites.h"

#include "base/attempt.h"
#include "base/die.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIBRARY_CODE 0x10u /* an address outside of the executable */

static uintptr_t faulting_code;
static volatile uintptr_t accessed;

static struct fault_place
place(const void *context)
{
	return (struct fault_place){ .pc = context ? faulting_code : 0,
				     .sp = 8 };
}

static void
nothing(void *argument)
{
	(void)argument;
	die_say("n");
}

static void
fail_it(void *argument)
{
	(void)argument;
	attempt_fail();
}

static void
fault(void *argument)
{
	(void)argument;
	*(volatile int *)accessed = 1;
}

static void
own_assertion(void *argument)
{
	assert(!argument);
}

static void
nested(void *argument)
{
	if (!attempt(fail_it, argument))
		die_say("i");
	attempt_fail();
}

static void
try(void (*run)(void *))
{
	die_say(attempt(run, &faulting_code) ? "y" : "f");
}

static void
two_faults(void)
{
	faulting_code = LIBRARY_CODE;
	accessed = 8;
	try(fault);
	accessed = 4000;
	try(fault);
	try(nothing);
}

static void
a_fault_of_our_own(void)
{
	faulting_code = (uintptr_t)fault;
	accessed = 8;
	try(fault);
}

static void
a_fault_elsewhere(void)
{
	faulting_code = LIBRARY_CODE;
	accessed = 4096;
	try(fault);
}

static void
a_fault_after_an_attempt(void)
{
	faulting_code = LIBRARY_CODE;
	accessed = 8;
	try(nothing);
	fault(NULL);
}

static void
a_failure(void)
{
	try(fail_it);
	try(nothing);
	attempt_fail();
}

static void
a_nested_failure(void)
{
	try(nested);
}

static void
an_assertion_of_our_own(void)
{
	try(own_assertion);
}

static void
hurry(void *argument)
{
	(void)argument;
	attempt_hurry(&faulting_code);
	die_say("o");
}

/* attempt_hurry() does not interrupt malloc(), which may hold a lock, nor code
 * of the test. It interrupts code of libz. */
static void
a_hurried_library(void)
{
	void *library = dlopen("libz.so.1", RTLD_NOW);

	ck_assert_ptr_nonnull(library);
	faulting_code = (uintptr_t)malloc;
	try(hurry);
	faulting_code = (uintptr_t)hurry;
	try(hurry);
	die_say(attempt_hurried() ? "h" : "-");
	faulting_code = (uintptr_t)dlsym(library, "inflate");
	try(hurry);
	die_say(attempt_hurried() ? "h" : "-");
	hurry(NULL);
}

static const struct {
	void (*run)(void);
	const char *begins, *ends;
} rows[] = {
	{ two_faults, "ffny", "ffny" },
	{ a_fault_of_our_own, "xtrace: fault at address 0x8, code +",
	  "internal error: Segmentation fault, the traced processes were let "
	  "go\n" },
	{ a_fault_elsewhere, "xtrace: fault at address 0x1000, code 0x10",
	  "internal error: Segmentation fault, the traced processes were let "
	  "go\n" },
	{ a_fault_after_an_attempt, "nyxtrace: fault at address 0x8",
	  "internal error: Segmentation fault, the traced processes were let "
	  "go\n" },
	{ a_failure, "fnyxtrace: out of memory\n", "" },
	{ a_nested_failure, "if", "" },
	{ a_hurried_library, "oyoy-fho", "-fho" },
	{ an_assertion_of_our_own, "xtrace: tests/unit/base/attempt_test.c:",
	  "own_assertion: Assertion `!argument' failed.\nxtrace: internal "
	  "error: assertion failed, the traced processes were let go\n" },
};

static void
run_in_child(void (*run)(void), int output)
{
	const pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		die_init(output, place);
		run();
		_exit(0);
	}
	close(output);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

START_TEST(one_row)
{
	const char *begins = rows[_i].begins, *ends = rows[_i].ends;
	char said[2048] = "";
	int pipe_ends[2];
	size_t have = 0;
	ssize_t n;

	ck_assert_int_eq(pipe(pipe_ends), 0);
	run_in_child(rows[_i].run, pipe_ends[1]);
	while ((n = read(pipe_ends[0], said + have, sizeof(said) - 1 - have)) >
	       0)
		have += (size_t)n;
	close(pipe_ends[0]);
	ck_assert_msg(!strncmp(said, begins, strlen(begins)), "%s", said);
	ck_assert_msg(have >= strlen(ends), "%s", said);
	ck_assert_str_eq(said + have - strlen(ends), ends);
}
END_TEST

Suite *
attempt_suite(void)
{
	Suite *suite = suite_create("base/attempt");
	TCase *tests = tcase_create("attempt");

	tcase_add_loop_test(tests, one_row, 0, sizeof(rows) / sizeof(rows[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
