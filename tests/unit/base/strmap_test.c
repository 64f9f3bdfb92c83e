/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The map of strings copies its keys and finds each of many. */
#include "tests/unit/base/suites.h"

#include "base/map.h"

#include <stdio.h>

#define KEYS 5000

static int things[KEYS];

START_TEST(keys_are_copied)
{
	struct strmap map;
	char key[] = "malloc";

	strmap_init(&map);
	ck_assert_ptr_null(strmap_get(&map, "malloc"));
	strmap_put(&map, key, &things[0]);
	key[0] = 'c';
	ck_assert_ptr_eq(strmap_get(&map, "malloc"), &things[0]);
	ck_assert_ptr_null(strmap_get(&map, key));
	strmap_put(&map, "malloc", &things[1]);
	strmap_put(&map, "", &things[2]);
	ck_assert_ptr_eq(*strmap_place(&map, "malloc"), &things[1]);
	ck_assert_ptr_null(*strmap_place(&map, "free"));
	*strmap_place(&map, "free") = &things[3];
	ck_assert_ptr_eq(strmap_get(&map, "free"), &things[3]);
	ck_assert_ptr_eq(strmap_get(&map, "malloc"), &things[1]);
	ck_assert_ptr_eq(strmap_get(&map, ""), &things[2]);
	strmap_release(&map);
	ck_assert_ptr_null(strmap_get(&map, ""));
}
END_TEST

START_TEST(many_keys)
{
	struct strmap map;
	size_t cursor = 0, seen = 0;
	const char *key;
	char text[32];
	void *value;

	strmap_init(&map);
	for (int i = 0; i < KEYS; i++) {
		snprintf(text, sizeof(text), "sqlite3_%d", i);
		strmap_put(&map, text, &things[i]);
	}
	while (strmap_next(&map, &cursor, &key, &value)) {
		snprintf(text, sizeof(text), "sqlite3_%d",
			 (int)((int *)value - things));
		ck_assert_str_eq(key, text);
		ck_assert_ptr_eq(strmap_get(&map, text), value);
		seen++;
	}
	ck_assert_uint_eq(seen, KEYS);
	strmap_release(&map);
}
END_TEST

Suite *
strmap_suite(void)
{
	Suite *suite = suite_create("base/strmap");
	TCase *tests = tcase_create("strmap");

	tcase_add_test(tests, keys_are_copied);
	tcase_add_test(tests, many_keys);
	suite_add_tcase(suite, tests);
	return suite;
}
