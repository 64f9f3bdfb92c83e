/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs every suite of the room output. */
#include "suites.h"

#include <signal.h>
#include <stdlib.h>

int
main(void)
{
	SRunner *runner = srunner_create(out_suite());
	int failed;

	/* xtrace ignores SIGPIPE (tracer/model/clockwork) */
	signal(SIGPIPE, SIG_IGN);
	setenv("TZ", "UTC", 1);
	srunner_add_suite(runner, jsonw_suite());
	srunner_add_suite(runner, exponential_suite());
	srunner_add_suite(runner, histogram_suite());
	srunner_add_suite(runner, powers_suite());
	srunner_add_suite(runner, stamp_suite());
	srunner_add_suite(runner, tables_suite());
	srunner_add_suite(runner, folded_suite());
	srunner_add_suite(runner, formats_suite());
	srunner_add_suite(runner, frames_suite());
	srunner_add_suite(runner, tree_suite());
	srunner_add_suite(runner, text_suite());
	srunner_add_suite(runner, min_time_suite());
	srunner_add_suite(runner, json_suite());
	srunner_add_suite(runner, split_suite());
	srunner_add_suite(runner, query_suite());
	srunner_add_suite(runner, flame_suite());
	srunner_add_suite(runner, samples_suite());
	srunner_add_suite(runner, requests_suite());
	srunner_add_suite(runner, slow_log_suite());
	srunner_add_suite(runner, otlp_suite());
	srunner_add_suite(runner, compare_suite());
	srunner_add_suite(runner, heap_compare_suite());
	srunner_add_suite(runner, heap_table_suite());
	srunner_add_suite(runner, growths_suite());
	srunner_add_suite(runner, live_suite());
	srunner_add_suite(runner, terminal_suite());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
