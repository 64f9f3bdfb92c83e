/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statements of PHP's PDO. */
#ifndef STACKS_PHP_STATEMENT_H
#define STACKS_PHP_STATEMENT_H

#include "stacks/peek.h"
#include "stacks/stack.h"
#include "stacks/statement.h"

/* Looks for the text of the statement at the innermost frame. */
bool php_statement(struct peek *peek, const struct stack *stack,
		   const struct statement *statement,
		   struct statement_text *ret_text);

#endif
