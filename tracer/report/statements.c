/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sources of a program's frames are those of where.c. What a source
 * complains of is printed at the next walk. */
#include "tracer/report/statements.h"

#include "arch/regs.h"
#include "process/regs.h"
#include "stacks/source.h"
#include "tracer/report/findings.h"

bool
statements_text(struct program *program, struct thread_record *record,
		addr_t at, const struct statement *statement,
		struct statement_text *ret_text)
{
	const struct regs *regs =
		thread_regs(&program->session->table, record->thread);
	struct regs here;

	if (!regs)
		return false;
	here = *regs;
	if (at)
		regs_set_pc(&here, at);
	if (!program->findings->sources)
		program->findings->sources = sources_new();
	return sources_statement(program->findings->sources, &program->modules,
				 program_memory(program), &here, statement,
				 ret_text);
}
