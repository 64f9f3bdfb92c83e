/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a prepared statement, as the driver of the script has it
 * (stacks/statement.h). */
#ifndef TRACER_REPORT_STATEMENTS_H
#define TRACER_REPORT_STATEMENTS_H

#include "stacks/statement.h"
#include "tracer/model/session.h"

#include <stdbool.h>

/*
 * Stores the text of the statement that the stopped thread executes. at is the
 * thread's pc if it is not the register's (it is in a slot), else 0. Returns
 * false if the text is not known.
 */
bool statements_text(struct program *program, struct thread_record *record,
		     addr_t at, const struct statement *statement,
		     struct statement_text *ret_text);

#endif
