/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names are plain, with two exceptions: a function that is traced in two
 * libraries is shown as name@library, and a call from a module other than the
 * program as caller->name. If xtrace runs under the name `ltrace`, both are as
 * in ltrace.
 */
#include "tracer/plan/naming.h"

#include "symbols/demangle.h"

#include <string.h>

/* Copies a label for the rest of the run. There are few labels, and nearly
 * always the last one is needed again. */
static const char *
keep_label(struct session *session, const char *module)
{
	module = module ? module : "";
	if (!session->naming.last_label ||
	    strcmp(session->naming.last_label, module) != 0)
		session->naming.last_label =
			arena_strdup(&session->naming.uses, module);
	return session->naming.last_label;
}

static const struct name_use *
use_name(struct session *session, const char *name, const char *module)
{
	void **place = strmap_place(&session->naming.names, name);
	struct name_use *use = *place;

	if (!use) {
		use = arena_zalloc(&session->naming.uses, sizeof(*use));
		use->module = keep_label(session, module);
		*place = use;
	} else if (module && strcmp(use->module, module) != 0) {
		use->several = true;
	}
	return use;
}

static const char *
demangled_or_not(struct session *session, struct plan *plan, const char *name)
{
	cleanup(freep) char *plain = NULL;

	if (session->options->demangle)
		plain = demangle_short(name);
	return plain ? arena_strdup(&plan->arena, plain) : name;
}

/* These functions are entered by a jump, so there is no return address. */
static bool
never_returns_here(const char *name)
{
	static const char *const names[] = { "_start", "_dl_start_user",
					     "__restore_rt",
					     "__start_context" };

	for (size_t i = 0; i < array_size(names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return !strncmp(name, "_dl_runtime_resolve", 19) ||
	       !strncmp(name, "_dl_runtime_profile", 19);
}

/* ltrace names the caller whenever -e or -l is given, xtrace only if the caller
 * may be a module other than the program. */
static bool
says_caller(const struct batch *batch)
{
	const struct session *session = batch->program->session;

	if (session->options->as_ltrace)
		return session->options->imports.count ||
		       session->options->libraries.count;
	return !batch->module->main || session->wants.caller_shown;
}

void
naming_compose(const struct batch *batch, struct tracepoint *tracepoint)
{
	struct session *session = batch->program->session;
	struct arena *arena = &tracepoint->plan->arena;
	const char *plain =
		demangled_or_not(session, tracepoint->plan, tracepoint->name);

	tracepoint->entry_only = never_returns_here(tracepoint->name);
	if ((tracepoint->kind == TRACEPOINT_GATE ||
	     tracepoint->kind == TRACEPOINT_CALLEE) &&
	    says_caller(batch))
		tracepoint->caller = batch->label.label;
	tracepoint->shown = plain;
	if (tracepoint->caller)
		tracepoint->shown = arena_printf(arena, "%s->%s",
						 tracepoint->caller, plain);
	if (!tracepoint_is_entry(tracepoint))
		return;
	if (session->options->as_ltrace && !batch->module->main)
		tracepoint->shown = naming_qualified(tracepoint);
	tracepoint->use =
		use_name(session, tracepoint->name, tracepoint->module);
}

const char *
naming_qualified(struct tracepoint *tracepoint)
{
	if (!tracepoint->qualified && tracepoint_is_entry(tracepoint) &&
	    tracepoint->module)
		tracepoint->qualified =
			arena_printf(&tracepoint->plan->arena, "%s@%s",
				     tracepoint->shown, tracepoint->module);
	return tracepoint->qualified ? tracepoint->qualified
				     : tracepoint->shown;
}
