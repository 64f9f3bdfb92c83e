/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks grow up to what was asked for; trails end. */
#include "stacks/stack.h"
#include "stacks/trail.h"
#include "tests/unit/stacks/suites.h"

START_TEST(a_stack_holds_what_was_asked_for)
{
	const size_t most = (size_t)_i;
	struct arena arena;
	struct stack stack;

	arena_init(&arena);
	stack_init(&stack, &arena, most);
	for (size_t i = 0; i < most; i++) {
		ck_assert(!stack_full(&stack));
		stack_push(&stack, FRAME_RUBY, i)->line = (unsigned)i + 1;
	}
	ck_assert(stack_full(&stack));
	for (size_t i = 0; i < most; i++) {
		ck_assert_int_eq(stack.at[i].kind, FRAME_RUBY);
		ck_assert_uint_eq(stack.at[i].at, i);
		ck_assert_uint_eq(stack.at[i].line, i + 1);
		ck_assert_ptr_null(stack.at[i].function);
	}
	arena_release(&arena);
}
END_TEST

START_TEST(a_circle_ends)
{
	/* So many on a straight way, then round. */
	const unsigned before = (unsigned)_i % 20,
		       round = 1 + (unsigned)_i / 20;
	struct trail trail = { 0 };
	unsigned steps = 0;

	while (trail_step(&trail, steps < before ? 1000 + steps
						 : (steps - before) % round))
		steps++;
	ck_assert_uint_ge(steps, before + round);
	ck_assert_uint_le(steps, 4 * (before + round) + 4);
}
END_TEST

START_TEST(a_long_way_ends_too)
{
	struct trail trail = { 0 };
	unsigned steps = 0;

	while (trail_step(&trail, steps + 1))
		steps++;
	ck_assert_uint_eq(steps, TRAIL_MOST);
}
END_TEST

START_TEST(kinds_have_names)
{
	ck_assert_str_eq(frame_kind_name(FRAME_PYTHON), "python");
	for (unsigned kind = 0; kind < FRAME_KINDS; kind++)
		ck_assert_ptr_nonnull(frame_kind_name((enum frame_kind)kind));
}
END_TEST

Suite *
stack_suite(void)
{
	Suite *suite = suite_create("stacks/stack");
	TCase *tests = tcase_create("stack");

	tcase_add_loop_test(tests, a_stack_holds_what_was_asked_for, 0, 40);
	tcase_add_loop_test(tests, a_circle_ends, 0, 400);
	tcase_add_test(tests, a_long_way_ends_too);
	tcase_add_test(tests, kinds_have_names);
	suite_add_tcase(suite, tests);
	return suite;
}
