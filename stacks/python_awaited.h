/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The query whose answer a coroutine of Python awaits. */
#ifndef STACKS_PYTHON_AWAITED_H
#define STACKS_PYTHON_AWAITED_H

#include "stacks/python_objects.h"
#include "stacks/stack.h"

/* Stores the query, in stack->arena, and the connection's descriptor, if the
 * innermost frames of the coroutine are those of a driver that reads an answer.
 * Returns false if they are not, or if either is not known. */
bool python_awaited(struct python_memory *memory, const struct stack *stack,
		    struct statement_query *ret_query);

#endif
