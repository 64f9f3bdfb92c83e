/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statements of Ruby's libraries: ActiveRecord and Sequel, with pg and
 * mysql2. */
#ifndef STACKS_RUBY_STATEMENT_H
#define STACKS_RUBY_STATEMENT_H

#include "stacks/ruby_names.h"
#include "stacks/stack.h"
#include "stacks/statement.h"

struct ruby_memory {
	struct peek *peek;
	const struct ruby_layout *layout;
	struct ruby_names *names;
};

/* Looks for the text of the statement in the frames. */
bool ruby_statement(struct ruby_memory *memory, const struct stack *stack,
		    const struct statement *statement,
		    struct statement_text *ret_text);

#endif
