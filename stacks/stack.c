/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The array grows by doubling; the old array stays in the arena. */
#include "stacks/stack.h"

#include <assert.h>
#include <string.h>

#define ROOM_AT_FIRST 8u

void
stack_init(struct stack *stack, struct arena *arena, size_t most)
{
	*stack = (struct stack){ .arena = arena, .most = most };
}

static void
grow(struct stack *stack)
{
	size_t room = stack->room ? 2 * stack->room : ROOM_AT_FIRST;
	struct frame *at;

	if (room > stack->most)
		room = stack->most;
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
