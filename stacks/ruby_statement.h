/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of the statement that ActiveRecord and Sequel execute with pg and
 * mysql2, and the query for whose answer pg and mysql2 wait. */
#ifndef STACKS_RUBY_STATEMENT_H
#define STACKS_RUBY_STATEMENT_H

#include "stacks/ruby_names.h"
#include "stacks/stack.h"
#include "stacks/statement.h"

/* Looks for the text of the statement in the frames. */
bool ruby_statement(struct ruby_memory *memory, const struct stack *stack,
		    const struct statement *statement,
		    struct statement_text *ret_text);

/* Looks for the query for whose answer the thread with these frames waits. */
bool ruby_query(struct ruby_memory *memory, const struct stack *stack,
		struct statement_query *ret_query);

#endif
