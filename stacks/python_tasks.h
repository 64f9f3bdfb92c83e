/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks of a thread's event loop (asyncio or uvloop, Python 3.11) that
 * await something. A task has a chain of coroutines: each awaits the next one.
 * Their frames are like the frames of a stack, but they are on no stack.
 */
#ifndef STACKS_PYTHON_TASKS_H
#define STACKS_PYTHON_TASKS_H

#include "stacks/python_objects.h"

#define PYTHON_CHAIN_MOST 64u

struct python_chain {
	addr_t frames[PYTHON_CHAIN_MOST]; /* the outermost first */
	size_t count;
};

struct python_tasks {
	addr_t loop;	 /* the event loop */
	addr_t set;	 /* references to the tasks of all loops */
	size_t places;	 /* in the set's table */
	size_t next;	 /* the next place */
	size_t seen;	 /* the tasks that were looked at */
	uint64_t offset; /* of the coroutine in a task; 0 if not known yet */
};

/* Begins with the tasks of the event loop that runs in the stack. Returns false
 * if there is none, or if its tasks cannot be read. */
bool python_tasks_begin(struct python_memory *memory, const struct stack *stack,
			struct python_tasks *ret_tasks);
/* Finds the chain of the next task that awaits something. Returns false if no
 * such task is left. */
bool python_tasks_next(struct python_memory *memory, struct python_tasks *tasks,
		       struct python_chain *ret_chain);

#endif
