/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The task of asyncio that a frame of the event loop runs. */
#ifndef STACKS_PYTHON_TASK_NAME_H
#define STACKS_PYTHON_TASK_NAME_H

#include "stacks/python_objects.h"
#include "stacks/stack.h"

/* Stores the name of the task, cut to whole characters of together at most
 * `most` - 1 bytes; "" if asyncio has named it. False if the frame runs no
 * task. */
bool python_task_name(struct python_memory *memory, const struct frame *frame,
		      char *to, size_t most);

#endif
