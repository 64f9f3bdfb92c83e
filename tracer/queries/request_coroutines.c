/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The outermost coroutine of the stack belongs to the task that runs. Servers
 * give it the connection, so its variables lead to the connection. If they lead
 * to several connections with a request, it is not known which of the requests
 * is answered. A task that the request's task has started (asyncio.gather(),
 * middleware) has an outermost coroutine of its own, which leads to no
 * connection.
 */
#include "tracer/queries/request_coroutines.h"

#include "tracer/queries/socket_map.h"
#include "tracer/report/where.h"

/* The most connections that the variables of a coroutine may lead to. */
enum { CONNECTIONS_MOST = 16 };

static const struct frame *
outermost_coroutine(const struct program *program, const struct stack *stack)
{
	struct source_frame_state state;

	for (size_t i = stack->count; i-- > 0;) {
		const struct frame *frame = &stack->at[i];

		if (frame->kind >= FRAME_SCRIPT &&
		    where_frame_state(program, frame, &state) &&
		    state.coroutine)
			return frame;
	}
	return NULL;
}

void
request_coroutines_walked(const struct program *program,
			  const struct stack *stack, struct call *call)
{
	/* Outer frames that were not read may be coroutines. */
	const struct frame *frame =
		stack->partial ? NULL : outermost_coroutine(program, stack);
	int descriptors[CONNECTIONS_MOST];
	uint64_t found = 0;
	size_t count = 0;

	if (frame)
		count = where_descriptors(program, frame, descriptors,
					  CONNECTIONS_MOST);
	for (size_t i = 0; i < count; i++) {
		uint64_t request = sockets_request(program, descriptors[i]);

		if (request && found)
			return;
		if (request)
			found = request;
	}
	if (found)
		call->event.request = found;
}
