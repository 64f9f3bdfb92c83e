/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A driver's method has the query in a local variable, or in a member of self.
 * Which connection it is, a frame further in tells:
 *
 *	asyncpg (0.20 to 0.30)	the method itself: self is a Connection with the
 *		member _transport, or has the member _connection, which is one,
 *		or a proxy with the member _con. What reads is an extension
 *		without frames.
 *	psycopg 3 (3.0 to 3.2)	wait_async() in psycopg/waiting.py: fileno
 *	aiomysql (0.1 to 0.3)	a method of a StreamReader in
 *		asyncio/streams.py: self has the attribute _transport
 *
 * A coroutine that waits for a lock, or for a free connection of a pool, has
 * none of these frames.
 */
#include "stacks/python_awaited.h"

#include "base/attr.h"
#include "stacks/python_dict.h"
#include "stacks/python_sockets.h"

#include <string.h>

#define DESCRIPTOR_MOST 0xfffff

struct awaiting_method {
	const char *file, *method, *variable;
	enum statement_server server;
	bool in_self; /* variable is a member of self */
};

#define PG STATEMENT_POSTGRESQL

static const struct awaiting_method methods[] = {
	{ "/asyncpg/connection.py", "execute", "query", PG, false },
	{ "/asyncpg/connection.py", "_do_execute", "query", PG, false },
	{ "/asyncpg/connection.py", "_get_statement", "query", PG, false },
	{ "/asyncpg/connection.py", "_copy_in", "copy_stmt", PG, false },
	{ "/asyncpg/connection.py", "_copy_out", "copy_stmt", PG, false },
	{ "/asyncpg/prepared_stmt.py", "__do_execute", "_query", PG, true },
	{ "/asyncpg/cursor.py", "_bind_exec", "_query", PG, true },
	{ "/asyncpg/cursor.py", "_bind", "_query", PG, true },
	{ "/asyncpg/cursor.py", "_exec", "_query", PG, true },
	{ "/psycopg/cursor_async.py", "execute", "query", PG, false },
	{ "/psycopg/cursor_async.py", "stream", "query", PG, false },
	{ "/psycopg/cursor_async.py", "copy", "statement", PG, false },
	{ "/aiomysql/connection.py", "query", "sql", STATEMENT_MYSQL, false },
};

/* Parts of the paths of files whose coroutines a method of a driver awaits. */
static const char *const inner[] = {
	"/asyncpg/",	       "/psycopg/",	    "/aiomysql/",
	"/asyncio/streams.py", "/asyncio/locks.py",
};

/* ---- the connection ---- */

static int
of_asyncpg(struct python_memory *memory, addr_t self)
{
	addr_t inside = python_member(memory, self, "_connection");

	if (inside)
		self = inside;
	inside = python_member(memory, self, "_con");
	if (inside)
		self = inside;
	return python_transport(memory,
				python_member(memory, self, "_transport"));
}

/* The descriptor of the connection, from a local variable of the frame; or
 * -1. */
static int
descriptor_in(struct python_memory *memory, const struct frame *frame)
{
	addr_t object;

	if (strstr(frame->file, "/psycopg/waiting.py")) {
		object = python_local_named(memory, frame->at, "fileno");
		return object ? python_small_int(memory, object,
						 DESCRIPTOR_MOST)
			      : -1;
	}
	object = python_local_named(memory, frame->at, "self");
	if (!object)
		return -1;
	if (strstr(frame->file, "/asyncio/streams.py"))
		return python_transport(memory, python_attribute(memory, object,
								 "_transport"));
	if (strstr(frame->file, "/asyncpg/"))
		return of_asyncpg(memory, object);
	return -1;
}

/* ---- the query ---- */

static bool
has_query(struct python_memory *memory, const struct frame *frame,
	  const struct awaiting_method *method, struct arena *arena,
	  struct statement_query *query)
{
	addr_t object;

	if (!strstr(frame->file, method->file) ||
	    strcmp(frame->function, method->method) != 0)
		return false;
	object =
		python_local_named(memory, frame->at,
				   method->in_self ? "self" : method->variable);
	if (method->in_self && object)
		object = python_member(memory, object, method->variable);
	query->server = method->server;
	return object && python_characters(memory, object, STATEMENT_TEXT_MOST,
					   arena, &query->text);
}

static bool
query_in(struct python_memory *memory, const struct frame *frame,
	 struct arena *arena, struct statement_query *query)
{
	for (size_t i = 0; i < array_size(methods); i++) {
		if (has_query(memory, frame, &methods[i], arena, query))
			return true;
	}
	return false;
}

bool
python_awaited(struct python_memory *memory, const struct stack *stack,
	       struct statement_query *ret_query)
{
	int descriptor = -1;

	for (size_t i = 0; i < stack->count; i++) {
		const struct frame *frame = &stack->at[i];

		if (!frame->function ||
		    !frame_in_file(frame, inner, array_size(inner)))
			return false;
		if (descriptor < 0)
			descriptor = descriptor_in(memory, frame);
		peek_failed(memory->peek);
		if (!query_in(memory, frame, stack->arena, ret_query))
			continue;
		ret_query->descriptor = descriptor;
		return !peek_failed(memory->peek) && descriptor >= 0 &&
		       ret_query->text.length > 0;
	}
	return false;
}
