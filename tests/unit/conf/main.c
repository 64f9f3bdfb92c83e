/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the suites of conf/, from the top of the tree. */
#include "tests/unit/conf/suites.h"

int
main(void)
{
	SRunner *runner = srunner_create(filter_suite());
	int failed;

	srunner_add_suite(runner, bounds_suite());
	srunner_add_suite(runner, data_suite());
	srunner_add_suite(runner, deferred_suite());
	srunner_add_suite(runner, condition_suite());
	srunner_add_suite(runner, layout_suite());
	srunner_add_suite(runner, library_suite());
	srunner_add_suite(runner, complaint_suite());
	srunner_add_suite(runner, sdt_filter_suite());
	srunner_add_suite(runner, script_filter_suite());
	srunner_add_suite(runner, call_filter_suite());
	srunner_add_suite(runner, tampering_suite());
	srunner_add_suite(runner, search_suite());
	srunner_add_suite(runner, trust_suite());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
