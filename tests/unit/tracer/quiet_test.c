/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a set says of a running process that makes none of its calls. Each tick
 * is a second of the session. */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"

#include "base/attr.h"
#include "tests/unit/checks.h"
#include "tracer/queries/quiet.h"

#include <stdlib.h>
#include <unistd.h>

TARGET static int
unit_quiet_call(int number)
{
	return number + 1;
}

static void
call(void)
{
	if (unit_quiet_call(1) != 2)
		_exit(1);
}

static const char known[] = "set \"calls\";\n"
			    "int unit_quiet_call(int number);\n"
			    "probe unit_quiet_call { show number; }\n";
static const char unknown[] = "set \"oracles\";\n"
			      "int unit_quiet_oracle(int number);\n"
			      "probe unit_quiet_oracle { show number; }\n";

/* For five seconds xtrace says nothing. Then it says that it has nothing to
 * show, once. */
static void
expect(const char *conf, const char *expected)
{
	struct stage stage;
	char *said;

	stage_open(&stage, "--set stage.conf", conf, call);
	for (int i = 0; i < 5; i++)
		quiet_tick(&stage.session);
	said = stage_said();
	ck_assert_str_eq(said, "");
	free(said);
	for (int i = 0; i < 10; i++)
		quiet_tick(&stage.session);
	said = stage_said();
	ck_assert_str_eq(said, expected);
	free(said);
	stage_run(&stage);
	free(stage_close(&stage));
}

START_TEST(a_library_that_is_not_called)
{
	expect(known, "xtrace: nothing to show for 5 s: unit-tracer is "
		      "loaded\n");
}
END_TEST

START_TEST(no_library_of_the_set)
{
	expect(unknown, "xtrace: nothing to show for 5 s: no library that the "
			"set knows is loaded (oracles)\n");
}
END_TEST

START_TEST(a_process_that_makes_calls)
{
	struct stage stage;
	char *said;

	stage_open(&stage, "--set stage.conf", known, call);
	stage_run(&stage);
	ck_assert_uint_eq(stage.session.counts.begun, 1);
	for (int i = 0; i < 10; i++)
		quiet_tick(&stage.session);
	said = stage_said();
	ck_assert_str_eq(said, "");
	free(said);
	free(stage_close(&stage));
}
END_TEST

Suite *
quiet_suite(void)
{
	Suite *suite = suite_create("tracer/quiet");
	TCase *tests = tcase_create("quiet");

	tcase_add_test(tests, a_library_that_is_not_called);
	tcase_add_test(tests, no_library_of_the_set);
	tcase_add_test(tests, a_process_that_makes_calls);
	suite_add_tcase(suite, tests);
	return suite;
}
