/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that have no symbol, but are pointed to by one: the members of an
 * exported table of functions. What the table holds is looked at when its
 * module is relocated; where it holds nothing yet, for it is filled by the
 * program's own code, it is looked at again whenever a function of some set is
 * called or a module comes, until it does.
 */
#include "tracer/plan_parts.h"

#include "base/log.h"
#include "conf/probe.h"
#include "tracer/plan.h"
#include "tracer/sets.h"

#define debug(...) debug_of(LOG_TRACER, __VA_ARGS__)

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
wish_target(struct wish *wish, const struct probe *probe, addr_t target)
{
	const struct module *module =
		modmap_covering(&wish->program->modules, target);
	struct traced *traced;

	if (is_planned(wish, probe, target))
		return;
	debug("%s: %s+%zu points to %#" PRIxADDR, probe->name, probe->symbol,
	      probe->offset, target);
	traced = traced_new(wish, TRACED_ENTRY, probe->name,
			    image_label(module->image), target);
	traced->probe = probe;
	traced->proto = probe->proto;
	traced->proto_known = true;
	wish_for(wish, traced);
}

void
plan_wish_pointed(struct wish *wish)
{
	struct program *program = wish->program;
	const struct sets *sets = program->session->sets;
	const struct probe *probe;

	for (size_t i = 0; (probe = sets_pointed(sets, i)); i++) {
		const struct symbol *symbol =
			symtab_find(wish->module->image, SYMTAB_DYNAMIC,
				    probe->symbol);
		uint64_t target = 0;

		if (!symbol || symbol->kind != SYMBOL_DATA)
			continue;
		if (reader_u64(program_memory(program),
			       wish->module->bias + symbol->address +
				       probe->offset,
			       &target) == 0 &&
		    is_code(program, target))
			wish_target(wish, probe, target);
		else
			program->pointed_open = true;
	}
}

int
plan_pointed_again(struct program *program, struct thread *thread)
{
	struct modmap *map = &program->modules;
	int r = 0;

	if (!program->pointed_open)
		return 0;
	program->pointed_open = false;
	for (size_t i = 0; i < map->modules.count && r == 0; i++) {
		struct wish wish;

		if (!map->modules.at[i]->relocated)
			continue;
		wish_init(&wish, program, map->modules.at[i]);
		plan_wish_pointed(&wish);
		r = wish_plant(&wish, thread);
	}
	return r;
}
