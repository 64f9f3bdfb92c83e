/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the suites of base/. */
#include "tests/unit/base/suites.h"

#include <stddef.h>

int
main(void)
{
	static Suite *(*const suites[])(void) = {
		attempt_suite, clock_suite,   die_suite,    err_suite,
		escape_suite,  fd_suite,      gzip_suite,   hung_suite,
		list_suite,    log_suite,     map_suite,    parse_suite,
		str_suite,     pattern_suite, reader_suite, strmap_suite,
		vec_suite,     words_suite,
	};
	SRunner *runner = srunner_create(arena_suite());
	int failed;

	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		srunner_add_suite(runner, suites[i]());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
