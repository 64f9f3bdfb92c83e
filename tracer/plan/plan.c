/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What to do when a module is mapped, when it is relocated, and when all
 * modules are known: each step makes a batch, lets the parts of the plan fill
 * it, and plants it.
 */
#include "tracer/plan/plan.h"

#include "base/pattern.h"
#include "conf/filter/filter.h"
#include "tracer/model/rooms.h"
#include "tracer/model/say.h"
#include "tracer/plan/plan_parts.h"

static void
plan_born(struct program *program)
{
	program->planned = xcalloc(1, sizeof(*program->planned));
}

/* What is pending in the parent is planted only there, because xtrace does not
 * attach to the child. */
static void
plan_copied(struct program *child, const struct program *parent)
{
	const struct planned *from = parent->planned;

	plan_born(child);
	child->planned->watches_jumps = from->watches_jumps;
	child->planned->pointed_open = from->pointed_open;
	child->planned->filled = from->filled;
}

static void
plan_gone(struct program *program)
{
	vec_release(&program->planned->pending);
	vec_release(&program->planned->tripwires);
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
	plan_add_functions(&batch);
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

static void
say_missing_of(struct session *session, const struct filter *filter)
{
	bool only;
	const char *const *names = filter_plain_names(filter, &only);

	for (; *names; names++) {
		if (!strmap_get(&session->naming.found, *names))
			say("%s is in no module yet; xtrace waits for one "
			    "that has it",
			    *names);
	}
}

void
plan_say_missing(struct session *session)
{
	const struct options *options = session->options;

	if (session->naming.said_missing)
		return;
	session->naming.said_missing = true;
	for (size_t i = 0; i < options->locations.count; i++)
		say_missing_of(session, options->locations.at[i]);
}
