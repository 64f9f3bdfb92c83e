/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks grow up to their limit; the cycle guard ends loops. */
#include "stacks/languages.h"
#include "stacks/source_parts.h"
#include "stacks/cycle_guard.h"
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
	/* So many records in a line, then a circle. */
	const unsigned before = (unsigned)_i % 20,
		       round = 1 + (unsigned)_i / 20;
	struct cycle_guard guard = { 0 };
	unsigned steps = 0;

	while (cycle_guard_step(&guard, steps < before
						? 1000 + steps
						: (steps - before) % round))
		steps++;
	ck_assert_uint_ge(steps, before + round);
	ck_assert_uint_le(steps, 4 * (before + round) + 4);
}
END_TEST

START_TEST(a_long_way_ends_too)
{
	struct cycle_guard guard = { 0 };
	unsigned steps = 0;

	while (cycle_guard_step(&guard, steps + 1))
		steps++;
	ck_assert_uint_eq(steps, CYCLE_GUARD_MOST);
}
END_TEST

START_TEST(kinds_have_names)
{
	ck_assert_str_eq(frame_kind_name(FRAME_PYTHON), "python");
	for (unsigned kind = 0; kind < FRAME_KINDS; kind++)
		ck_assert_ptr_nonnull(frame_kind_name((enum frame_kind)kind));
}
END_TEST

/* The fields of each row that merge.c and languages.c read. */
START_TEST(languages_are_whole)
{
	const struct source_ops *ops = source_languages[_i];

	ck_assert_ptr_nonnull(ops);
	ck_assert(ops->find && ops->walk && ops->free);
	ck_assert_ptr_nonnull(ops->evaluators[0]);
	ck_assert_ptr_nonnull(ops->packages[0]);
	for (int i = FRAME_SCRIPT; i < _i; i++)
		ck_assert_ptr_ne(source_languages[i], ops);
}
END_TEST

START_TEST(packages_have_places)
{
	ck_assert(file_is_packaged("/usr/lib/python3/dist-packages/a.py"));
	ck_assert(file_is_packaged("<internal:gc>"));
	ck_assert(file_is_packaged("/var/lib/gems/3.1.0/gems/a/a.rb"));
	ck_assert(file_is_packaged("/srv/app/vendor/autoload.php"));
	ck_assert(file_is_packaged("/usr/share/perl/5.36/Carp.pm"));
	ck_assert(!file_is_packaged("/srv/app/user.py"));
	ck_assert(!file_is_packaged("user.rb"));
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
	tcase_add_loop_test(tests, languages_are_whole, FRAME_SCRIPT,
			    FRAME_KINDS);
	tcase_add_test(tests, packages_have_places);
	suite_add_tcase(suite, tests);
	return suite;
}
