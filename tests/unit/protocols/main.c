/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the suites of protocols/. */
#include "tests/unit/protocols/suites.h"

#include <stddef.h>

int
main(void)
{
	static Suite *(*const suites[])(void) = {
		detect_suite,	   mysql_suite,	 mysql_database_suite,
		postgres_suite,	   stream_suite, texts_suite,
		traceparent_suite, served_suite, http_suite,
		memcached_suite,   lines_suite,	 redis_suite,
	};
	SRunner *runner = srunner_create(conversation_suite());
	int failed;

	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		srunner_add_suite(runner, suites[i]());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
