/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -e, -l: the gates of the imports that are chosen. An import that is called
 * without a gate (-fno-plt) is watched at the callee's entry, for calls that
 * return into the caller.
 */
#include "tracer/plan/plan_parts.h"

#include "base/pattern.h"
#include "symbols/plt.h"
#include "tracer/plan/plan.h"

#include <string.h>

/*
 * The module that serves the import: the first in the loader's order, within
 * the caller's namespace, that exports a function of that name.
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

/* Is it a library that -l names which serves it? */
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
 * Does the module call through stubs? The C compiler's own crtbeginS.o does,
 * to __cxa_finalize, also in what is built with -fno-plt.
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
 * A call *word(%rip) goes past any gate (-fno-plt). An import that is only
 * loaded may be called through a register, or have its address taken; in a
 * module that has stubs it is the latter. A lazy import that is only loaded is
 * that of a stub of its own kind (retpoline).
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

/* An import without a gate: the callee that its word was filled with. */
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
	/* Not bound yet: it points back into the module. */
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
