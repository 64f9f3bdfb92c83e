/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * psycopg 3 (3.0 to 3.2, psycopg/_cursor_base.py or cursor.py): the method that
 * sends has the name and the query, as the server got it, in its arguments.
 *
 *	_send_query_prepared(self, name: bytes, pgq: PostgresQuery)
 *							pgq.query: bytes
 *							pgq.types: tuple of OIDs
 *
 * In a pipeline, psycopg sends the query later, when this method has returned.
 * Then self of another frame leads to the connection (its slot or attribute
 * _conn), which keeps the names of the statements:
 *
 *	_prepared: PrepareManager	_names: OrderedDict, from a tuple of
 *					the query and its types to the name
 *
 * asyncpg (0.20 to 0.30, asyncpg/protocol/prepared_stmt.pxd): its frames have
 * the state of the statement in an argument, or in self as the member _state.
 * That is an object of an extension, whose first members are the name and the
 * query, behind the pointer to its methods.
 *
 * While a driver's method waits for the answer, its query is in an argument or
 * a local variable. Between the method and the innermost frame there is only
 * code of the driver, and of Python's modules that read and wait.
 */
#include "stacks/python_statement.h"

#include "base/attr.h"
#include "stacks/python_dict.h"

#include <limits.h>
#include <string.h>

/* An object's head; the members of an object begin behind it. */
#define HEAD 16
#define STATE "PreparedStatementState"
/* The name is at one of these offsets in the state of a statement. */
#define NAME_FIRST (HEAD + 8)
#define NAME_LAST (HEAD + 24)
#define STATE_SIZE_MOST 1024u
#define TUPLE_SIZE 16
#define TUPLE_ITEMS 24
#define TYPES_MOST 4096u

/* Stores the types of the parameters; none if they make no sense. */
static void
read_types(struct python_memory *memory, addr_t tuple, struct arena *arena,
	   struct statement_text *text)
{
	uint64_t count;
	uint32_t *types;

	if (!tuple || !python_is(memory, tuple, "tuple"))
		return;
	count = peek_u64(memory->peek, tuple + TUPLE_SIZE);
	if (memory->peek->fault || count == 0 || count > TYPES_MOST)
		return;
	types = arena_alloc(arena, count * sizeof(*types));
	for (uint64_t i = 0; i < count; i++) {
		addr_t item =
			peek_u64(memory->peek, tuple + TUPLE_ITEMS + 8 * i);
		int type = python_small_int(memory, item, INT_MAX);

		if (memory->peek->fault || type < 0)
			return;
		types[i] = (uint32_t)type;
	}
	text->types = types;
	text->type_count = count;
}

/* The value of the object's slot with this name, or else of its attribute; 0 if
 * it has neither. */
static addr_t
slot_or_attribute(struct python_memory *memory, addr_t object, const char *name)
{
	addr_t found = object ? python_member(memory, object, name) : 0;

	if (peek_failed(memory->peek))
		return 0;
	if (!found && object)
		found = python_attribute(memory, object, name);
	return peek_failed(memory->peek) ? 0 : found;
}

/* Looks for the statement's name among the names that the connection keeps;
 * self of the frame leads to the connection. */
static bool
kept_by_psycopg(struct python_memory *memory, const struct frame *frame,
		const struct statement *statement, struct arena *arena,
		struct statement_text *ret_text)
{
	addr_t self = python_local_named(memory, frame->at, "self"), key;

	if (memory->layout->version != PYTHON_DICT_VERSION || !self)
		return false;
	self = slot_or_attribute(memory, self, "_conn");
	self = slot_or_attribute(memory, self, "_prepared");
	self = slot_or_attribute(memory, self, "_names");
	key = self ? python_dict_key(memory, self, statement->name) : 0;
	if (!key || !python_is(memory, key, "tuple") ||
	    peek_u64(memory->peek, key + TUPLE_SIZE) != 2 ||
	    !python_characters(memory,
			       peek_u64(memory->peek, key + TUPLE_ITEMS),
			       STATEMENT_TEXT_MOST, arena, ret_text))
		return false;
	read_types(memory, peek_u64(memory->peek, key + TUPLE_ITEMS + 8), arena,
		   ret_text);
	return true;
}

static bool
of_psycopg(struct python_memory *memory, const struct frame *frame,
	   const struct statement *statement, struct arena *arena,
	   struct statement_text *ret_text)
{
	addr_t query = 0;

	if (strcmp(frame->function, "_send_query_prepared") != 0)
		return kept_by_psycopg(memory, frame, statement, arena,
				       ret_text);
	if (python_equals(memory, python_local_named(memory, frame->at, "name"),
			  statement->name))
		query = python_local_named(memory, frame->at, "pgq");
	if (!query ||
	    !python_characters(memory, python_member(memory, query, "query"),
			       STATEMENT_TEXT_MOST, arena, ret_text))
		return false;
	read_types(memory, python_member(memory, query, "types"), arena,
		   ret_text);
	return true;
}

static bool
of_state(struct python_memory *memory, addr_t state,
	 const struct statement *statement, struct arena *arena,
	 struct statement_text *ret_text)
{
	uint64_t size = python_size(memory, state);

	if (size > STATE_SIZE_MOST)
		return false;
	for (uint64_t at = NAME_FIRST; at <= NAME_LAST && at + 16 <= size;
	     at += 8) {
		addr_t name = peek_u64(memory->peek, state + at);

		if (python_is(memory, name, "str") &&
		    python_equals(memory, name, statement->name))
			return python_characters(
				memory, peek_u64(memory->peek, state + at + 8),
				STATEMENT_TEXT_MOST, arena, ret_text);
	}
	return false;
}

static bool
of_asyncpg(struct python_memory *memory, const struct frame *frame,
	   const struct statement *statement, struct arena *arena,
	   struct statement_text *ret_text)
{
	size_t count = python_local_count(memory, frame->at);
	addr_t self = python_local_named(memory, frame->at, "self");
	addr_t state = self ? python_member(memory, self, "_state") : 0;

	if (python_is(memory, state, STATE) &&
	    of_state(memory, state, statement, arena, ret_text))
		return true;
	for (size_t i = 0; i < count && !memory->peek->fault; i++) {
		state = python_local(memory, frame->at, i);
		if (python_is(memory, state, STATE) &&
		    of_state(memory, state, statement, arena, ret_text))
			return true;
	}
	return false;
}

bool
python_statement(struct python_memory *memory, const struct frame *frame,
		 const struct statement *statement, struct arena *arena,
		 struct statement_text *ret_text)
{
	bool found = false;

	if (!statement->name || !frame->file || !frame->function)
		return false;
	if (strstr(frame->file, "/psycopg/"))
		found = of_psycopg(memory, frame, statement, arena, ret_text);
	else if (strstr(frame->file, "/asyncpg/"))
		found = of_asyncpg(memory, frame, statement, arena, ret_text);
	return !peek_failed(memory->peek) && found;
}

/* ---- waiting for an answer ---- */

struct query_method {
	const char *file, *method, *variable;
	enum statement_server server;
};

static const struct query_method methods[] = {
	{ "/pymysql/connections.py", "query", "sql", STATEMENT_MYSQL },
	{ "/psycopg/cursor.py", "execute", "query", STATEMENT_POSTGRESQL },
	{ "/psycopg/cursor.py", "stream", "query", STATEMENT_POSTGRESQL },
	{ "/psycopg/cursor.py", "copy", "statement", STATEMENT_POSTGRESQL },
	{ "/pg8000/core.py", "execute", "statement", STATEMENT_POSTGRESQL },
	{ "/pg8000/core.py", "execute", "operation", STATEMENT_POSTGRESQL },
};

/* Files of a driver or of Python itself whose frames may be between a driver's
 * method and the innermost frame. */
static const char *const inner[] = { "/pymysql/",  "/psycopg/",	    "/pg8000/",
				     "/socket.py", "/selectors.py", "/ssl.py" };

bool
python_query(struct python_memory *memory, const struct stack *stack,
	     struct statement_query *ret_query)
{
	for (size_t i = 0; i < stack->count; i++) {
		const struct frame *frame = &stack->at[i];

		if (!frame->function ||
		    !frame_in_file(frame, inner, array_size(inner)))
			return false;
		for (size_t k = 0; k < array_size(methods); k++) {
			const struct query_method *method = &methods[k];
			bool found =
				strstr(frame->file, method->file) &&
				!strcmp(frame->function, method->method) &&
				python_characters(
					memory,
					python_local_named(memory, frame->at,
							   method->variable),
					STATEMENT_TEXT_MOST, stack->arena,
					&ret_query->text);

			ret_query->server = method->server;
			if (!peek_failed(memory->peek) && found)
				return true;
		}
	}
	return false;
}
