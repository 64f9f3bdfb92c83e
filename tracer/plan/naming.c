/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names are plain, with two exceptions: a function that is traced in two
 * modules of its program is shown as name@library, and a call from a module
 * other than the program as caller->name. If xtrace runs under the name
 * `ltrace`, both are as in ltrace.
 */
#include "tracer/plan/naming.h"

#include "base/xmalloc.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "symbols/demangle.h"
#include "tracer/plan/plan.h"

#include <stdlib.h>
#include <string.h>

struct names_used {
	unsigned refs;
	struct strmap names; /* function name -> struct name_use */
	struct arena uses;
	const char *last_label; /* the last label that was copied */
};

struct names_used *
names_used_new(void)
{
	struct names_used *used = xcalloc(1, sizeof(*used));

	used->refs = 1;
	return used;
}

struct names_used *
names_used_ref(struct names_used *used)
{
	used->refs++;
	return used;
}

void
names_used_unref(struct names_used *used)
{
	if (--used->refs)
		return;
	strmap_release(&used->names);
	arena_release(&used->uses);
	free(used);
}

/* Copies a label. There are few labels, and nearly always the last one is
 * needed again. */
static const char *
keep_label(struct names_used *used, const char *module)
{
	module = module ? module : "";
	if (!used->last_label || strcmp(used->last_label, module) != 0)
		used->last_label = arena_strdup(&used->uses, module);
	return used->last_label;
}

static const struct name_use *
use_name(struct names_used *used, const char *name, const char *module)
{
	void **place = strmap_place(&used->names, name);
	struct name_use *use = *place;

	if (!use) {
		use = arena_zalloc(&used->uses, sizeof(*use));
		use->module = keep_label(used, module);
		*place = use;
	} else if (module && strcmp(use->module, module) != 0) {
		use->several = true;
	}
	return use;
}

static const char *
demangled_or_not(struct session *session, struct plan *plan, const char *name)
{
	const struct options *options = session->options;
	cleanup(freep) char *plain = NULL;

	if (options->demangle_types ||
	    (options->demangle && options->as_ltrace))
		plain = demangle(name);
	else if (options->demangle)
		plain = demangle_short(name);
	return plain ? arena_strdup(&plan->arena, plain) : name;
}

/* True for a function that is entered by a jump and not by a call, so that it
 * has no return address. */
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
	tracepoint->use = use_name(batch->program->planned->names_used,
				   tracepoint->name, tracepoint->module);
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

void
naming_show_resolver(const struct batch *batch, struct tracepoint *tracepoint)
{
	struct arena *arena = &tracepoint->plan->arena;
	struct proto *proto = arena_zalloc(arena, sizeof(*proto));

	tracepoint->shown =
		batch->module->main
			? arena_printf(arena, "%s.IFUNC", tracepoint->shown)
			: arena_printf(arena, "%s.IFUNC@%s", tracepoint->shown,
				       tracepoint->module);
	proto->name = tracepoint->shown;
	proto->returns = type_builtin("addr");
	proto->format = -1;
	tracepoint->proto = proto;
	tracepoint->proto_known = true;
	tracepoint->shows_resolver = true;
}
