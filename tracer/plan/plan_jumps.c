/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A return address may also be reached by a jump: the second return of a
 * setjmp, or the end of an exception's handler. The imports of a module tell
 * which of these may happen in it.
 */
#include "tracer/plan/plan_parts.h"

#include "symbols/plt.h"
#include "tracer/plan/plan.h"

#include <string.h>

/* ---- jumps -----------------------------------------------------------------
 */

static const char *const jumpers[] = { "longjmp", "_longjmp", "siglongjmp",
				       "__longjmp_chk" };

static uint8_t
import_reaches(const char *name)
{
	static const char *const setjmps[] = { "setjmp", "_setjmp", "sigsetjmp",
					       "__sigsetjmp", "getcontext" };

	if (!strcmp(name, "__cxa_begin_catch") ||
	    !strcmp(name, "_Unwind_Resume"))
		return REACHED_BY_CATCH;
	for (size_t i = 0; i < array_size(setjmps); i++) {
		if (!strcmp(name, setjmps[i]))
			return REACHED_BY_JUMP;
	}
	return 0;
}

static uint8_t
module_reaches(struct module *module)
{
	struct plan *plan = plan_of(module);
	const struct plt *plt;

	if (plan->reached_by_known)
		return plan->reached_by;
	plt = image_imports(module->image);
	for (size_t i = 0; i < plt->count; i++) {
		if (plt->at[i].name)
			plan->reached_by |= import_reaches(plt->at[i].name);
	}
	plan->reached_by_known = true;
	return plan->reached_by;
}

static int
watch_jumps_of(struct program *program, struct module *module,
	       struct thread *thread)
{
	struct batch batch;

	batch_init(&batch, program, module);
	for (size_t i = 0; i < array_size(jumpers); i++) {
		const struct symbol *symbol =
			symtab_find(module->image, SYMTAB_DYNAMIC, jumpers[i]);

		if (symbol && symbol->kind == SYMBOL_FUNCTION)
			batch_add(&batch,
				  tracepoint_new(&batch, TRACEPOINT_JUMP,
						 symbol->name, NULL,
						 module->bias +
							 symbol->address));
	}
	return batch_plant(&batch, thread);
}

uint8_t
plan_reached_by(struct program *program, addr_t address, struct thread *thread)
{
	struct module *module = modmap_covering(&program->modules, address);
	uint8_t reached_by = module ? module_reaches(module) : 0;
	const struct modmap *map = &program->modules;

	if (!(reached_by & REACHED_BY_JUMP) || program->planned->watches_jumps)
		return reached_by;
	program->planned->watches_jumps = true;
	for (size_t i = 0; i < map->modules.count; i++) {
		if (watch_jumps_of(program, map->modules.at[i], thread) < 0)
			break;
	}
	return reached_by;
}
