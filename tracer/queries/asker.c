/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	task	    execute() --> transport.write() --> suspended
 *	loop						 |	send(2)
 *	thread's stack	the task's frames		 |	run_forever()
 *
 * The loop of asyncio sends within transport.write(), unless the socket is
 * full. uvloop keeps the bytes until all tasks have run that can run. Then
 * a function of uvloop or of libuv sends them. By that time the task is
 * suspended in a method of its driver, whose connection has the descriptor.
 *
 * A driver sends one query at a time on a connection. If two tasks seem to
 * await an answer on it, neither is believed.
 */
#include "tracer/queries/asker.h"

#include "tracer/report/statements.h"

#include <string.h>

void
asker_release(struct asker *asker)
{
	if (asker->looked)
		arena_release(&asker->arena);
	*asker = (struct asker){ 0 };
}

bool
asker_needed(const struct program *program, addr_t caller)
{
	const struct module *module =
		modmap_covering(&program->modules, caller);

	if (!module)
		return false;
	return !strncmp(image_label(module->image), "libuv.so", 8) ||
	       (module->linked_as && strstr(module->linked_as, "/uvloop/"));
}

const struct stack *
asker_frames(struct asker *asker, struct program *program,
	     const struct regs *regs, uint64_t descriptor)
{
	struct statement_queries queries = { 0 };
	size_t found = 0;

	if (asker->looked)
		return asker->stack;
	asker->looked = true;
	arena_init(&asker->arena);
	statements_coroutines(program, regs, &asker->arena, &queries);
	for (size_t i = 0; i < queries.list.count; i++) {
		const struct statement_query *query = &queries.list.at[i];

		if (query->descriptor < 0 ||
		    (uint64_t)query->descriptor != descriptor)
			continue;
		asker->stack = query->stack;
		found++;
	}
	vec_release(&queries.list);
	if (found != 1)
		asker->stack = NULL;
	return asker->stack;
}
