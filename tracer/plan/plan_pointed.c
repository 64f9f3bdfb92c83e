/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions without a symbol that a table points to: the members of an exported
 * table of functions. The table is read when its module is relocated. If the
 * table is still empty because the program's own code fills it, it is read
 * again whenever a function of some set is called or a module is loaded, until
 * it is filled.
 *
 * PHP's tables of functions and classes are such tables, and they are searched
 * by name. They are filled when PHP has loaded its extensions. A silent site is
 * planted at a function that is called after that.
 */
#include "tracer/plan/plan_parts.h"

#include "base/log.h"
#include "conf/model/probe.h"
#include "stacks/php_names.h"
#include "tracer/model/say.h"
#include "tracer/plan/plan.h"
#include "tracer/plan/sets.h"

#include <errno.h>

static bool
is_code(const struct program *program, addr_t address)
{
	const struct module *module =
		modmap_covering(&program->modules, address);
	const struct segment *segments;
	size_t count;

	if (!module)
		return false;
	segments = image_segments(module->image, &count);
	for (size_t i = 0; i < count; i++) {
		if (address - module->bias - segments[i].address <
		    segments[i].size)
			return segments[i].executable;
	}
	return false;
}

/* Has the module's plan a site for the probe already? */
static bool
is_planned(const struct batch *batch, const struct probe *probe, addr_t target)
{
	const struct site *site = sites_find(&batch->program->sites, target);

	for (const struct tracepoint *t = site ? site->user : NULL; t;
	     t = t->next) {
		if (t->probe == probe)
			return true;
	}
	return false;
}

static void
add_target(struct batch *batch, const struct probe *probe, const char *name,
	   addr_t target)
{
	const struct module *module =
		modmap_covering(&batch->program->modules, target);
	struct tracepoint *tracepoint;

	if (is_planned(batch, probe, target))
		return;
	debug("%s is at %#" PRIxADDR, name, target);
	tracepoint = tracepoint_new(batch, TRACEPOINT_ENTRY, name,
				    image_label(module->image), target);
	tracepoint_take_probe(tracepoint, probe);
	batch_add(batch, tracepoint);
}

/* ---- tables that a symbol is of ----------------------------------------- */

static void
add_pointed(struct batch *batch, const struct probe *probe)
{
	struct program *program = batch->program;
	const struct symbol *symbol =
		symtab_find(batch->module->image, SYMTAB_DYNAMIC,
			    probe->symbol);
	uint64_t target = 0;

	if (!symbol || symbol->kind != SYMBOL_DATA)
		return;
	if (reader_word(program_memory(program),
			batch->module->bias + symbol->address + probe->offset,
			program_word(program), &target) == 0 &&
	    is_code(program, target))
		add_target(batch, probe, probe->name, target);
	else
		program->planned->pointed_open = true;
}

/* ---- PHP's -------------------------------------------------------------- */

static bool
is_code_of(void *user, addr_t address)
{
	return is_code(user, address);
}

static addr_t
address_of(const struct module *module, const char *name, enum symbol_kind kind)
{
	const struct symbol *symbol =
		symtab_find(module->image, SYMTAB_DYNAMIC, name);

	return symbol && symbol->kind == kind ? module->bias + symbol->address
					      : 0;
}

/* Returns false if the module contains no PHP. */
static bool
find_php(struct batch *batch, struct php_names *ret_names)
{
	struct program *program = batch->program;

	*ret_names = (struct php_names){
		.memory = program_memory(program),
		.globals = address_of(batch->module, "executor_globals",
				      SYMBOL_DATA),
		.registry = address_of(batch->module, "module_registry",
				       SYMBOL_DATA),
		.is_code = is_code_of,
		.user = program,
	};
	return ret_names->globals && ret_names->registry;
}

/* Plants at the function that PHP calls for each request, when the tables are
 * filled. */
static void
add_filled(struct batch *batch)
{
	addr_t at = address_of(batch->module, "zend_activate_modules",
			       SYMBOL_FUNCTION);

	if (at)
		batch_add(batch, tracepoint_new(batch, TRACEPOINT_FILLED,
						"zend_activate_modules",
						batch->label.label, at));
}

static void
say_no_php(struct session *session, const char *label)
{
	if (say_first(session, "php"))
		say("%s: the functions of this PHP are not known, so probes of "
		    "them show nothing",
		    label);
}

/* Returns false if the tables have not been filled yet. Once they are filled, a
 * function that is not in them belongs to an extension that is not loaded. */
static bool
add_php(struct batch *batch)
{
	struct session *session = batch->program->session;
	struct php_names names;
	const struct probe *probe;
	addr_t target;

	if (!find_php(batch, &names))
		return true;
	for (size_t i = 0; (probe = sets_pointed(session->sets, i)); i++) {
		int r = probe->php ? php_names_find(&names, probe->php, &target)
				   : -ENOENT;

		if (r == 0)
			add_target(batch, probe, probe->php, target);
		else if (r == -ENOTSUP)
			say_no_php(session, batch->label.label);
		else if (r == -EAGAIN)
			return false;
	}
	return true;
}

static void
add_all_pointed(struct batch *batch)
{
	const struct probe *probe;

	for (size_t i = 0;
	     (probe = sets_pointed(batch->program->session->sets, i)); i++) {
		if (!probe->php)
			add_pointed(batch, probe);
	}
}

void
plan_add_pointed(struct batch *batch)
{
	if (!sets_pointed(batch->program->session->sets, 0))
		return;
	add_all_pointed(batch);
	if (!add_php(batch))
		add_filled(batch);
}

/* ---- again -------------------------------------------------------------- */

int
plan_filled(struct program *program, struct thread *thread)
{
	struct modmap *map = &program->modules;
	int r = 0;

	if (program->planned->filled)
		return 0;
	program->planned->filled = true;
	for (size_t i = 0; i < map->modules.count && r == 0; i++) {
		struct batch batch;

		if (!map->modules.at[i]->relocated)
			continue;
		batch_init(&batch, program, map->modules.at[i]);
		program->planned->filled &= add_php(&batch);
		r = batch_plant(&batch, thread);
	}
	return r;
}

int
plan_pointed_again(struct program *program, struct thread *thread)
{
	struct modmap *map = &program->modules;
	int r = 0;

	if (!program->planned->pointed_open)
		return 0;
	program->planned->pointed_open = false;
	for (size_t i = 0; i < map->modules.count && r == 0; i++) {
		struct batch batch;

		if (!map->modules.at[i]->relocated)
			continue;
		batch_init(&batch, program, map->modules.at[i]);
		add_all_pointed(&batch);
		r = batch_plant(&batch, thread);
	}
	return r;
}
