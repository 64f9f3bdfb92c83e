/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks grow up to their limit; the cycle guard ends loops. */
#include "stacks/languages.h"
#include "stacks/packages.h"
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
	/* A chain of `before` records that leads into a circle. */
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

/* Each language has the members that merge.c and languages.c need. */
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

START_TEST(packages_have_names)
{
	static const struct {
		const char *file, *package;
	} rows[] = {
		{ "/usr/lib/python3/dist-packages/pymysql/cursors.py",
		  "pymysql" },
		{ "/usr/lib/python3/dist-packages/a.py", "a" },
		{ "/usr/lib/python3.11/threading.py", "threading" },
		{ "<internal:gc>", "<internal:gc>" },
		{ "/var/lib/gems/3.1.0/gems/sequel-5.6/lib/a.rb", "sequel" },
		{ "/usr/lib/ruby/vendor_ruby/mysql2/client.rb", "mysql2" },
		{ "/usr/lib/ruby/3.1.0/net/http.rb", "net" },
		{ "/srv/app/vendor/autoload.php", "autoload" },
		{ "/srv/app/vendor/doctrine/dbal/a.php", "doctrine" },
		{ "/usr/share/perl/5.36/Carp.pm", "Carp" },
		{ "/usr/lib/x86_64-linux-gnu/perl5/5.36/DBI.pm", "DBI" },
		{ "/srv/wp-includes/class-wpdb.php", "wp-includes" },
		{ "/srv/old/lib/db/mysql.php", "db" },
		{ "/srv/app/user.py", NULL },
		{ "user.rb", NULL },
	};
	static struct package_pattern patterns[] = { { .text = "wp-*" },
						     { .text = "*/old/lib/*" },
						     { .text = "no" } };
	struct packages packages = { 0 };
	struct arena arena;

	arena_init(&arena);
	for (size_t i = 0; i < array_size(patterns); i++)
		vec_push(&packages.patterns, patterns[i]);
	for (size_t i = 0; i < array_size(rows); i++)
		ck_assert_pstr_eq(package_of(&packages, rows[i].file, &arena),
				  rows[i].package);
	for (size_t i = 0; i < array_size(patterns); i++)
		ck_assert_int_eq(packages.patterns.at[i].found, i < 2);
	vec_release(&packages.patterns);
	arena_release(&arena);
}
END_TEST

/* The first `own` frames belong to packages, all others to the application. */
START_TEST(frames_are_counted_from_the_applications)
{
	const size_t most = 3, own = (size_t)_i;
	struct arena arena;
	struct stack stack;

	arena_init(&arena);
	stack_init(&stack, &arena, most);
	stack.from_own = true;
	for (size_t i = 0; !stack_full(&stack); i++)
		stack_push(&stack, FRAME_PYTHON, i)->file =
			i >= own ? "user.py" : "/site-packages/a/a.py";
	ck_assert_uint_eq(stack_own(&stack), own);
	ck_assert_uint_eq(stack.count, own + most);
	arena_release(&arena);
}
END_TEST

START_TEST(without_an_application_a_stack_ends)
{
	struct arena arena;
	struct stack stack;

	arena_init(&arena);
	stack_init(&stack, &arena, 1);
	stack.from_own = true;
	while (!stack_full(&stack))
		stack_push(&stack, FRAME_PYTHON, 1)->file = "<frozen os>";
	ck_assert_uint_eq(stack.count, STACK_SEARCHED_MOST);
	ck_assert_uint_eq(stack_own(&stack), STACK_SEARCHED_MOST);
	arena_release(&arena);
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
	tcase_add_test(tests, packages_have_names);
	tcase_add_loop_test(tests, frames_are_counted_from_the_applications, 0,
			    30);
	tcase_add_test(tests, without_an_application_a_stack_ends);
	suite_add_tcase(suite, tests);
	return suite;
}
