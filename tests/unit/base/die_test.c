/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a dying process does. A child dies in one of several ways, and its
 * output and exit status are checked.
 */
#include "tests/unit/base/suites.h"

#include "base/die.h"
#include "base/log.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct act {
	struct last_act act;
	char letter;
	int descriptor;
};

static void
write_letter(struct last_act *last_act)
{
	struct act *act = (struct act *)last_act;
	ssize_t n = write(act->descriptor, &act->letter, 1);

	(void)n;
}

static void
write_letter_and_fault(struct last_act *last_act)
{
	write_letter(last_act);
	raise(SIGSEGV);
}

static struct act acts[] = {
	{ .act.run = write_letter, .letter = 'a' },
	{ .act.run = write_letter, .letter = 'b' },
	{ .act.run = write_letter, .letter = 'c' },
};

static void
die_plainly(void)
{
	die("no %s left", "memory");
}

static void
die_naming(void)
{
	die("%s is broken", "a\033\nb");
}

static void
die_by_a_fault(void)
{
	raise(SIGSEGV);
}

static struct fault_place
no_place(const void *context)
{
	/* the end of a stack: reading it faults again */
	return (struct fault_place){ .pc = context ? 0x10 : 0, .sp = 8 };
}

static void
die_at_a_place(void)
{
	static volatile uintptr_t nowhere = 0x8;

	*(volatile int *)nowhere = 1;
}

static void
die_by_an_assertion(void)
{
	abort();
}

static void
die_within_an_act(void)
{
	acts[2].act.run = write_letter_and_fault;
	die("first");
}

static void
die_with_one_less(void)
{
	die_unregister(&acts[1].act);
	die_unregister(&acts[1].act);
	die("enough");
}

static void
die_talking(void)
{
	if (log_choose("arch", -1) == 0)
		debug_of(LOG_ARCH, "what led to it");
	die("so");
}

static int
die_in_child(void (*how)(void), int output)
{
	pid_t child = fork();
	int status;

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		die_init(output, no_place);
		for (int i = 0; i < 3; i++) {
			acts[i].descriptor = output;
			die_register(&acts[i].act);
		}
		how();
		_exit(77);
	}
	close(output);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static const struct {
	void (*how)(void);
	const char *said;
} deaths[] = {
	{ die_plainly, "cbaxtrace: no memory left\n" },
	{ die_naming, "cbaxtrace: a\\033\\nb is broken\n" },
	{ die_by_a_fault, "cbaxtrace: internal error: Segmentation fault, the "
			  "traced processes were let go\n" },
	{ die_at_a_place, "cbaxtrace: fault at address 0x8, code 0x10\n"
			  "xtrace: internal error: Segmentation fault, the "
			  "traced processes were let go\n" },
	{ die_by_an_assertion, "cbaxtrace: internal error: assertion failed, "
			       "the traced processes were let go\n" },
	{ die_within_an_act, "cbaxtrace: internal error: Segmentation fault, "
			     "the traced processes were let go\n" },
	{ die_with_one_less, "caxtrace: enough\n" },
	{ die_talking, "cbaxtrace: so\nxtrace[arch]: what led to it\n" },
};

START_TEST(one_death)
{
	char said[512] = "";
	int ends[2];
	size_t have = 0;
	ssize_t n;

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(die_in_child(deaths[_i].how, ends[1]), 1);
	while ((n = read(ends[0], said + have, sizeof(said) - 1 - have)) > 0)
		have += (size_t)n;
	close(ends[0]);
	ck_assert_str_eq(said, deaths[_i].said);
}
END_TEST

Suite *
die_suite(void)
{
	Suite *suite = suite_create("base/die");
	TCase *tests = tcase_create("die");

	tcase_add_loop_test(tests, one_death, 0,
			    sizeof(deaths) / sizeof(deaths[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
