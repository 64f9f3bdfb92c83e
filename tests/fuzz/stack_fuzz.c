/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A captured interpreter with damage: whatever its memory contains, a walk ends
 * within the given bounds, and its texts are valid.
 */
#include "tests/unit/stacks/captured.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define MOST 50u

static volatile size_t walked;

static void
check_text(const char *text)
{
	if (text)
		walked += strlen(text);
}

static void
walk(struct captured *captured, const struct source_ops *ops)
{
	struct source *source;
	struct err err = { "" };
	struct arena arena;
	struct stack stack;

	if (ops->find(&captured->binary, &captured->reader, &source, &err) < 0)
		return;
	arena_init(&arena);
	/* The second walk uses what the source of frames has kept from the
	 * first one. */
	for (int i = 0; i < 2; i++) {
		stack_init(&stack, &arena, MOST);
		ops->walk(source, &captured->reader, &captured->regs, &stack,
			  &err);
		assert(stack.count <= MOST);
		for (size_t k = 0; k < stack.count; k++) {
			check_text(stack.at[k].function);
			check_text(stack.at[k].file);
		}
	}
	check_text(err.text);
	arena_release(&arena);
	ops->free(source);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	uint8_t *copy = xmalloc(length + 1);
	struct captured captured;

	if (length > 0)
		memcpy(copy, bytes, length);
	captured_init(&captured, copy, length);
	for (int i = FRAME_SCRIPT; i < FRAME_KINDS; i++)
		walk(&captured, source_languages[i]);
	captured_release(&captured);
	free(copy);
	return 0;
}
