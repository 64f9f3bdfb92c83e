/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a prepared statement, as the driver of the script has it
 * (stacks/statement.h). */
#ifndef TRACER_REPORT_STATEMENTS_H
#define TRACER_REPORT_STATEMENTS_H

#include "arch/regs.h"
#include "stacks/statement.h"
#include "tracer/model/session.h"

#include <stdbool.h>

/* Stores the text of the statement that a thread with these registers executes;
 * the thread is stopped, or blocks. Returns false if the text is not known. */
bool statements_text(struct program *program, const struct regs *regs,
		     const struct statement *statement,
		     struct statement_text *ret_text);

/* Stores the query for whose answer a thread with these registers waits; the
 * thread blocks. Returns false if the query is not known, or if the thread
 * waits for something else. */
bool statements_query(struct program *program, const struct regs *regs,
		      struct arena *arena, struct statement_query *ret_query);

/* Adds the queries whose answers coroutines of a thread with these registers
 * await. */
void statements_coroutines(struct program *program, const struct regs *regs,
			   struct arena *arena,
			   struct statement_queries *queries);

/* Does the same as statements_text(), for a statement that a coroutine
 * executes. statements_coroutines() has found the coroutine, and the thread has
 * not run since. */
bool statements_coroutine_text(struct program *program, const struct regs *regs,
			       const struct stack *coroutine,
			       const struct statement *statement,
			       struct statement_text *ret_text);

#endif
