/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the suites of network/. */
#include "tests/unit/network/peer.h"
#include "tests/unit/network/suites.h"

#include <stddef.h>

int
main(void)
{
	static Suite *(*const suites[])(void) = {
		apart_suite, board_suite, http_head_suite,
		post_suite,  queue_suite, serve_suite,
	};
	SRunner *runner = srunner_create(address_suite());
	int failed;

	peer_reserve();
	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		srunner_add_suite(runner, suites[i]());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
