/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What to do when a module is mapped, when it is relocated, and when all
 * modules are known: each step makes a batch, lets the parts of the plan fill
 * it, and plants it.
 */
#include "tracer/plan/plan.h"

#include "stacks/source.h"
#include "tracer/model/rooms.h"
#include "tracer/plan/naming.h"
#include "tracer/plan/plan_parts.h"
#include "tracer/plan/plan_scripts.h"
#include "tracer/plan/plan_sdt.h"
#include "tracer/plan/sets.h"
#include "tracer/plan/unmatched.h"

static void
plan_born(struct program *program)
{
	program->planned = xcalloc(1, sizeof(*program->planned));
	program->planned->names_used = names_used_new();
}

/* The child gets no copy of the plantings that are pending in the parent: they
 * wait for room during an attach, and xtrace does not attach to the child. */
static void
plan_copied(struct program *child, const struct program *parent)
{
	const struct planned *from = parent->planned;

	child->planned = xcalloc(1, sizeof(*child->planned));
	child->planned->names_used = names_used_ref(from->names_used);
	child->planned->watches_jumps = from->watches_jumps;
	child->planned->pointed_open = from->pointed_open;
	child->planned->filled = from->filled;
}

static void
plan_gone(struct program *program)
{
	unmatched_look(program);
	vec_release(&program->planned->pending);
	vec_release(&program->planned->tripwires);
	names_used_unref(program->planned->names_used);
	free(program->planned);
}

const struct life plan_life = {
	.born = plan_born,
	.copied = plan_copied,
	.gone = plan_gone,
};

int
plan_mapped(struct program *program, struct module *module,
	    struct thread *thread)
{
	struct batch batch;

	batch_init(&batch, program, module);
	unmatched_saw(program->session, &batch.label);
	plan_add_functions(&batch);
	plan_add_sdts(&batch);
	plan_add_scripts(&batch);
	for (size_t i = 0; program->session->rooms->additions[i]; i++)
		program->session->rooms->additions[i](&batch);
	return batch_plant(&batch, thread);
}

int
plan_imports(struct program *program, struct module *module,
	     struct thread *thread)
{
	struct batch batch;

	batch_init(&batch, program, module);
	plan_add_gates(&batch);
	return batch_plant(&batch, thread);
}

bool
plan_awaits_relocation(struct program *program, struct module *module)
{
	const struct session *session = program->session;
	struct plan *plan = plan_of(module);
	struct batch batch;

	if (!plan->awaits_known) {
		batch_init(&batch, program, module);
		plan->awaits_known = true;
		plan->awaits = plan->ifuncs || plan_wants_imports(&batch) ||
			       sets_pointed(session->sets, 0) ||
			       session->options->sample > 0 ||
			       sources_may_be_in(module);
	}
	return plan->awaits;
}

int
plan_relocated(struct program *program, struct module *module,
	       struct thread *thread)
{
	struct batch batch;

	batch_init(&batch, program, module);
	plan_add_ifuncs(&batch);
	plan_add_callees(&batch);
	plan_add_pointed(&batch);
	return batch_plant(&batch, thread);
}

int
plan_resolved(struct program *program, const struct tracepoint *resolver,
	      addr_t target, struct thread *thread)
{
	struct module *module = modmap_covering(&program->modules, target);
	struct batch batch;

	if (!module)
		return 0;
	batch_init(&batch, program, module);
	plan_add_target(&batch, resolver->name, target);
	return batch_plant(&batch, thread);
}
