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
	       !options->no_library_calls && !options->sets.count &&
	       (!options->locations.count || options->as_ltrace);
}

static bool
import_chosen(const struct batch *batch, const struct import *import)
{
	const struct options *options = batch->program->session->options;

	if (!import->name)
		return false;
	if (default_imports(options))
		return batch->module->main;
	for (size_t i = 0; i < options->imports.count; i++) {
		if (plan_chooses(options->imports.at[i], &batch->label,
				 import->name, import->version))
			return true;
	}
	return options->libraries.count &&
	       served_by_wanted(batch, import->name);
}

static bool
wants_imports(const struct batch *batch)
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

	if (!wants_imports(batch))
		return;
	plt = image_plt(batch->module->image);
	for (size_t i = 0; i < plt->count; i++) {
		const struct import *import = &plt->at[i];

		if (import->gate_count == 0 || !import_chosen(batch, import))
			continue;
		for (size_t g = 0; g < import->gate_count; g++)
			batch_add(batch,
				  tracepoint_new(batch, TRACEPOINT_GATE,
						 import->name,
						 definer_label(batch,
							       import->name),
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
	if (import->kind == IMPORT_IRELATIVE || !import->name)
		return false;
	if (import->called || !import->loaded)
		return import->called;
	return import->kind == IMPORT_JUMP || !has_stubs(plt);
}

/* Adds the callee of an import without a gate: relocation has stored its
 * address in the import's word. */
static void
add_callee(struct batch *batch, const struct import *import)
{
	struct program *program = batch->program;
	struct module *definer;
	struct tracepoint *tracepoint;
	const struct symbol *symbol;
	addr_t target;

	if (reader_u64(program_memory(program),
		       batch->module->bias + import->word, &target) < 0)
		return;
	definer = modmap_covering(&program->modules, target);
	/* The import is not bound yet: its word points back into the module. */
	if (definer == batch->module && import->kind == IMPORT_JUMP) {
		definer = definer_of(batch, import->name, &symbol);
		target = definer ? definer->bias + symbol->address : 0;
	}
	if (!definer || definer == batch->module)
		return;
	symbol = symtab_covering(definer->image, target - definer->bias);
	if (symbol && !plan_is_function(symbol))
		return;
	tracepoint = tracepoint_new(batch, TRACEPOINT_CALLEE, import->name,
				    image_label(definer->image), target);
	tracepoint->caller_start = batch->module->start;
	tracepoint->caller_end = batch->module->end;
	batch_add(batch, tracepoint);
}

void
plan_add_callees(struct batch *batch)
{
	const struct plt *plt;

	if (!wants_imports(batch))
		return;
	plt = image_plt(batch->module->image);
	for (size_t i = 0; i < plt->count; i++) {
		if (called_without_gate(plt, &plt->at[i]) &&
		    import_chosen(batch, &plt->at[i]))
			add_callee(batch, &plt->at[i]);
	}
}

bool
plan_names_library(const struct program *program, const struct module *module)
{
	const struct options *options = program->session->options;
	const char *label = image_label(module->image);

	for (size_t i = 0; i < options->libraries.count; i++) {
		if (pattern_matches(options->libraries.at[i], label))
			return true;
	}
	return false;
}
