/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The priority of the calling thread is raised if that is allowed, and is
 * afterwards what it was. */
#include "suites.h"

#include "process/slice.h"

#include <sys/resource.h>

static int
priority(void)
{
	return getpriority(PRIO_PROCESS, 0);
}

START_TEST(first_and_as_before)
{
	int before = priority(), kept;

	for (int i = 0; i < 2; i++) {
		kept = slice_first();
		ck_assert_int_eq(kept, before);
		ck_assert(priority() == PRIO_MIN || priority() == before);
		slice_as_before(kept);
		ck_assert_int_eq(priority(), before);
	}
}
END_TEST

Suite *
slice_suite(void)
{
	Suite *suite = suite_create("slice");
	TCase *tests = tcase_create("slice");

	tcase_add_test(tests, first_and_as_before);
	suite_add_tcase(suite, tests);
	return suite;
}
