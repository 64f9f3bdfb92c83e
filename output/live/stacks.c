/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stacks of threads that block come at once, those of threads that run when
 * they have stopped. So a stack may come later than that of a thread with a
 * higher number. If a thread's stack comes twice, the later one counts.
 */
#include "output/live/stacks.h"

#include "output/frames.h"

#include <stdlib.h>

static void
drop_all(struct live_stacks *stacks)
{
	for (size_t i = 0; i < stacks->list.count; i++)
		free(stacks->list.at[i].text);
	vec_clear(&stacks->list);
}

void
live_stacks_release(struct live_stacks *stacks)
{
	drop_all(stacks);
	vec_release(&stacks->list);
}

void
live_stacks_ask(struct live_stacks *stacks, uint64_t now)
{
	drop_all(stacks);
	stacks->wanted = true;
	stacks->when = now;
}

bool
live_stacks_wanted(struct live_stacks *stacks)
{
	bool wanted = stacks->wanted;

	stacks->wanted = false;
	return wanted;
}

static struct live_stack *
stack_of(struct live_stacks *stacks, pid_t tid)
{
	for (size_t i = 0; i < stacks->list.count; i++)
		if (stacks->list.at[i].tid == tid)
			return &stacks->list.at[i];
	vec_push(&stacks->list, (struct live_stack){ .tid = tid });
	return &stacks->list.at[stacks->list.count - 1];
}

void
live_stacks_take(struct live_stacks *stacks, const struct event *event)
{
	struct live_stack *stack;
	struct str text;

	/* Nobody has pressed the key: these stacks are for --dump. */
	if (stacks->when == 0)
		return;
	stack = stack_of(stacks, event->tid);
	str_init(&text);
	frames_add_thread(&text, event);
	str_add_char(&text, '\n');
	free(stack->text);
	stack->pid = event->pid;
	stack->text = str_take(&text);
}

static int
compare(const void *left, const void *right)
{
	const struct live_stack *a = left, *b = right;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

void
live_stacks_add(struct live_stacks *stacks, const char *clock, struct str *to)
{
	vec_sort(&stacks->list, compare);
	str_add_count(to, stacks->list.count, "thread", "threads");
	str_addf(to, " at %s\n", clock);
	for (size_t i = 0; i < stacks->list.count; i++) {
		str_add_char(to, '\n');
		str_add(to, stacks->list.at[i].text);
	}
}
