/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tracee's memory at the module's place may already be another mapping, so
 * nothing is written there. */
#include "tracer/loader/drop.h"

#include "tracer/plan/plan.h"

/* Drops what was to be planted for a module, and inside it for other
 * modules. */
static void
drop_pending(struct program *program, const struct module *module)
{
	for (size_t i = program->planned->pending.count; i-- > 0;) {
		const struct planting *planting =
			&program->planned->pending.at[i];
		const struct tracepoint *tracepoint = planting->user;

		if (tracepoint->plan == module->user ||
		    planting->address - module->start <
			    module->end - module->start)
			vec_remove(&program->planned->pending, i);
	}
}

void
program_drop_module(struct program *program, struct module *module)
{
	struct plan *plan = module->user;

	/* If the place for injected system calls was in the module, another
	 * one is needed. */
	if (program->scratch - module->start < module->end - module->start)
		program->scratch = 0;
	drop_pending(program, module);
	slots_forget_slack(&program->sites.slots, module->start, module->end);
	sites_forget(&program->sites, module->start, module->end, NULL, NULL);
	semaphores_forget(&program->semaphores, module->start, module->end);
	modmap_remove(&program->modules, module);
	plan_unref(plan);
}
