/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that have no symbol, but are pointed to by one: the members of an
 * exported table of functions. What the table holds is looked at when its
 * module is relocated; where it holds nothing yet, for it is filled by the
 * program's own code, it is looked at again whenever a function of some set is
 * called or a module comes, until it does. PHP's tables of functions and
 * classes are such tables, that are read by name; they are filled when its
 * extensions have been loaded, and a silent site is where they are by then.
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

/* Has the plan of the module a site for it already? */
static bool
is_planned(const struct wish *wish, const struct probe *probe, addr_t target)
{
	const struct site *site = sites_find(&wish->program->sites, target);

	for (const struct traced *t = site ? site->user : NULL; t;
	     t = t->next) {
		if (t->probe == probe)
			return true;
	}
	return false;
}

static void
wish_target(struct wish *wish, const struct probe *probe, const char *name,
	    addr_t target)
{
	const struct module *module =
		modmap_covering(&wish->program->modules, target);
	struct traced *traced;

	if (is_planned(wish, probe, target))
		return;
	debug("%s is at %#" PRIxADDR, name, target);
	traced = traced_new(wish, TRACED_ENTRY, name,
			    image_label(module->image), target);
	traced_take_probe(traced, probe);
	wish_for(wish, traced);
}

/* ---- tables that a symbol is of ----------------------------------------- */

static void
wish_pointed(struct wish *wish, const struct probe *probe)
{
	struct program *program = wish->program;
	const struct symbol *symbol =
		symtab_find(wish->module->image, SYMTAB_DYNAMIC, probe->symbol);
	uint64_t target = 0;

	if (!symbol || symbol->kind != SYMBOL_DATA)
		return;
	if (reader_u64(program_memory(program),
		       wish->module->bias + symbol->address + probe->offset,
		       &target) == 0 &&
	    is_code(program, target))
		wish_target(wish, probe, probe->name, target);
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

/* False: there is no PHP in the module. */
static bool
find_php(struct wish *wish, struct php_names *ret_names)
{
	struct program *program = wish->program;

	*ret_names = (struct php_names){
		.memory = program_memory(program),
		.globals = address_of(wish->module, "executor_globals",
				      SYMBOL_DATA),
		.registry = address_of(wish->module, "module_registry",
				       SYMBOL_DATA),
		.is_code = is_code_of,
		.user = program,
	};
	return ret_names->globals && ret_names->registry;
}

/* Called for each request, when the tables have been filled. */
static void
wish_filled(struct wish *wish)
{
	addr_t at = address_of(wish->module, "zend_activate_modules",
			       SYMBOL_FUNCTION);

	if (at)
		wish_for(wish, traced_new(wish, TRACED_FILLED,
					  "zend_activate_modules",
					  wish->label.label, at));
}

static void
say_no_php(struct session *session, const char *label)
{
	if (strmap_get(&session->said, "php"))
		return;
	strmap_put(&session->said, "php", session);
	say("%s: the functions of this PHP are not known, so probes of them "
	    "show nothing",
	    label);
}

/* False where the tables have not been filled yet. What is not in them then
 * belongs to an extension that is not there. */
static bool
wish_php(struct wish *wish)
{
	struct session *session = wish->program->session;
	struct php_names names;
	const struct probe *probe;
	addr_t target;

	if (!find_php(wish, &names))
		return true;
	for (size_t i = 0; (probe = sets_pointed(session->sets, i)); i++) {
		int r = probe->php ? php_names_find(&names, probe->php, &target)
				   : -ENOENT;

		if (r == 0)
			wish_target(wish, probe, probe->php, target);
		else if (r == -ENOTSUP)
			say_no_php(session, wish->label.label);
		else if (r == -EAGAIN)
			return false;
	}
	return true;
}

static void
wish_all_pointed(struct wish *wish)
{
	const struct probe *probe;

	for (size_t i = 0;
	     (probe = sets_pointed(wish->program->session->sets, i)); i++) {
		if (!probe->php)
			wish_pointed(wish, probe);
	}
}

void
plan_wish_pointed(struct wish *wish)
{
	if (!sets_pointed(wish->program->session->sets, 0))
		return;
	wish_all_pointed(wish);
	if (!wish_php(wish))
		wish_filled(wish);
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
		struct wish wish;

		if (!map->modules.at[i]->relocated)
			continue;
		wish_init(&wish, program, map->modules.at[i]);
		program->planned->filled &= wish_php(&wish);
		r = wish_plant(&wish, thread);
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
		struct wish wish;

		if (!map->modules.at[i]->relocated)
			continue;
		wish_init(&wish, program, map->modules.at[i]);
		wish_all_pointed(&wish);
		r = wish_plant(&wish, thread);
	}
	return r;
}
