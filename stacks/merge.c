/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An interpreter runs scripts in one function of its own, and each time that
 * this is called from native code it runs a number of the script's frames: a
 * run. So the nth such function on the native stack, from within, is the nth
 * run of the script's frames, and these take its place:
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
 * Several interpreters may take turns; each has runs and functions of its own.
 * What a fiber of Ruby's was begun with is a method in C, which is in no run:
 *it follows the last one. A stack that was cut short at its outer end can only
 *be compared as far as it goes; where the native one ends first, as that of a
 * fiber of PHP's does, the script's goes on behind it.
 */
#include "stacks/merge.h"

#include "base/attr.h"

#include <string.h>

static const char *const evaluating[FRAME_KINDS] = {
	[FRAME_PYTHON] = "_PyEval_EvalFrameDefault",
	[FRAME_RUBY] = "rb_vm_exec",
	[FRAME_PHP] = "execute_ex",
	[FRAME_PERL] = "Perl_runops_standard",
};

/* A compiler may have split a part off it ("name.cold"). */
static bool
is_called(const char *function, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(function, name, length) &&
	       (!function[length] || function[length] == '.');
}

/* Whose scripts the function runs; FRAME_NATIVE: nobody's. */
static enum frame_kind
evaluates(const struct frame *frame)
{
	for (int kind = FRAME_NATIVE + 1; kind < FRAME_KINDS; kind++) {
		if (frame->function && evaluating[kind] &&
		    is_called(frame->function, evaluating[kind]))
			return kind;
	}
	return FRAME_NATIVE;
}

static bool
is_cut(const struct stack *stack)
{
	return stack->partial || stack_full(stack);
}

/* How many functions and runs of an interpreter there are. */
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

		numbers->runs[frame->kind] += frame->outermost;
	}
}

static bool
belong_together(const struct numbers *numbers, const struct stack *native,
		const struct stack *script)
{
	for (int kind = FRAME_NATIVE + 1; kind < FRAME_KINDS; kind++) {
		size_t functions = numbers->functions[kind];
		size_t runs = numbers->runs[kind];

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

/* The run of that interpreter's that begins at or behind *next; all that
 * follows where no function is left for it. */
static void
add_run(struct stack *merged, const struct stack *script, enum frame_kind kind,
	size_t *next, bool rest)
{
	for (; *next < script->count; ++*next) {
		const struct frame *frame = &script->at[*next];

		if (frame->kind != kind)
			continue;
		add(merged, frame);
		if (frame->outermost && !rest) {
			++*next;
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
	size_t next[FRAME_KINDS] = { 0 };

	for (size_t i = 0; i < native->count; i++) {
		enum frame_kind kind = evaluates(&native->at[i]);
		size_t before = merged->count;
		bool last = --numbers->functions[kind] == 0 && !is_cut(native);

		if (kind != FRAME_NATIVE)
			add_run(merged, script, kind, &next[kind], last);
		/* Of a run that was not seen the function stays. */
		if (kind == FRAME_NATIVE || merged->count == before)
			add(merged, &native->at[i]);
	}
	for (int kind = FRAME_NATIVE + 1; kind < FRAME_KINDS; kind++)
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
