/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs every suite of the room heaps. */
#include "tests/unit/heaps/suites.h"

#include <stdlib.h>

int
main(void)
{
	SRunner *runner = srunner_create(census_suite());
	int failed;

	srunner_add_suite(runner, glibc_malloc_suite());
	srunner_add_suite(runner, heap_copy_suite());
	srunner_add_suite(runner, perl_heap_suite());
	srunner_add_suite(runner, php_heap_suite());
	srunner_add_suite(runner, python_heap_suite());
	srunner_add_suite(runner, python_parts_suite());
	srunner_add_suite(runner, python_pool_suite());
	srunner_add_suite(runner, python_text_suite());
	srunner_add_suite(runner, ruby_heap_suite());
	srunner_add_suite(runner, census_strings_suite());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
