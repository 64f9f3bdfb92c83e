/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Masks that a thread is found with: does it still have its virtual mask, and
 * which belief is true now? */
#include "tests/unit/tracer/suites.h"
#include "tracer/sigtrap/sigtrap_parts.h"
#include "tests/unit/checks.h"

#include <signal.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define BIT(signal) SIGNAL_BIT(signal)
#define FIXED (BIT(SIGKILL) | BIT(SIGSTOP))
/* The signals with which glibc cancels threads and changes user ids of all
 * threads. The C library blocks them only around a clone. */
#define LIBRARY (BIT(32) | BIT(33))
#define ALL (~FIXED)
#define REAL (ALL & ~TRAP_BIT)

static const struct {
	uint64_t real, blocked;
	bool holds, on_after;
} found[] = {
	{ REAL, REAL, true, true },
	{ REAL, REAL & ~LIBRARY, true, true },
	{ REAL & ~LIBRARY, REAL, true, true },
	/* The C library blocks all signals for a moment. */
	{ REAL & ~LIBRARY, ALL, false, true },
	/* The thread has set another mask. */
	{ REAL, REAL & ~BIT(SIGUSR1), false, false },
	{ REAL, REAL & ~BIT(40), false, false },
	{ REAL, TRAP_BIT, false, false },
	{ REAL, 0, false, false },
};

START_TEST(masks_that_are_found)
{
	struct virtual_mask mask = { .on = true, .real = found[_i].real };
	struct virtual_mask off = { .real = found[_i].real };

	ck_assert(virtual_mask_holds(&mask, found[_i].blocked) ==
		  found[_i].holds);
	ck_assert_msg(mask.on, "a question changes nothing");
	virtual_mask_found(&mask, found[_i].blocked);
	ck_assert(mask.on == found[_i].on_after);
	ck_assert(!virtual_mask_holds(&off, found[_i].blocked));
	virtual_mask_found(&off, found[_i].blocked);
	ck_assert(!off.on);
}
END_TEST

/* While all signals are blocked, xtrace keeps what it believed before. */
START_TEST(belief_of_a_moment)
{
	struct sigtrap sigtrap = { .belief = BELIEF_OPEN };

	sigtrap_begin_all(&sigtrap, sigtrap.belief);
	ck_assert_uint_eq(sigtrap.belief, BELIEF_BLOCKS);
	/* A second mask with all signals changes nothing. */
	sigtrap_begin_all(&sigtrap, sigtrap.belief);
	sigtrap_found_mask(&sigtrap, REAL);
	sigtrap_found_mask(&sigtrap, ALL);
	ck_assert_uint_eq(sigtrap.belief, BELIEF_BLOCKS);
	ck_assert_uint_eq(sigtrap_belief(&sigtrap, BIT(SIGUSR1)), BELIEF_OPEN);
	ck_assert_uint_eq(sigtrap.belief, BELIEF_BLOCKS);
	sigtrap_found_mask(&sigtrap, BIT(SIGUSR1));
	ck_assert_uint_eq(sigtrap.belief, BELIEF_OPEN);
	ck_assert(!sigtrap.blocks_all);
	/* A belief from before all signals were blocked is kept, too. */
	sigtrap.belief = BELIEF_BLOCKS;
	sigtrap_begin_all(&sigtrap, sigtrap.belief);
	sigtrap_found_mask(&sigtrap, 0);
	ck_assert_uint_eq(sigtrap.belief, BELIEF_BLOCKS);
}
END_TEST

Suite *
found_mask_suite(void)
{
	Suite *suite = suite_create("found masks");
	TCase *tests = tcase_create("found masks");

	tcase_add_loop_test(tests, masks_that_are_found, 0, COUNT(found));
	tcase_add_test(tests, belief_of_a_moment);
	suite_add_tcase(suite, tests);
	return suite;
}
