/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header traceparent of the request that a function of Python handles. */
#ifndef STACKS_PYTHON_TRACEPARENT_H
#define STACKS_PYTHON_TRACEPARENT_H

#include "stacks/python_objects.h"

/* Stores the value of the header, as a local variable of the frame has it, with
 * a NUL. False if no variable has the header, or if the value is longer than
 * most - 1 bytes. */
bool python_traceparent(struct python_memory *memory, addr_t frame, char *to,
			size_t most);

#endif
