/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The array grows by doubling; the old array stays in the arena. */
#include "stacks/stack.h"

#include "stacks/packages.h"

#include <assert.h>
#include <string.h>

#define ROOM_AT_FIRST 8u

void
stack_init(struct stack *stack, struct arena *arena, size_t most)
{
	*stack = (struct stack){ .arena = arena, .most = most };
}

size_t
stack_own(const struct stack *stack)
{
	for (size_t i = 0; i < stack->count; i++) {
		struct frame *frame = &stack->at[i];

		if (frame->kind == FRAME_NATIVE || frame->at_call)
			continue;
		if (!frame->own && !frame->package && frame->file) {
			frame->package = package_of(stack->packages,
						    frame->file, stack->arena);
			frame->own = !frame->package;
		}
		if (frame->own)
			return i;
	}
	return stack->count;
}

static size_t
most_now(const struct stack *stack)
{
	size_t own = stack->from_own ? stack_own(stack) : 0;

	if (stack->from_own && own == stack->count)
		return STACK_SEARCHED_MOST;
	return own + stack->most;
}

bool
stack_full(const struct stack *stack)
{
	return stack->count >= most_now(stack);
}

static void
grow(struct stack *stack)
{
	size_t room = stack->room ? 2 * stack->room : ROOM_AT_FIRST;
	size_t most = most_now(stack);
	struct frame *at;

	if (room > most)
		room = most;
	at = arena_alloc(stack->arena, room * sizeof(*at));
	if (stack->count > 0)
		memcpy(at, stack->at, stack->count * sizeof(*at));
	stack->at = at;
	stack->room = room;
}

struct frame *
stack_push(struct stack *stack, enum frame_kind kind, addr_t at)
{
	struct frame *frame;

	assert(!stack_full(stack));
	if (stack->count == stack->room)
		grow(stack);
	frame = &stack->at[stack->count++];
	*frame = (struct frame){ .kind = kind, .at = at };
	return frame;
}

void
stack_give_place(struct stack *stack, size_t *placeless, const char *file,
		 unsigned line)
{
	for (; *placeless > 0; --*placeless) {
		struct frame *frame = &stack->at[stack->count - *placeless];

		frame->file = file;
		frame->line = line;
	}
}

bool
frame_in_file(const struct frame *frame, const char *const *parts, size_t count)
{
	for (size_t i = 0; frame->file && i < count; i++) {
		if (strstr(frame->file, parts[i]))
			return true;
	}
	return false;
}
