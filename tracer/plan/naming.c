/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names are plain. A function that is traced in two libraries is qualified as
 * name@library, and a call out of another module than the program as
 * caller->name. Under the name `ltrace` both are as ltrace has them.
 */
#include "tracer/plan/naming.h"

#include "symbols/demangle.h"

#include <string.h>

/* A copy that is there for the whole run; there are few, and the last one is
 * nearly always meant again. */
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

/* These are entered by a jump, with no return address of a caller. */
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

/* ltrace names the caller wherever -e or -l was given, we where it may be
 * another than the program. */
static bool
says_caller(const struct wish *wish)
{
	const struct session *session = wish->program->session;

	if (session->options->as_ltrace)
		return session->options->imports.count ||
		       session->options->libraries.count;
	return !wish->module->main || session->wants.caller_shown;
}

void
naming_compose(const struct wish *wish, struct traced *traced)
{
	struct session *session = wish->program->session;
	struct arena *arena = &traced->plan->arena;
	const char *plain =
		demangled_or_not(session, traced->plan, traced->name);

	traced->entry_only = never_returns_here(traced->name);
	if ((traced->kind == TRACED_GATE || traced->kind == TRACED_CALLEE) &&
	    says_caller(wish))
		traced->caller = wish->label.label;
	traced->shown = plain;
	if (traced->caller)
		traced->shown =
			arena_printf(arena, "%s->%s", traced->caller, plain);
	if (!traced_is_entry(traced))
		return;
	if (session->options->as_ltrace && !wish->module->main)
		traced->shown = naming_qualified(traced);
	traced->use = use_name(session, traced->name, traced->module);
}

const char *
naming_qualified(struct traced *traced)
{
	if (!traced->qualified && traced_is_entry(traced) && traced->module)
		traced->qualified = arena_printf(&traced->plan->arena, "%s@%s",
						 traced->shown, traced->module);
	return traced->qualified ? traced->qualified : traced->shown;
}
