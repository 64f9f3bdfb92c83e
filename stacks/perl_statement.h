/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of the statement that Perl's DBI executes. */
#ifndef STACKS_PERL_STATEMENT_H
#define STACKS_PERL_STATEMENT_H

#include "stacks/peek.h"
#include "stacks/statement.h"

/* Looks for the text of the statement at the handles on Perl's argument stack,
 * which begins at base and whose last value is at top. */
bool perl_statement(struct peek *peek, addr_t base, addr_t top,
		    const struct statement *statement, struct arena *arena,
		    struct statement_text *ret_text);

/* Stores the text of the last handle, if a method of DBI runs. */
bool perl_query(struct peek *peek, addr_t base, addr_t top, struct arena *arena,
		struct statement_query *ret_query);

#endif
