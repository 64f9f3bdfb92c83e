/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks a copy of our own stack. The undamaged copy leads through the expected
 * functions; a damaged one leads anywhere, and the walk ends.
 */
#include "tests/unit/stacks/copied.h"
#include "tests/unit/stacks/suites.h"

#include <stdlib.h>

#define MOST 64u
#define ROUNDS 3000

static struct copied copied;
static struct modmap modules;

static size_t
walk(struct native *native, struct arena *arena, bool *ret_copy)
{
	const struct native_start start = { .regs = &copied.regs };
	struct stack stack;

	stack_init(&stack, arena, MOST);
	native_walk(native, &modules, &copied.reader, &start, &stack);
	native_name(native, &modules, &stack, true);
	ck_assert(native_knows(native, &stack, true));
	ck_assert_uint_le(stack.count, MOST);
	*ret_copy = stack.count > 1 && stack.at[0].function &&
		    !strcmp(stack.at[0].function, "copied_take");
	for (size_t i = 0; i < stack.count; i++)
		ck_assert(!stack.at[i].function || *stack.at[i].function);
	return stack.count;
}

START_TEST(a_damaged_stack)
{
	struct native *native = native_new(arch_of_host());
	static uint8_t before[COPIED_ROOM];
	struct arena arena;
	size_t whole;
	bool copy;

	modmap_init(&modules);
	dl_iterate_phdr(copied_add_module, &modules);
	arena_init(&arena);
	copied_take(&copied);
	whole = walk(native, &arena, &copy);
	ck_assert(copy);
	ck_assert_uint_gt(whole, 4);
	memcpy(before, copied.bytes, COPIED_ROOM);
	srandom(1);
	for (int i = 0; i < ROUNDS; i++) {
		for (long n = random() % 8; n >= 0; n--) {
			size_t at = (size_t)random() % 1024 * 8;

			if (random() % 2)
				memcpy(copied.bytes + at,
				       before + (size_t)random() % 1024 * 8, 8);
			else
				copied.bytes[at + (size_t)random() % 8] ^=
					(uint8_t)random();
		}
		walk(native, &arena, &copy);
		arena_clear(&arena);
		memcpy(copied.bytes, before, COPIED_ROOM);
	}
	ck_assert_uint_eq(walk(native, &arena, &copy), whole);
	arena_release(&arena);
	native_free(native);
	modmap_release(&modules);
}
END_TEST

Suite *
native_suite(void)
{
	Suite *suite = suite_create("stacks/native");
	TCase *tests = tcase_create("native");

	tcase_set_timeout(tests, 120);
	tcase_add_test(tests, a_damaged_stack);
	suite_add_tcase(suite, tests);
	return suite;
}
