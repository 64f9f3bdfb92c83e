/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks as words, the innermost frame first. Small letters are native frames;
 * P and R are the functions that run Python and Ruby. In scripts, f to m are
 * Python's frames and r to z Ruby's; a point follows the last frame of a run.
 */
#include "stacks/merge.h"
#include "tests/unit/stacks/suites.h"

#include <string.h>

struct row {
	const char *native, *script;
	size_t most;
	const char *merged; /* the frames after | could not be merged */
};

static const struct row rows[] = {
	{ "abc", "", 99, "abc" },
	{ "", "fg.", 99, "fg" },
	{ "aPb", "f.", 99, "afb" },
	{ "aPb", "fgh.", 99, "afghb" },
	{ "aPbcPd", "fg.h.", 99, "afgbchd" },
	{ "PP", "f.g.", 99, "fg" },
	{ "aPbRcPd", "f.g.rs.", 99, "afbrscgd" },
	/* If the numbers of runs differ, the script's frames are not merged. */
	{ "aPb", "f.g.", 99, "aPb|fg" },
	{ "aPbPc", "f.", 99, "aPbPc|f" },
	{ "aPb", "", 99, "aPb" },
	{ "aPbRc", "f.", 99, "aPbRc|f" },
	{ "abc", "f.", 99, "abc|f" },
	/* The last of the script's frames are methods in C that a fiber has
	 * called. They come after the last run of the evaluator. There may be
	 * no run. */
	{ "aRbc", "rs.tu", 99, "arstubc" },
	{ "abc", "rs", 99, "abcrs" },
	/*
	 * Merged stacks that are cut because of the limit, at a frame of either
	 * kind.
	 */
	{ "aPb", "fg", 2, "af" },
	{ "aPb", "fg.hi.", 3, "afg" },
	{ "aPbc", "f.ghi", 4, "afbc" },
	{ "aaaa", "f.g.", 4, "aaaa" },
	{ "aPbP", "f.g.", 4, "afbg" },
};

static void
fill(struct stack *stack, struct arena *arena, const char *words, size_t most)
{
	stack_init(stack, arena, most);
	for (const char *at = words; *at && !stack_full(stack); at++) {
		struct frame *frame;

		if (*at == '.')
			continue;
		frame = stack_push(stack,
				   *at >= 'r'	? FRAME_RUBY
				   : *at >= 'f' ? FRAME_PYTHON
						: FRAME_NATIVE,
				   (addr_t)(at - words));
		frame->function = *at == 'P'   ? "_PyEval_EvalFrameDefault"
				  : *at == 'R' ? "rb_vm_exec.cold"
					       : arena_strndup(arena, at, 1);
		frame->outermost = at[1] == '.';
	}
}

static char *
words_of(struct arena *arena, const struct stack *stack)
{
	char *words = arena_zalloc(arena, 2 * stack->count + 2);
	size_t length = 0;

	for (size_t i = 0; i < stack->count; i++) {
		const char *function = stack->at[i].function;

		if (i > 0 && i == stack->apart)
			words[length++] = '|';
		words[length++] = function[0] == '_'   ? 'P'
				  : !function[1]       ? function[0]
				  : function[0] == 'r' ? 'R'
						       : '?';
	}
	return words;
}

START_TEST(stacks_are_merged)
{
	const struct row *row = &rows[_i];
	struct stack native, script, merged;
	struct arena arena;

	arena_init(&arena);
	fill(&native, &arena, row->native, row->most);
	fill(&script, &arena, row->script, row->most);
	stack_init(&merged, &arena, row->most);
	merge_stacks(&native, &script, &merged);
	ck_assert_str_eq(words_of(&arena, &merged), row->merged);
	ck_assert(!merged.partial);
	arena_release(&arena);
}
END_TEST

/* If the native stack ends early, the outer frames of the script follow it. */
START_TEST(a_stack_that_ends_early)
{
	struct stack native, script, merged;
	struct arena arena;

	arena_init(&arena);
	fill(&native, &arena, "aPb", 99);
	fill(&script, &arena, "fg.h.", 99);
	native.partial = true;
	stack_init(&merged, &arena, 99);
	merge_stacks(&native, &script, &merged);
	ck_assert_str_eq(words_of(&arena, &merged), "afgbh");
	ck_assert(merged.partial);
	arena_release(&arena);
}
END_TEST

Suite *
merge_suite(void)
{
	Suite *suite = suite_create("stacks/merge");
	TCase *tests = tcase_create("merge");

	tcase_add_loop_test(tests, stacks_are_merged, 0,
			    (int)(sizeof(rows) / sizeof(rows[0])));
	tcase_add_test(tests, a_stack_that_ends_early);
	suite_add_tcase(suite, tests);
	return suite;
}
