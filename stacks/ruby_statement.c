/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pg and mysql2 keep no texts, but the libraries above them have the text in a
 * local variable of the method that executes the statement. The method is known
 * by its file and name; a block of it leads to its environment.
 *
 * The text is used only if it is that of the executed statement:
 *
 *	pg	another variable of the method has the statement's name
 *	mysql2	self of an inner frame is the object with the MYSQL_STMT, and
 *		between this frame and the method's there are only frames of
 *		these libraries
 *
 * The variables of a method are below ep, behind three words of the frame's
 * own; they are on the thread's stack behind the object that the method was
 * called for (self), or in an environment in the heap:
 *
 *	control frame	{ iseq 16, self 24, ep 32 }
 *	iseq		{ body 16 }
 *	body		{ base_label 72, local_table: 24 before local_iseq }
 *	ep		{ the block's outer ep, or other things -8, flags 0,
 *			  the environment 8 }
 *	environment	{ ep 16, variables 24 }
 *	data object	{ data's type 16, data 32 }
 *	data's type	{ name 0 }
 *
 * A query for whose answer pg waits is the first argument of its method, which
 * is a function of C: the arguments are where the variables of a method are. A
 * query for whose answer mysql2 waits is in a local variable of its method,
 * which is written in Ruby.
 */
#include "stacks/ruby_statement.h"

#include <string.h>

#define FRAME_ISEQ 16
#define FRAME_SELF 24
#define FRAME_EP 32
#define ISEQ_BODY 16
#define BODY_NAME 72
#define TABLE_BEFORE 24
#define ENVIRONMENT_EP 16
#define ENVIRONMENT_VARIABLES 24
#define OWN_WORDS 3

#define FLAG_LOCAL 0x2u
#define FLAG_ESCAPED 0x4u
#define BLOCKS_MOST 16u
#define VARIABLES_MOST 64u
#define NAME_MOST 64u

#define TYPE_DATA 0x0cu
#define DATA_TYPE 16
#define DATA 32
#define DATA_WORDS 4u

struct statement_method {
	const char *file, *method;
	/* The variable with the statement's name; NULL: the statement is
	 * mysql2's. */
	const char *name;
};

/* The methods that execute prepared statements. In each of them the variable
 * `sql` has the text. */
static const struct statement_method rules[] = {
	/* the methods of ActiveRecord 5 to 7.1, of 7.2, and of 8 */
	{ "/active_record/connection_adapters/postgresql", "exec_cache",
	  "stmt_key" },
	{ "/active_record/connection_adapters/postgresql", "perform_query",
	  "stmt_key" },
	{ "/active_record/connection_adapters/", "exec_stmt_and_free", NULL },
	{ "/active_record/connection_adapters/mysql2", "perform_query", NULL },
	{ "/sequel/adapters/postgres.rb", "execute_prepared_statement",
	  "ps_name" },
	{ "/sequel/adapters/mysql2.rb", "execute_prepared_statement", NULL },
};

/* Libraries whose frames may be between the method and the execution of
 * mysql2's statement. */
static const char *const libraries[] = { "/mysql2/", "/active_record/",
					 "/active_support/", "/sequel/",
					 "/monitor.rb" };

/* The variables of a method that runs. */
struct variables {
	addr_t first; /* the address of the first variable */
	addr_t names; /* the address of the variables' IDs */
	size_t count;
};

static addr_t
body_of_method(struct ruby_memory *memory, addr_t frame)
{
	const struct ruby_layout *layout = memory->layout;
	addr_t iseq = peek_u64(memory->peek, frame + FRAME_ISEQ);
	addr_t body = peek_u64(memory->peek, iseq + ISEQ_BODY);

	iseq = peek_u64(memory->peek, body + layout->local_iseq);
	return iseq ? peek_u64(memory->peek, iseq + ISEQ_BODY) : 0;
}

static addr_t
ep_of_method(struct ruby_memory *memory, addr_t frame)
{
	addr_t ep = peek_u64(memory->peek, frame + FRAME_EP);

	for (unsigned i = 0; i < BLOCKS_MOST && !memory->peek->fault; i++) {
		if (peek_u64(memory->peek, ep) & FLAG_LOCAL)
			return ep;
		ep = peek_u64(memory->peek, ep - 8) & ~UINT64_C(3);
	}
	return 0;
}

/* The variables on the stack begin behind self. */
static size_t
count_on_stack(struct ruby_memory *memory, addr_t ep, addr_t self)
{
	for (size_t i = 0; i <= VARIABLES_MOST && !memory->peek->fault; i++) {
		if (peek_u64(memory->peek, ep - 8 * (OWN_WORDS + i)) == self)
			return i;
	}
	return 0;
}

static size_t
count_in_heap(struct ruby_memory *memory, addr_t ep)
{
	addr_t environment = peek_u64(memory->peek, ep + 8);
	addr_t first =
		peek_u64(memory->peek, environment + ENVIRONMENT_VARIABLES);

	if (peek_u64(memory->peek, environment + ENVIRONMENT_EP) != ep ||
	    first >= ep || (ep - first) % 8 || (ep - first) / 8 < OWN_WORDS)
		return 0;
	return (ep - first) / 8 - (OWN_WORDS - 1);
}

static bool
find_variables(struct ruby_memory *memory, addr_t frame, addr_t body,
	       struct variables *ret_variables)
{
	addr_t self = peek_u64(memory->peek, frame + FRAME_SELF);
	addr_t ep = ep_of_method(memory, frame);
	bool escaped = ep && peek_u64(memory->peek, ep) & FLAG_ESCAPED;
	size_t count = 0;

	if (ep)
		count = escaped ? count_in_heap(memory, ep)
				: count_on_stack(memory, ep, self);
	if (count > VARIABLES_MOST)
		return false;
	ret_variables->count = count;
	ret_variables->first = ep - 8 * (OWN_WORDS - 1 + count);
	ret_variables->names =
		peek_u64(memory->peek,
			 body + memory->layout->local_iseq - TABLE_BEFORE);
	return count > 0 && !memory->peek->fault;
}

/* The String in the variable of that name, or 0. */
static addr_t
string_named(struct ruby_memory *memory, const struct variables *variables,
	     const char *name)
{
	for (size_t i = 0; i < variables->count && !memory->peek->fault; i++) {
		uint64_t id = peek_u64(memory->peek, variables->names + 8 * i);
		const char *found = ruby_name(memory->peek, memory->layout,
					      memory->names, id);
		addr_t value;

		if (!found || strcmp(found, name) != 0)
			continue;
		value = peek_u64(memory->peek, variables->first + 8 * i);
		return value && value % 8 == 0 &&
				       ruby_type(memory->peek, value) ==
					       RUBY_STRING
			       ? value
			       : 0;
	}
	return 0;
}

static bool
equals(struct ruby_memory *memory, addr_t string, const char *text)
{
	return string &&
	       ruby_equals(memory->peek, memory->layout, string, text);
}

/* Is the frame's self the object of mysql2 that has this MYSQL_STMT? */
static bool
executes(struct ruby_memory *memory, addr_t frame, addr_t handle)
{
	addr_t self = peek_u64(memory->peek, frame + FRAME_SELF), data = 0;
	bool found = false;

	if (self && self % 8 == 0 &&
	    (unsigned)ruby_type(memory->peek, self) == TYPE_DATA)
		data = peek_u64(memory->peek, self + DATA);
	for (unsigned i = 0; data && i < DATA_WORDS && !found; i++)
		found = peek_u64(memory->peek, data + 8 * i) == handle;
	return !peek_failed(memory->peek) && found;
}

static bool
in_library(const struct frame *frame)
{
	for (size_t i = 0; i < array_size(libraries); i++) {
		if (frame->file && strstr(frame->file, libraries[i]))
			return true;
	}
	return false;
}

static bool
is_method(struct ruby_memory *memory, const struct frame *frame, addr_t body,
	  const struct statement_method *rule)
{
	return strstr(frame->file, rule->file) &&
	       equals(memory, peek_u64(memory->peek, body + BODY_NAME),
		      rule->method);
}

/*
 * Stores the text if the frame is that of a method that executes the statement.
 * executed: self of an inner frame is the object of mysql2 that has the
 * MYSQL_STMT, and only frames of the libraries are between.
 */
static bool
in_frame(struct ruby_memory *memory, const struct frame *frame,
	 const struct statement *statement, bool executed, struct arena *arena,
	 struct statement_text *ret_text)
{
	addr_t body = body_of_method(memory, frame->at);
	struct variables variables;

	for (size_t i = 0; body && i < array_size(rules); i++) {
		const struct statement_method *rule = &rules[i];
		addr_t text;

		if ((rule->name ? !statement->name : !executed) ||
		    !is_method(memory, frame, body, rule) ||
		    !find_variables(memory, frame->at, body, &variables))
			continue;
		if (rule->name &&
		    !equals(memory,
			    string_named(memory, &variables, rule->name),
			    statement->name))
			continue;
		text = string_named(memory, &variables, "sql");
		return text &&
		       ruby_long_text(memory->peek, memory->layout, text,
				      STATEMENT_TEXT_MOST, arena, ret_text);
	}
	return false;
}

bool
ruby_statement(struct ruby_memory *memory, const struct stack *stack,
	       const struct statement *statement,
	       struct statement_text *ret_text)
{
	bool executed = false;

	for (size_t i = 0; i < stack->count; i++) {
		const struct frame *frame = &stack->at[i];
		bool found;

		if (statement->handle && !statement->name)
			executed = executes(memory, frame->at,
					    statement->handle) ||
				   (executed && in_library(frame));
		if (frame->at_call || !frame->file)
			continue;
		found = in_frame(memory, frame, statement, executed,
				 stack->arena, ret_text);
		if (!peek_failed(memory->peek) && found)
			return true;
	}
	return false;
}

/* ---- waiting for an answer ---- */

static const char *const pg_methods[] = {
	"exec",	       "async_exec",  "sync_exec",	   "query",
	"async_query", "exec_params", "async_exec_params", "sync_exec_params",
};

static bool
is_pg_method(const char *function)
{
	const char *last = function ? strrchr(function, '#') : NULL;

	if (last)
		function = last + 1;
	for (size_t i = 0; function && i < array_size(pg_methods); i++) {
		if (!strcmp(function, pg_methods[i]))
			return true;
	}
	return false;
}

/* Is the object a data object of this type? */
static bool
is_data(struct ruby_memory *memory, addr_t object, const char *type)
{
	struct peek *peek = memory->peek;
	char name[NAME_MOST];
	int whole = 0;

	return object && object % 8 == 0 &&
	       (unsigned)ruby_type(peek, object) == TYPE_DATA &&
	       reader_cstr(peek->memory,
			   peek_u64(peek, peek_u64(peek, object + DATA_TYPE)),
			   name, sizeof(name), &whole) >= 0 &&
	       whole && !strcmp(name, type);
}

/* Stores the query, if the frame is that of a method of PG::Connection: the
 * first argument. */
static bool
of_pg(struct ruby_memory *memory, const struct frame *frame,
      struct arena *arena, struct statement_text *ret_text)
{
	addr_t self = peek_u64(memory->peek, frame->at + FRAME_SELF);
	addr_t ep = peek_u64(memory->peek, frame->at + FRAME_EP), first;
	size_t count;

	if (!is_pg_method(frame->function) ||
	    !is_data(memory, self, "PG::Connection"))
		return false;
	count = count_on_stack(memory, ep, self);
	if (count == 0 || count > VARIABLES_MOST)
		return false;
	first = peek_u64(memory->peek, ep - 8 * (OWN_WORDS - 1 + count));
	return first && first % 8 == 0 &&
	       ruby_type(memory->peek, first) == RUBY_STRING &&
	       ruby_long_text(memory->peek, memory->layout, first,
			      STATEMENT_TEXT_MOST, arena, ret_text);
}

static bool
of_mysql2(struct ruby_memory *memory, const struct frame *frame,
	  struct arena *arena, struct statement_text *ret_text)
{
	static const struct statement_method method = { "/mysql2/client.rb",
							"query", NULL };
	addr_t body = body_of_method(memory, frame->at), text;
	struct variables variables;

	if (!frame->file || !body || !is_method(memory, frame, body, &method) ||
	    !find_variables(memory, frame->at, body, &variables))
		return false;
	text = string_named(memory, &variables, "sql");
	return text && ruby_long_text(memory->peek, memory->layout, text,
				      STATEMENT_TEXT_MOST, arena, ret_text);
}

bool
ruby_query(struct ruby_memory *memory, const struct stack *stack,
	   struct statement_query *ret_query)
{
	for (size_t i = 0; i < stack->count; i++) {
		const struct frame *frame = &stack->at[i];
		bool found;

		if (frame->at_call) {
			ret_query->server = STATEMENT_POSTGRESQL;
			found = of_pg(memory, frame, stack->arena,
				      &ret_query->text);
		} else {
			if (frame->file && !in_library(frame))
				return false;
			ret_query->server = STATEMENT_MYSQL;
			found = of_mysql2(memory, frame, stack->arena,
					  &ret_query->text);
		}
		if (!peek_failed(memory->peek) && found)
			return true;
	}
	return false;
}
