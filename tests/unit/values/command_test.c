/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The form that a command of Redis or memcached has in common with other
 * commands of its kind: its name, and ? for the arguments. */
#include "values/command.h"

#include "base/attr.h"
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

static const struct folded memcached[] = {
	{ "version", "version" },
	{ "get a", "get ?" },
	{ "get a b", "get ?" },
	{ " set  a 0 0 1 noreply", "set ?" },
	{ "GET a", "GET ?" },
	{ "quit ", "quit" },
	{ "", "" },
};

static void
check(void (*fold)(struct str *to, const char *text, size_t length),
      const struct folded *folded)
{
	struct str to;
	size_t length = strlen(folded->text);
	char *copy = malloc(length ? length : 1);

	memcpy(copy, folded->text, length);
	str_init(&to);
	str_add(&to, "before ");
	fold(&to, copy, length);
	ck_assert_str_eq(str_text(&to) + strlen("before "), folded->name);
	str_release(&to);
	free(copy);
}

START_TEST(are_folded)
{
	for (size_t i = 0; i < array_size(redis); i++)
		check(command_fold_redis, &redis[i]);
	for (size_t i = 0; i < array_size(memcached); i++)
		check(command_fold_memcached, &memcached[i]);
}
END_TEST

Suite *
command_suite(void)
{
	Suite *suite = suite_create("command");
	TCase *tests = tcase_create("command");

	tcase_add_test(tests, are_folded);
	suite_add_tcase(suite, tests);
	return suite;
}
