/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the map of numbers with a plain array that does the same slowly:
 * puts, replacements and removals in a random order, with keys that collide.
 */
#include "tests/unit/base/suites.h"

#include "base/map.h"

#include <stdlib.h>

static int things[4];

START_TEST(put_get_replace_remove)
{
	struct map map;

	map_init(&map);
	ck_assert_ptr_null(map_get(&map, 1));
	ck_assert_ptr_null(map_remove(&map, 1));
	map_put(&map, 1, &things[1]);
	map_put(&map, 0, &things[0]);
	map_put(&map, UINT64_MAX, &things[2]);
	ck_assert_ptr_eq(map_get(&map, 0), &things[0]);
	ck_assert_ptr_eq(map_get(&map, UINT64_MAX), &things[2]);
	map_put(&map, 1, &things[3]);
	ck_assert_ptr_eq(map_get(&map, 1), &things[3]);
	ck_assert_ptr_eq(map_remove(&map, 1), &things[3]);
	ck_assert_ptr_null(map_get(&map, 1));
	ck_assert_ptr_null(map_remove(&map, 1));
	map_put(&map, 1, &things[1]);
	ck_assert_ptr_eq(map_get(&map, 1), &things[1]);
	map_clear(&map);
	ck_assert_ptr_null(map_get(&map, 0));
	map_put(&map, 0, &things[0]);
	ck_assert_ptr_eq(map_get(&map, 0), &things[0]);
	map_release(&map);
}
END_TEST

#define KEYS 300
#define ACTS 50000

/* Keys like the addresses of sites, which are close to each other. */
static uint64_t
key_of(size_t i)
{
	return UINT64_C(0x7f0000000000) + (i % 100) * 16 + (i / 100) * 0x100000;
}

static size_t
compare_with_model(const struct map *map, void *const *model)
{
	size_t live = 0;

	for (size_t i = 0; i < KEYS; i++) {
		ck_assert_ptr_eq(map_get(map, key_of(i)), model[i]);
		live += model[i] != NULL;
	}
	return live;
}

static size_t
count_by_walking(const struct map *map)
{
	size_t cursor = 0, n = 0;
	uint64_t key;
	void *value;

	while (map_next(map, &cursor, &key, &value)) {
		ck_assert_ptr_eq(map_get(map, key), value);
		n++;
	}
	return n;
}

START_TEST(like_an_array)
{
	void *model[KEYS] = { NULL };
	struct map map;

	map_init(&map);
	srand(1);
	for (int act = 0; act < ACTS; act++) {
		size_t i = (size_t)rand() % KEYS;

		if (rand() % 2) {
			model[i] = &things[rand() % 4];
			map_put(&map, key_of(i), model[i]);
		} else {
			ck_assert_ptr_eq(map_remove(&map, key_of(i)), model[i]);
			model[i] = NULL;
		}
		if (act % 1000 == 0)
			ck_assert_uint_eq(compare_with_model(&map, model),
					  count_by_walking(&map));
	}
	map_release(&map);
}
END_TEST

/* If a site is planted and lifted a million times, the map must not fill up. */
START_TEST(tombstones_do_not_pile_up)
{
	struct map map;

	map_init(&map);
	for (uint64_t key = 0; key < 100000; key++) {
		map_put(&map, key * 16, &things[0]);
		ck_assert_ptr_eq(map_remove(&map, key * 16), &things[0]);
	}
	ck_assert_uint_lt(map.room, 1000);
	ck_assert_uint_eq(count_by_walking(&map), 0);
	map_release(&map);
}
END_TEST

START_TEST(removed_while_walking)
{
	struct map map;
	size_t cursor = 0, seen = 0;
	uint64_t key;

	map_init(&map);
	for (uint64_t i = 0; i < 1000; i++)
		map_put(&map, i, &things[i % 4]);
	while (map_next(&map, &cursor, &key, NULL)) {
		ck_assert_ptr_eq(map_remove(&map, key), &things[key % 4]);
		seen++;
	}
	ck_assert_uint_eq(seen, 1000);
	ck_assert_uint_eq(count_by_walking(&map), 0);
	map_release(&map);
}
END_TEST

Suite *
map_suite(void)
{
	Suite *suite = suite_create("base/map");
	TCase *tests = tcase_create("map");

	tcase_add_test(tests, put_get_replace_remove);
	tcase_add_test(tests, like_an_array);
	tcase_add_test(tests, tombstones_do_not_pile_up);
	tcase_add_test(tests, removed_while_walking);
	suite_add_tcase(suite, tests);
	return suite;
}
