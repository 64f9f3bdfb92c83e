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
	if (!program->findings->sources)
		program->findings->sources = sources_new();
	return sources_statement(program->findings->sources, &program->modules,
				 program_memory(program), regs, statement,
				 ret_text);
}
