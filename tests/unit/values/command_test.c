/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands of a server of keys and values have in common. */
#include "values/command.h"

#include "tests/unit/values/suites.h"

#include <stdlib.h>
#include <string.h>

static const struct folded {
	const char *text, *name;
} redis[] = {
	{ "PING", "PING" },
	{ "get a", "GET ?" },
	{ "MGET a b c", "MGET ?" },
	{ "AUTH ?", "AUTH ?" },
	{ "CONFIG GET max*", "CONFIG GET ?" },
	{ "client list", "CLIENT LIST" },
	{ "CLIENT", "CLIENT" },
	{ "ACL ?", "ACL ?" },
	{ "CONFIGS GET max*", "CONFIGS ?" },
	{ "", "" },
	{ "GET ", "GET ?" },
	{ "CONFIG ", "CONFIG ?" },
};

START_TEST(are_folded)
{
	struct str to;
	char *copy = strndup(redis[_i].text, strlen(redis[_i].text));

	str_init(&to);
	str_add(&to, "before ");
	command_fold_redis(&to, copy, strlen(copy));
	ck_assert_str_eq(str_text(&to) + strlen("before "), redis[_i].name);
	str_release(&to);
	free(copy);
}
END_TEST

Suite *
command_suite(void)
{
	Suite *suite = suite_create("command");
	TCase *tests = tcase_create("command");

	tcase_add_loop_test(tests, are_folded, 0,
			    sizeof(redis) / sizeof(redis[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
