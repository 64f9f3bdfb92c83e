/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the suites of values/. */
#include "tests/unit/values/suites.h"

#include <stddef.h>

int
main(void)
{
	static Suite *(*const suites[])(void) = {
		fingerprint_suite, fetch_suite,	  format_suite, garbage_suite,
		scope_suite,	   show_suite,	  abi_suite,	learn_suite,
		postgres_suite,	   command_suite, redact_suite,
	};
	SRunner *runner = srunner_create(capture_suite());
	int failed;

	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		srunner_add_suite(runner, suites[i]());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
