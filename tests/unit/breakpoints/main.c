/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs every suite of the room breakpoints. */
#include "tests/unit/breakpoints/suites.h"

#include <stdlib.h>

int
main(void)
{
	SRunner *runner = srunner_create(pages_suite());
	int failed;

	srunner_add_suite(runner, action_suite());
	srunner_add_suite(runner, area_suite());
	srunner_add_suite(runner, jumps_suite());
	srunner_add_suite(runner, jumps_parked_suite());
	srunner_add_suite(runner, sites_suite());
	srunner_add_suite(runner, slots_suite());
	srunner_add_suite(runner, step_suite());
	srunner_add_suite(runner, survive_suite());
	srunner_add_suite(runner, watcher_suite());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
