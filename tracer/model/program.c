/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See the header. A module's record keeps its plan in module->user. */
#include "tracer/program.h"

#include "base/log.h"
#include "process/status.h"
#include "stacks/native.h"
#include "stacks/source.h"
#include "tracer/left_stub.h"
#include "tracer/probes.h"
#include "tracer/sockets.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct program *
program_new(struct session *session, struct space *space)
{
	struct program *program = xcalloc(1, sizeof(*program));
	struct status status;

	program->session = session;
	program->space = space;
	sites_init(&program->sites, &session->table, space, session->watcher);
	modmap_init(&program->modules);
	map_init(&program->sockets);
	if (status_read(space->pid, &status) == 0)
		program->sites.limits.shadow_stack = status.shadow_stack;
	map_put(&session->programs, (uint64_t)(uintptr_t)space, program);
	return program;
}

static void
copy_links(struct program *to, const struct program *from)
{
	for (size_t i = 0; i < from->loader.links.count; i++) {
		struct link link = from->loader.links.at[i];

		if (link.module)
			link.module = modmap_covering(&to->modules,
						      link.module->start);
		vec_push(&to->loader.links, link);
	}
}

struct program *
program_fork(struct program *parent, struct space *space, bool threaded)
{
	struct session *session = parent->session;
	struct program *child = xcalloc(1, sizeof(*child));

	child->session = session;
	child->space = space;
	map_init(&child->sockets);
	sites_copy(&child->sites, &parent->sites, space);
	modmap_copy(&child->modules, &parent->modules);
	for (size_t i = 0; i < child->modules.modules.count; i++) {
		struct module *copy = child->modules.modules.at[i];
		struct module *module = parent->modules.modules.at[i];

		if (module->user)
			copy->user = plan_ref(module->user);
	}
	child->watches_jumps = parent->watches_jumps;
	child->copies_stacks = parent->copies_stacks;
	child->pointed_open = parent->pointed_open;
	child->filled = parent->filled;
	guards_copy(&child->guards, &parent->guards);
	child->masking = parent->masking;
	child->scratch = parent->scratch;
	child->loader.r_debug = parent->loader.r_debug;
	child->loader.settled = parent->loader.settled;
	child->loader.whole_list = true;
	if (parent->loader.brk)
		child->loader.brk =
			sites_find(&child->sites, parent->loader.brk->address);
	copy_links(child, parent);
	if (threaded || session->leaving) {
		sites_reread(&child->sites);
		if (!child->sites.survive.code)
			child->sites.slots.scratch = child->scratch;
	}
	map_put(&session->programs, (uint64_t)(uintptr_t)space, child);
	return child;
}

void
program_free(struct program *program)
{
	probes_program_ends(program, CALL_NO_RETURN);
	sockets_program_ends(program, CALL_NO_RETURN);
	map_release(&program->sockets);
	map_remove(&program->session->programs,
		   (uint64_t)(uintptr_t)program->space);
	for (size_t i = 0; i < program->modules.modules.count; i++)
		plan_unref(program->modules.modules.at[i]->user);
	modmap_release(&program->modules);
	sites_release(&program->sites);
	vec_release(&program->loader.links);
	vec_release(&program->pending);
	vec_release(&program->ambushes);
	vec_release(&program->guards.list);
	sources_free(program->sources);
	native_free(program->native);
	free(program);
}

void
program_lift(struct program *program)
{
	sites_lift_all(&program->sites);
}

int
program_disarm(struct program *program, struct thread *thread)
{
	struct sites *sites = &program->sites;

	if (!sites->survive.code)
		return 0;
	if (!program->scratch)
		return -ENOENT;
	program->disarmed = true;
	return survive_disarm(&sites->survive, sites->table, thread,
			      program->scratch);
}

int
program_clean(struct program *program, struct thread *thread)
{
	struct sites *sites = &program->sites;
	int r;

	slots_restore_slack(&sites->slots, program->space);
	left_stub_tidy(program);
	r = program_disarm(program, thread);
	if (r < 0 || !sites->survive.code)
		return r;
	return survive_end(&sites->survive, &sites->slots, sites->table, thread,
			   program->scratch);
}

/* What of a module was to be planted, and of others in it. */
static void
drop_pending(struct program *program, const struct module *module)
{
	for (size_t i = program->pending.count; i-- > 0;) {
		const struct planting *planting = &program->pending.at[i];
		const struct traced *traced = planting->user;

		if (traced->plan == module->user ||
		    planting->address - module->start <
			    module->end - module->start)
			vec_remove(&program->pending, i);
	}
}

void
program_drop_module(struct program *program, struct module *module)
{
	struct plan *plan = module->user;

	/* Borrowed calls need another place. */
	if (program->scratch - module->start < module->end - module->start)
		program->scratch = 0;
	drop_pending(program, module);
	slots_forget_slack(&program->sites.slots, module->start, module->end);
	sites_forget(&program->sites, module->start, module->end, NULL, NULL);
	modmap_remove(&program->modules, module);
	plan_unref(plan);
}
