/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -e, -l: the gates of the selected imports. If an import is called without a
 * gate (-fno-plt), the callee's entry is watched, for calls that return into
 * the caller.
 */
#include "tracer/plan/plan_parts.h"

#include "base/pattern.h"
#include "symbols/plt.h"
#include "tracer/plan/plan.h"

#include <string.h>

/*
 * The module that defines the import: the first module in the loader's order,
 * in the caller's namespace, that exports a function of that name.
 */
static struct module *
definer_of(const struct batch *batch, const char *name,
	   const struct symbol **ret_symbol)
{
	const struct loader *loader = &batch->program->loader;

	for (size_t i = 0; i < loader->links.count; i++) {
		const struct link *link = &loader->links.at[i];

		if (!link->module ||
		    link->space_name != batch->module->space_name)
			continue;
		*ret_symbol =
			symtab_find(link->module->image, SYMTAB_DYNAMIC, name);
		if (*ret_symbol && plan_is_function(*ret_symbol))
			return link->module;
	}
	return NULL;
}

static const char *
definer_label(const struct batch *batch, const char *name)
{
	const struct symbol *symbol;
	struct module *module = definer_of(batch, name, &symbol);

	return module ? image_label(module->image) : NULL;
}

/* Is the import defined by a library that -l names? */
static bool
served_by_wanted(const struct batch *batch, const char *name)
{
	const struct symbol *symbol;
	struct module *module = definer_of(batch, name, &symbol);

	return module && plan_names_library(batch->program, module);
}

static bool
default_imports(const struct options *options)
{
	return !options->imports.count && !options->libraries.count &&
	       !options->no_library_calls && !options->alloc &&
	       options->action != ACTION_HEAP && !options->sets.count &&
	       (!options_name_places(options) || options->as_ltrace);
}

/* An IFUNC of the module itself has no import's name, but a symbol. */
static const char *
name_of(const struct batch *batch, const struct import *import)
{
	struct image *image = batch->module->image;
	const struct symbol *symbol;

	if (import->kind != IMPORT_IRELATIVE)
		return import->name;
	symbol = symtab_ifunc(image, SYMTAB_DYNAMIC, import->resolver);
	if (!symbol)
		symbol = symtab_ifunc(image, SYMTAB_ALL, import->resolver);
	return symbol ? symbol->name : NULL;
}

/* The name of the import if its calls are to be shown, or NULL. */
static const char *
chosen_name(const struct batch *batch, const struct import *import)
{
	const struct options *options = batch->program->session->options;
	const char *name = name_of(batch, import);
	bool chosen = false;

	if (!name)
		return NULL;
	if (default_imports(options))
		return batch->module->main ? name : NULL;
	/* Every filter is asked, because each notes what it matches. */
	for (size_t i = 0; i < options->imports.count; i++)
		chosen |= plan_chooses(options->imports.at[i], &batch->label,
				       name, import->version);
	if (!chosen && options->libraries.count &&
	    import->kind != IMPORT_IRELATIVE)
		chosen = served_by_wanted(batch, name);
	return chosen ? name : NULL;
}

/* The label of the module that defines the import. */
static const char *
label_of(const struct batch *batch, const struct import *import)
{
	return import->kind == IMPORT_IRELATIVE
		       ? batch->label.label
		       : definer_label(batch, import->name);
}

static bool
has_plain_name(const struct batch *batch, const char *const *names)
{
	const struct plt *plt = image_imports(batch->module->image);

	for (size_t i = 0; i < plt->count; i++) {
		const char *name = name_of(batch, &plt->at[i]);

		for (size_t n = 0; name && names[n]; n++) {
			if (!strcmp(names[n], name))
				return true;
		}
	}
	return false;
}

/* False only if no import of the module is chosen. Then its gates need not be
 * found. */
static bool
may_choose_import(const struct batch *batch)
{
	const struct options *options = batch->program->session->options;

	if (!plan_wants_imports(batch))
		return false;
	if (!options->imports.count || options->libraries.count)
		return true;
	for (size_t i = 0; i < options->imports.count; i++) {
		const struct filter *filter = options->imports.at[i];
		const char *const *names;
		bool only;

		if (!filter_wants_module(filter, &batch->label))
			continue;
		names = filter_plain_names(filter, &only);
		if (!only || has_plain_name(batch, names))
			return true;
	}
	return false;
}

bool
plan_wants_imports(const struct batch *batch)
{
	const struct options *options = batch->program->session->options;

	if (default_imports(options))
		return batch->module->main;
	for (size_t i = 0; i < options->imports.count; i++) {
		if (filter_wants_module(options->imports.at[i], &batch->label))
			return true;
	}
	return options->libraries.count > 0;
}

void
plan_add_gates(struct batch *batch)
{
	const struct plt *plt;

	if (!may_choose_import(batch))
		return;
	plt = image_plt(batch->module->image);
	for (size_t i = 0; i < plt->count; i++) {
		const struct import *import = &plt->at[i];
		const char *name =
			import->gate_count ? chosen_name(batch, import) : NULL;

		for (size_t g = 0; name && g < import->gate_count; g++)
			batch_add(batch,
				  tracepoint_new(batch, TRACEPOINT_GATE, name,
						 label_of(batch, import),
						 batch->module->bias +
							 import->gates[g]));
	}
}

/*
 * Does the module call through stubs? The C compiler's own crtbeginS.o does, to
 * __cxa_finalize, even in a module built with -fno-plt.
 */
static bool
has_stubs(const struct plt *plt)
{
	for (size_t i = 0; i < plt->count; i++) {
		const struct import *import = &plt->at[i];

		if (import->stub && import->name &&
		    strcmp(import->name, "__cxa_finalize") != 0)
			return true;
	}
	return false;
}

/*
 * A call through the word uses no gate (-fno-plt). An import that is only
 * loaded may be called through a register, or its address may be taken; in a
 * module with stubs we assume that its address is taken. A lazy import that is
 * only loaded belongs to a special kind of stub (retpoline).
 */
static bool
called_without_gate(const struct plt *plt, const struct import *import)
{
	if (import->called || !import->loaded)
		return import->called;
	return import->kind == IMPORT_JUMP || !has_stubs(plt);
}

/* Is there a function at the address, and not a part that was split off one? If
 * the module exports the name for this address, it is a function, and no table
 * of all symbols is needed. An IFUNC is exported at its resolver's address,
 * which differs from that of the chosen function. */
static bool
is_callable(const struct module *definer, const char *name, addr_t target)
{
	const addr_t address = target - definer->bias;
	const struct symbol *symbol =
		symtab_find(definer->image, SYMTAB_DYNAMIC, name);

	if (symbol && (symbol->kind == SYMBOL_FUNCTION
			       ? symbol->address == address
			       : symbol->kind == SYMBOL_IFUNC &&
					 symbol->address != address))
		return true;
	symbol = symtab_covering(definer->image, address);
	return !symbol || plan_is_function(symbol);
}

/* Adds the callee of an import without a gate: relocation has stored its
 * address in the import's word. */
static void
add_callee(struct batch *batch, const struct import *import, const char *name)
{
	struct program *program = batch->program;
	struct module *definer;
	struct tracepoint *tracepoint;
	const struct symbol *symbol;
	addr_t target;

	/* A static program fills the words of its IFUNCs itself, later. */
	if (import->kind == IMPORT_IRELATIVE && program->loader.absent)
		return;
	if (reader_word(program_memory(program),
			batch->module->bias + import->word,
			program_word(program), &target) < 0)
		return;
	definer = modmap_covering(&program->modules, target);
	/* The import is not bound yet: its word points back into the module. */
	if (definer == batch->module && import->kind == IMPORT_JUMP) {
		definer = definer_of(batch, name, &symbol);
		target = definer ? definer->bias + symbol->address : 0;
	}
	if (!definer ||
	    (definer == batch->module && import->kind != IMPORT_IRELATIVE))
		return;
	if (!is_callable(definer, name, target))
		return;
	tracepoint = tracepoint_new(batch, TRACEPOINT_CALLEE, name,
				    image_label(definer->image), target);
	tracepoint->caller_start = batch->module->start;
	tracepoint->caller_end = batch->module->end;
	batch_add(batch, tracepoint);
}

void
plan_add_callees(struct batch *batch)
{
	const struct plt *plt;

	if (!may_choose_import(batch))
		return;
	plt = image_plt(batch->module->image);
	for (size_t i = 0; i < plt->count; i++) {
		const struct import *import = &plt->at[i];
		const char *name = called_without_gate(plt, import)
					   ? chosen_name(batch, import)
					   : NULL;

		if (name)
			add_callee(batch, import, name);
	}
}

bool
plan_library_matches(const struct pattern *library,
		     const struct filter_module *module)
{
	if (!strchr(pattern_text(library), '/'))
		return pattern_matches(library, module->label);
	return (module->path && pattern_matches(library, module->path)) ||
	       (module->linked_as &&
		pattern_matches(library, module->linked_as));
}

bool
plan_names_library(const struct program *program, const struct module *module)
{
	const struct options *options = program->session->options;
	const struct filter_module named = module_label(module);

	for (size_t i = 0; i < options->libraries.count; i++) {
		if (plan_library_matches(options->libraries.at[i], &named))
			return true;
	}
	return false;
}
