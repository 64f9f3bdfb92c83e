/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of the statement that PHP's PDO executes, and the query for whose
 * answer mysqli and PDO wait. */
#ifndef STACKS_PHP_STATEMENT_H
#define STACKS_PHP_STATEMENT_H

#include "stacks/peek.h"
#include "stacks/stack.h"
#include "stacks/statement.h"

/* Looks for the text of the statement at the innermost frame. */
bool php_statement(struct peek *peek, const struct stack *stack,
		   const struct statement *statement,
		   struct statement_text *ret_text);

/* Looks for the query for whose answer the innermost frame waits. */
bool php_query(struct peek *peek, const struct stack *stack,
	       struct statement_query *ret_query);

#endif
