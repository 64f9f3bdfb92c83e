/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -x: every function that a filter selects, in .symtab and .dynsym. Several
 * names at one address are one site; the best of the selected names is shown.
 * The number of a module's symbols matters only for filters with patterns;
 * plain names are looked up.
 *
 * The address of an IFUNC is the address of its resolver. The function that the
 * resolver selected is stored in a relocated GOT word, or the resolver returns
 * it, and a silent site watches that return.
 */
#include "tracer/plan/plan_parts.h"

#include "conf/filter/tampering.h"
#include "symbols/demangle.h"
#include "symbols/plt.h"
#include "tracer/plan/naming.h"
#include "tracer/plan/plan.h"

#include <stdlib.h>
#include <string.h>

struct asked_symbol {
	struct filter_symbol filter;
	char *demangled;
	bool tried;
};

static const char *
demangled_for_filter(const struct filter_symbol *symbol)
{
	struct asked_symbol *asked = symbol->user;

	if (!asked->tried)
		asked->demangled = demangle(symbol->name);
	asked->tried = true;
	return asked->demangled;
}

bool
plan_chooses(const struct filter *filter, const struct filter_module *module,
	     const char *name, const char *version)
{
	struct asked_symbol asked = {
		.filter = { .name = name,
			    .version = version,
			    .demangled = demangled_for_filter },
	};
	bool yes;

	asked.filter.user = &asked;
	yes = filter_chooses(filter, module, &asked.filter);
	free(asked.demangled);
	return yes;
}

uint64_t
plan_tamperings(const struct session *session,
		const struct filter_module *module, const char *name,
		const char *version)
{
	const struct options *options = session->options;
	uint64_t found = 0;

	for (size_t i = 0; i < options->tamperings.count; i++) {
		if (plan_chooses(options->tamperings.at[i]->filter, module,
				 name, version))
			found |= UINT64_C(1) << i;
	}
	return found;
}

static bool
location_chosen(const struct batch *batch, const struct symbol *symbol)
{
	const struct session *session = batch->program->session;
	bool chosen = false;

	/* Every filter is asked, because each notes what it matches. */
	for (size_t i = 0; i < session->filters.count; i++)
		chosen |= plan_chooses(session->filters.at[i], &batch->label,
				       symbol->name, symbol->version);
	return chosen;
}

bool
plan_is_function(const struct symbol *symbol)
{
	return symbol->kind == SYMBOL_FUNCTION || symbol->kind == SYMBOL_IFUNC;
}

static uint64_t
tamperings_of(const struct batch *batch, const struct symbol *symbol)
{
	return plan_tamperings(batch->program->session, &batch->label,
			       symbol->name, symbol->version);
}

static void
add_symbol(struct batch *batch, const struct symbol *symbol)
{
	enum tracepoint_kind kind = symbol->kind == SYMBOL_IFUNC
					    ? TRACEPOINT_RESOLVER
					    : TRACEPOINT_ENTRY;

	struct tracepoint *tracepoint =
		tracepoint_new(batch, kind, symbol->name, batch->label.label,
			       batch->module->bias + symbol->address);

	if (kind == TRACEPOINT_ENTRY)
		tracepoint->tamperings = tamperings_of(batch, symbol);
	if (kind == TRACEPOINT_RESOLVER &&
	    batch->program->session->options->as_ltrace)
		naming_show_resolver(batch, tracepoint);
	batch_add(batch, tracepoint);
}

static void
note_ifunc(struct batch *batch, const struct symbol *symbol)
{
	if (symbol->kind == SYMBOL_IFUNC)
		batch->plan->ifuncs = true;
}

/* Patterns: tests every symbol; of several names at one address the first
 * selected name is used. */
static void
walk_symbols(struct batch *batch)
{
	const struct symtab *table =
		image_symtab(batch->module->image, SYMTAB_ALL);
	addr_t taken = UINT64_MAX;
	uint64_t tamperings;

	for (size_t i = 0; i < table->count; i++) {
		const struct symbol *symbol = &table->at[i];

		if (!plan_is_function(symbol) ||
		    !location_chosen(batch, symbol))
			continue;
		note_ifunc(batch, symbol);
		/* The filter of --inject may have another of the function's
		 * names. */
		tamperings = tamperings_of(batch, symbol);
		if (symbol->address == taken && !tamperings)
			continue;
		add_symbol(batch, symbol);
		taken = symbol->address;
	}
}

static bool
look_up_in(struct batch *batch, enum symtab_extent extent, const char *name)
{
	const struct symbol *symbol = NULL;
	bool any = false;

	/* All symbols of that name: versions, and static functions of several
	 * files. */
	while ((symbol = symtab_next(batch->module->image, extent, name,
				     symbol))) {
		if (!plan_is_function(symbol) ||
		    !location_chosen(batch, symbol))
			continue;
		note_ifunc(batch, symbol);
		add_symbol(batch, symbol);
		any = true;
	}
	return any;
}

/* The filter contains only plain names: they are looked up. */
static void
look_up_names(struct batch *batch, const struct filter *filter)
{
	bool only;
	const char *const *names = filter_plain_names(filter, &only);

	for (; *names; names++) {
		if (!symtab_may_have(batch->module->image, *names))
			continue;
		if (!look_up_in(batch, SYMTAB_DYNAMIC, *names))
			look_up_in(batch, SYMTAB_ALL, *names);
	}
}

/* How a filter's names are looked for among the symbols of this module. */
enum looking { LOOK_NOWHERE, LOOK_UP_NAMES, LOOK_AT_ALL };

static enum looking
looking_at(const struct batch *batch)
{
	const struct session *session = batch->program->session;
	enum looking looking = LOOK_NOWHERE;
	bool only;

	for (size_t i = 0; i < session->filters.count; i++) {
		const struct filter *filter = session->filters.at[i];

		if (!filter_wants_module(filter, &batch->label))
			continue;
		filter_plain_names(filter, &only);
		if (!only)
			return LOOK_AT_ALL;
		looking = LOOK_UP_NAMES;
	}
	return looking;
}

void
plan_add_functions(struct batch *batch)
{
	const struct session *session = batch->program->session;
	enum looking looking = looking_at(batch);

	if (looking == LOOK_AT_ALL)
		walk_symbols(batch);
	if (looking != LOOK_UP_NAMES)
		return;
	for (size_t i = 0; i < session->filters.count; i++) {
		const struct filter *filter = session->filters.at[i];

		if (filter_wants_module(filter, &batch->label))
			look_up_names(batch, filter);
	}
}

/* ---- IFUNCs -------------------------------------------------------------- */

/* The value of the import's word, if it is a function of this module. */
static bool
resolved_in(const struct batch *batch, const struct module *holder,
	    const struct import *import, addr_t *ret_target)
{
	addr_t target;

	if (reader_word(program_memory(batch->program),
			holder->bias + import->word,
			program_word(batch->program), &target) < 0)
		return false;
	if (target < batch->module->start || target >= batch->module->end)
		return false;
	*ret_target = target;
	return true;
}

void
plan_add_target(struct batch *batch, const char *name, addr_t target)
{
	struct tracepoint *tracepoint =
		tracepoint_new(batch, TRACEPOINT_ENTRY, name,
			       batch->label.label, target);

	tracepoint->of_ifunc = true;
	tracepoint->tamperings = plan_tamperings(batch->program->session,
						 &batch->label, name, NULL);
	batch_add(batch, tracepoint);
}

/* Has the module, or another module that imports the name, an import that was
 * filled by this resolver? */
static void
add_ifunc(struct batch *batch, const struct symbol *symbol)
{
	const struct modmap *map = &batch->program->modules;
	const struct plt *plt = image_imports(batch->module->image);
	addr_t target;

	for (size_t i = 0; i < plt->count; i++) {
		if (plt->at[i].kind == IMPORT_IRELATIVE &&
		    plt->at[i].resolver == symbol->address &&
		    resolved_in(batch, batch->module, &plt->at[i], &target)) {
			plan_add_target(batch, symbol->name, target);
			return;
		}
	}
	for (size_t m = 0; m < map->modules.count; m++) {
		struct module *holder = map->modules.at[m];

		if (!holder->relocated || holder == batch->module)
			continue;
		plt = image_imports(holder->image);
		for (size_t i = 0; i < plt->count; i++) {
			const struct import *import = &plt->at[i];

			if (import->name &&
			    !strcmp(import->name, symbol->name) &&
			    resolved_in(batch, holder, import, &target)) {
				plan_add_target(batch, symbol->name, target);
				return;
			}
		}
	}
}

static void
look_up_ifuncs(struct batch *batch, const struct filter *filter)
{
	bool only;
	const char *const *names = filter_plain_names(filter, &only);
	const struct symbol *symbol = NULL;

	for (; *names; names++)
		while ((symbol = symtab_next(batch->module->image,
					     SYMTAB_DYNAMIC, *names, symbol)))
			if (symbol->kind == SYMBOL_IFUNC &&
			    location_chosen(batch, symbol))
				add_ifunc(batch, symbol);
}

void
plan_add_ifuncs(struct batch *batch)
{
	const struct session *session = batch->program->session;
	enum looking looking = looking_at(batch);
	bool dynamic = batch->module->dynamic;
	const struct symtab *table;

	if (looking == LOOK_NOWHERE)
		return;
	/* A static program has its IFUNCs in .symtab only. */
	if (dynamic && looking == LOOK_UP_NAMES) {
		for (size_t i = 0; i < session->filters.count; i++)
			if (filter_wants_module(session->filters.at[i],
						&batch->label))
				look_up_ifuncs(batch, session->filters.at[i]);
		return;
	}
	table = image_symtab(batch->module->image, SYMTAB_ALL);
	for (size_t i = 0; i < table->count; i++) {
		const struct symbol *symbol = &table->at[i];

		if (symbol->kind == SYMBOL_IFUNC &&
		    (symbol->dynamic || !dynamic) &&
		    location_chosen(batch, symbol))
			add_ifunc(batch, symbol);
	}
}
