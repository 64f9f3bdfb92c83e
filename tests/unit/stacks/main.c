/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs every suite of the room stacks. */
#include "tests/unit/stacks/suites.h"

#include <stdlib.h>

int
main(void)
{
	SRunner *runner = srunner_create(stack_suite());
	int failed;

	srunner_add_suite(runner, read_cache_suite());
	srunner_add_suite(runner, python_suite());
	srunner_add_suite(runner, python_loop_suite());
	srunner_add_suite(runner, merge_suite());
	srunner_add_suite(runner, native_suite());
	srunner_add_suite(runner, narrow_suite());
	srunner_add_suite(runner, lines_suite());
	srunner_add_suite(runner, captured_suite());
	srunner_add_suite(runner, php_names_suite());
	srunner_add_suite(runner, awaited_python_suite());
	srunner_add_suite(runner, statement_python_suite());
	srunner_add_suite(runner, statement_php_suite());
	srunner_add_suite(runner, statement_perl_suite());
	srunner_add_suite(runner, fiber_ruby_suite());
	srunner_add_suite(runner, statement_ruby_suite());
	srunner_add_suite(runner, traceparent_ruby_suite());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
