/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of the statement that Python's drivers psycopg 3 and asyncpg
 * execute, and the query for whose answer PyMySQL, psycopg 3 and pg8000
 * wait. */
#ifndef STACKS_PYTHON_STATEMENT_H
#define STACKS_PYTHON_STATEMENT_H

#include "stacks/python_objects.h"
#include "stacks/stack.h"

/* Looks for the text of the statement in the frame. */
bool python_statement(struct python_memory *memory, const struct frame *frame,
		      const struct statement *statement, struct arena *arena,
		      struct statement_text *ret_text);

/* Looks for the query for whose answer the thread with these frames waits. */
bool python_query(struct python_memory *memory, const struct stack *stack,
		  struct statement_query *ret_query);

#endif
