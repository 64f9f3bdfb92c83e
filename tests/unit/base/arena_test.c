/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces keep their content, are aligned and do not overlap. */
#include "tests/unit/base/suites.h"

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PIECES 500

static bool
filled_with(const char *piece, size_t size, char with)
{
	for (size_t i = 0; i < size; i++) {
		if (piece[i] != with)
			return false;
	}
	return true;
}

static size_t
size_of_piece(size_t i)
{
	return i % 50 == 49 ? 100 * i : i % 70;
}

START_TEST(pieces_are_apart)
{
	struct arena arena;
	char *piece[PIECES];

	arena_init(&arena);
	for (size_t i = 0; i < PIECES; i++) {
		piece[i] = arena_alloc(&arena, size_of_piece(i));
		ck_assert_uint_eq((uintptr_t)piece[i] % 16, 0);
		memset(piece[i], (char)i, size_of_piece(i));
	}
	for (size_t i = 0; i < PIECES; i++)
		ck_assert(filled_with(piece[i], size_of_piece(i), (char)i));
	arena_release(&arena);
}
END_TEST

START_TEST(a_cleared_arena_uses_its_memory_again)
{
	struct arena arena;
	char *first, *again;

	arena_init(&arena);
	arena_clear(&arena);
	for (int i = 0; i < 100; i++)
		arena_alloc(&arena, 100);
	arena_clear(&arena);
	first = arena_alloc(&arena, 100);
	arena_clear(&arena);
	again = arena_alloc(&arena, 100);
	ck_assert_ptr_eq(first, again);
	arena_release(&arena);
	arena_release(&arena);
}
END_TEST

START_TEST(zeroed_where_asked)
{
	struct arena arena;

	arena_init(&arena);
	memset(arena_alloc(&arena, 64), 0xff, 64);
	arena_clear(&arena);
	ck_assert(filled_with(arena_zalloc(&arena, 64), 64, 0));
	arena_release(&arena);
}
END_TEST

START_TEST(copies)
{
	struct arena arena;
	char text[] = "malloc";
	char *copy, *cut;

	arena_init(&arena);
	copy = arena_strdup(&arena, text);
	cut = arena_strndup(&arena, text, 3);
	text[0] = 'x';
	ck_assert_str_eq(copy, "malloc");
	ck_assert_str_eq(cut, "mal");
	ck_assert_mem_eq(arena_copy(&arena, "\0\1\2", 3), "\0\1\2", 3);
	ck_assert_ptr_nonnull(arena_copy(&arena, NULL, 0));
	arena_release(&arena);
}
END_TEST

START_TEST(printed_to_any_length)
{
	struct arena arena;

	arena_init(&arena);
	ck_assert_str_eq(arena_printf(&arena, "%s:%d", "libc.conf", 12),
			 "libc.conf:12");
	ck_assert_uint_eq(strlen(arena_printf(&arena, "%5000d", 1)), 5000);
	arena_release(&arena);
}
END_TEST

Suite *
arena_suite(void)
{
	Suite *suite = suite_create("base/arena");
	TCase *tests = tcase_create("arena");

	tcase_add_test(tests, pieces_are_apart);
	tcase_add_test(tests, a_cleared_arena_uses_its_memory_again);
	tcase_add_test(tests, zeroed_where_asked);
	tcase_add_test(tests, copies);
	tcase_add_test(tests, printed_to_any_length);
	suite_add_tcase(suite, tests);
	return suite;
}
