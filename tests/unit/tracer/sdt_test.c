/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SDT probes of the test itself: which are chosen, their arguments, their
 * semaphores, and the message about probes that do not exist.
 */
#include "tests/cases/probes/support/sdt.h"
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"
#include "tests/unit/checks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

SEMAPHORE(unit_sdt_guard);

static struct {
	long first, second;
} unit_sdt_pair __attribute__((used)) = { 7, 9 };

TARGET static void
unit_sdt_reach(int minus, const char *path)
{
	PROBE("unit", "numbers", "0", "-4@%0 4@%0 1@$-1 -2@$-2 8@$-5 8f@%1",
	      "r"(minus), "x"(1.5));
	PROBE("unit", "memory", "0",
	      "-8@unit_sdt_pair(%%rip) 8@8+unit_sdt_pair(%%rip) "
	      "8@unit_sdt_none(%%rip)",
	      "r"(0));
	if (unit_sdt_guard)
		PROBE("unit", "guarded", "unit_sdt_guard", "4@%0", "r"(5));
	PROBE("unit", "unknown", "0", "4@%%st(1) 4@$3", "r"(0));
	PROBE("unit", "open", "0", "8@%0 4@$66 2@$-2", "r"(path));
}

static void
reach(void)
{
	unit_sdt_reach(-1, "a path");
	if (unit_sdt_guard > 1)
		_exit(1);
}

static const char prototypes[] =
	"void open(string path, hex(int) flags, short low);\n"
	"void unit_sdt_reach(int, string);\n";

START_TEST(arguments)
{
	stage_expect("-F stage.conf -x %unit:*", prototypes, reach,
		     "unit:numbers(-1, 4294967295, 255, -2, -5, 1.5)\n"
		     "unit:memory(7, 9, ?)\n"
		     "unit:guarded(5)\n"
		     "unit:unknown(?, 3)\n"
		     "unit:open(\"a path\", 0x42, -2)\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(probes_within_a_call)
{
	stage_expect("-F stage.conf -x unit_sdt_reach -x "
		     "%un*:*-%unit:[!og]*@MAIN --names",
		     prototypes, reach,
		     "unit_sdt_reach(-1, \"a path\" <unfinished ...>\n"
		     "unit:guarded(5)\n"
		     "unit:open(path=\"a path\", flags=0x42, low=-2)\n"
		     "<... unit_sdt_reach resumed> ) = <void>\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(probes_of_interest)
{
	stage_expect("-x %unit:* --if arg1==7||arg1==5", NULL, reach,
		     "unit:memory(7, 9, ?)\n"
		     "unit:guarded(5)\n"
		     "+++ exited (status 0) +++\n");
}
END_TEST

START_TEST(probes_that_do_not_exist)
{
	char *text = stage_trace("-x %unit:none+%nobody:*", NULL, reach);

	ck_assert_str_eq(text, "+++ exited (status 0) +++\n");
	free(text);
	text = stage_said();
	ck_assert_str_eq(text,
			 "xtrace: %unit:none: no such probe yet; unit has "
			 "others (--list-probes lists them)\n"
			 "xtrace: %nobody:*: not loaded yet; waiting for a "
			 "library that has this probe\n"
			 "xtrace: %unit:none: no module ever had this probe\n"
			 "xtrace: %nobody:*: no module ever had this "
			 "probe\n");
	free(text);
}
END_TEST

Suite *
sdt_suite(void)
{
	Suite *suite = suite_create("tracer/sdt");
	TCase *tests = tcase_create("sdt");

	tcase_add_test(tests, arguments);
	tcase_add_test(tests, probes_within_a_call);
	tcase_add_test(tests, probes_of_interest);
	tcase_add_test(tests, probes_that_do_not_exist);
	suite_add_tcase(suite, tests);
	return suite;
}
