/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/tracer/suites.h"

#include <stdlib.h>

int
main(void)
{
	SRunner *runner = srunner_create(calls_suite());
	int failed;

	/* The tests do not use the options of the developer's environment. */
	setenv("XTRACE_OPTIONS", "", 1);
	srunner_add_suite(runner, options_suite());
	srunner_add_suite(runner, handles_suite());
	srunner_add_suite(runner, model_suite());
	srunner_add_suite(runner, queries_suite());
	srunner_add_suite(runner, session_suite());
	srunner_add_suite(runner, processes_suite());
	srunner_add_suite(runner, wire_suite());
	srunner_add_suite(runner, belief_suite());
	srunner_add_suite(runner, found_mask_suite());
	srunner_add_suite(runner, virtual_mask_suite());
	srunner_add_suite(runner, virtual_mask_attach_suite());
	srunner_add_suite(runner, system_calls_suite());
	srunner_add_suite(runner, schedule_suite());
	srunner_add_suite(runner, budget_suite());
	srunner_add_suite(runner, shares_suite());
	srunner_add_suite(runner, allocs_suite());
	srunner_add_suite(runner, sampler_suite());
	srunner_add_suite(runner, counted_suite());
	srunner_add_suite(runner, selected_suite());
	srunner_add_suite(runner, tampered_suite());
	srunner_add_suite(runner, descriptors_suite());
	srunner_add_suite(runner, sdt_suite());
	srunner_add_suite(runner, scripts_suite());
	srunner_add_suite(runner, plan_suite());
	srunner_add_suite(runner, prototypes_suite());
	srunner_add_suite(runner, growths_suite());
	srunner_add_suite(runner, transactions_suite());
	srunner_add_suite(runner, open_queries_suite());
	srunner_add_suite(runner, request_frames_suite());
	srunner_add_suite(runner, probe_spans_suite());
	srunner_add_suite(runner, probe_memory_suite());
	srunner_add_suite(runner, connecting_suite());
	srunner_add_suite(runner, quiet_suite());
	srunner_add_suite(runner, poll_traps_suite());
	srunner_add_suite(runner, script_calls_suite());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
