/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sources of a program's frames are those of where.c. What a source
 * complains of is printed at the next walk. */
#include "tracer/report/statements.h"

#include "stacks/source.h"
#include "tracer/report/findings.h"

bool
statements_text(struct program *program, const struct regs *regs,
		const struct statement *statement,
		struct statement_text *ret_text)
{
	return sources_statement(findings_sources(program), &program->modules,
				 program_memory(program), regs, statement,
				 ret_text);
}

bool
statements_query(struct program *program, const struct regs *regs,
		 struct arena *arena, struct statement_query *ret_query)
{
	return sources_query(findings_sources(program), &program->modules,
			     program_memory(program), regs, arena, ret_query);
}

void
statements_coroutines(struct program *program, const struct regs *regs,
		      struct arena *arena, struct statement_queries *queries)
{
	sources_coroutines(findings_sources(program), &program->modules,
			   program_memory(program), regs, arena, queries);
}

bool
statements_coroutine_text(struct program *program, const struct regs *regs,
			  const struct stack *coroutine,
			  const struct statement *statement,
			  struct statement_text *ret_text)
{
	return sources_coroutine_statement(findings_sources(program), coroutine,
					   regs, statement, ret_text);
}
