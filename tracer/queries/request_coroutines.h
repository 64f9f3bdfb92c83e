/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that answers several requests at the same time, as the event loop of
 * Python's asyncio does. The coroutine that sends a query tells to which of the
 * requests the query belongs: to the request of the connection on which the
 * coroutine answers.
 */
#ifndef TRACER_QUERIES_REQUEST_COROUTINES_H
#define TRACER_QUERIES_REQUEST_COROUTINES_H

#include "tracer/model/rooms.h"

/* The stack of the thread was walked for this call: stores its request, if the
 * stack tells which it is. */
void request_coroutines_walked(const struct program *program,
			       const struct stack *stack, struct call *call);

#endif
