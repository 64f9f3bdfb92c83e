/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An interpreter runs scripts in one of its own functions. Each time that
 * native code calls this function, it runs several frames of the script: a run.
 * So the nth such function on the native stack, counted from the innermost, is
 * the nth run of the script's frames, and these frames take its place:
 *
 *	native                        script          merged
 *	read                                          read
 *	_Py_read                                      _Py_read
 *	_PyEval_EvalFrameDefault      f               f
 *	                              g (outermost)   g (outermost)
 *	cfunction_call                                cfunction_call
 *	_PyEval_EvalFrameDefault      h (outermost)   h (outermost)
 *	main                                          main
 *
 * A stack may contain several interpreters; each has its own runs and
 * functions. A fiber of Ruby begins with a method in C, which is in no run:
 * this frame follows the last run. If a run has no frames, its native function
 * stays. If a stack was cut at its outer end, only the part that exists is
 * compared. If the native stack ends first, as the stack of a fiber of PHP
 * does, the rest of the script's frames follows it.
 *
 * Each language names these functions in its struct source_ops.
 */
#include "stacks/merge.h"

#include "stacks/source_parts.h"

#include <string.h>

/* A compiler may have split a part off the function ("name.cold"). */
static bool
is_called(const char *function, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(function, name, length) &&
	       (!function[length] || function[length] == '.');
}

static bool
is_one_of(const char *function, const char *const *names)
{
	for (; *names; names++) {
		if (is_called(function, *names))
			return true;
	}
	return false;
}

/* The language whose scripts the function runs; FRAME_NATIVE if none. */
static enum frame_kind
evaluates(const struct frame *frame)
{
	int kind = FRAME_SCRIPT;

	if (!frame->function)
		return FRAME_NATIVE;
	while (kind < FRAME_KINDS &&
	       !is_one_of(frame->function, source_languages[kind]->evaluators))
		kind++;
	return kind < FRAME_KINDS ? (enum frame_kind)kind : FRAME_NATIVE;
}

static bool
is_cut(const struct stack *stack)
{
	return stack->partial || stack_full(stack);
}

/* For each interpreter: how many of its functions are on the native stack, and
 * how many runs the script's stack has. */
struct numbers {
	size_t functions[FRAME_KINDS];
	size_t runs[FRAME_KINDS];
};

static void
count(const struct stack *native, const struct stack *script,
      struct numbers *numbers)
{
	*numbers = (struct numbers){ 0 };
	for (size_t i = 0; i < native->count; i++)
		numbers->functions[evaluates(&native->at[i])]++;
	for (size_t i = 0; i < script->count; i++) {
		const struct frame *frame = &script->at[i];

		numbers->runs[frame->kind] += frame->outermost + frame->empty;
	}
}

static bool
belong_together(const struct numbers *numbers, const struct stack *native,
		const struct stack *script)
{
	for (int kind = FRAME_SCRIPT; kind < FRAME_KINDS; kind++) {
		size_t functions = numbers->functions[kind];
		size_t runs = numbers->runs[kind];

		if (source_languages[kind]->run_without_evaluator &&
		    functions > 0 && runs == functions + 1)
			continue;
		if (runs > functions && !is_cut(native))
			return false;
		if (functions > runs && !is_cut(script))
			return false;
	}
	return true;
}

static void
add(struct stack *merged, const struct frame *frame)
{
	if (!stack_full(merged))
		*stack_push(merged, frame->kind, frame->at) = *frame;
}

/* Where the next run of an interpreter begins. */
struct next {
	size_t at;
	/* A run may have no frame (a block of Perl's sort). How many such runs
	 * right before `at` were matched with a function of the native stack.
	 */
	unsigned empty;
};

/* Adds the interpreter's run that begins at next or behind it; if no function
 * is left for later frames, adds all later frames too. */
static void
add_run(struct stack *merged, const struct stack *script, enum frame_kind kind,
	struct next *next, bool rest)
{
	for (; next->at < script->count; next->at++) {
		const struct frame *frame = &script->at[next->at];

		if (frame->kind != kind)
			continue;
		if (next->empty < frame->empty && !rest) {
			next->empty++;
			return;
		}
		next->empty = 0;
		add(merged, frame);
		if (frame->outermost && !rest) {
			next->at++;
			return;
		}
	}
}

static void
add_all(struct stack *merged, const struct stack *from)
{
	for (size_t i = 0; i < from->count; i++)
		add(merged, &from->at[i]);
}

static void
add_both(const struct stack *native, const struct stack *script,
	 struct numbers *numbers, struct stack *merged)
{
	struct next next[FRAME_KINDS] = { { 0 } };

	for (size_t i = 0; i < native->count; i++) {
		enum frame_kind kind = evaluates(&native->at[i]);
		size_t before = merged->count;
		bool last = --numbers->functions[kind] == 0 && !is_cut(native);

		if (kind != FRAME_NATIVE)
			add_run(merged, script, kind, &next[kind], last);
		/* If the run has no frames, its native function stays in the
		 * stack. */
		if (kind == FRAME_NATIVE || merged->count == before)
			add(merged, &native->at[i]);
	}
	for (int kind = FRAME_SCRIPT; kind < FRAME_KINDS; kind++)
		add_run(merged, script, kind, &next[kind], true);
}

void
merge_stacks(const struct stack *native, const struct stack *script,
	     struct stack *merged)
{
	struct numbers numbers;

	merged->partial = native->partial || script->partial;
	count(native, script, &numbers);
	if (belong_together(&numbers, native, script)) {
		add_both(native, script, &numbers, merged);
		return;
	}
	add_all(merged, native);
	if (!stack_full(merged))
		merged->apart = merged->count;
	add_all(merged, script);
}
