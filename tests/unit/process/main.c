/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs every suite of the room process. */
#include "tests/unit/process/suites.h"

#include <stdlib.h>

int
main(void)
{
	SRunner *runner = srunner_create(table_suite());
	int failed;

	srunner_add_suite(runner, attach_suite());
	srunner_add_suite(runner, delays_suite());
	srunner_add_suite(runner, held_suite());
	srunner_add_suite(runner, lag_suite());
	srunner_add_suite(runner, linkmap_suite());
	srunner_add_suite(runner, maps_suite());
	srunner_add_suite(runner, narrow_suite());
	srunner_add_suite(runner, births_suite());
	srunner_add_suite(runner, peer_suite());
	srunner_add_suite(runner, remote_suite());
	srunner_add_suite(runner, restart_suite());
	srunner_add_suite(runner, seccomp_suite());
	srunner_add_suite(runner, smaps_suite());
	srunner_add_suite(runner, space_suite());
	srunner_add_suite(runner, spawn_suite());
	srunner_add_suite(runner, slice_suite());
	srunner_add_suite(runner, status_suite());
	srunner_add_suite(runner, choice_suite());
	srunner_add_suite(runner, stop_times_suite());
	srunner_add_suite(runner, wait_suite());
	srunner_add_suite(runner, woken_suite());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
