/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs every suite of the room agent. */
#include "tests/unit/agent/suites.h"

#include <stdlib.h>

int
main(void)
{
	SRunner *runner = srunner_create(area_suite());
	int failed;

	srunner_add_suite(runner, area_blocks_suite());
	srunner_add_suite(runner, cells_suite());
	srunner_add_suite(runner, mapping_suite());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
