/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In tracer/, the user pointer of a module is its plan (struct plan). */
#include "tracer/model/program.h"

#include "process/status.h"
#include "tracer/model/rooms.h"

#include <stdlib.h>

struct program *
program_new(struct session *session, struct space *space)
{
	struct program *program = xcalloc(1, sizeof(*program));
	struct status status;

	program->session = session;
	program->space = space;
	sites_init(&program->sites, &session->table, space, session->watcher);
	semaphores_init(&program->semaphores, space, session->watcher);
	modmap_init(&program->modules);
	if (status_read(space->pid, &status) == 0)
		program->sites.limits.shadow_stack = status.shadow_stack;
	for (const struct life *const *life = session->rooms->lives; *life;
	     life++)
		if ((*life)->born)
			(*life)->born(program);
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
	child->forked = true;
	sites_copy(&child->sites, &parent->sites, space);
	semaphores_copy(&child->semaphores, &parent->semaphores, space,
			&space->arch->trap);
	modmap_copy(&child->modules, &parent->modules);
	for (size_t i = 0; i < child->modules.modules.count; i++) {
		struct module *copy = child->modules.modules.at[i];
		struct module *module = parent->modules.modules.at[i];

		if (module->user)
			copy->user = plan_ref(module->user);
	}
	for (const struct life *const *life = session->rooms->lives; *life;
	     life++)
		if ((*life)->copied)
			(*life)->copied(child, parent);
	child->scratch = parent->scratch;
	child->loader.r_debug = parent->loader.r_debug;
	child->loader.consistent = parent->loader.consistent;
	child->loader.copies_stacks = parent->loader.copies_stacks;
	child->loader.absent = parent->loader.absent;
	child->loader.whole_list = true;
	child->loader.readings = parent->loader.readings;
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
program_ends(struct program *program, enum call_end how)
{
	const struct life *const *lives = program->session->rooms->lives;

	for (const struct life *const *life = lives; *life; life++)
		if ((*life)->ends)
			(*life)->ends(program, how);
}

void
program_free(struct program *program)
{
	const struct life *const *lives = program->session->rooms->lives;

	program_ends(program, CALL_NO_RETURN);
	for (const struct life *const *life = lives; *life; life++)
		if ((*life)->gone)
			(*life)->gone(program);
	map_remove(&program->session->programs,
		   (uint64_t)(uintptr_t)program->space);
	for (size_t i = 0; i < program->modules.modules.count; i++)
		plan_unref(program->modules.modules.at[i]->user);
	modmap_release(&program->modules);
	semaphores_release(&program->semaphores);
	sites_release(&program->sites);
	vec_release(&program->loader.links);
	vec_release(&program->arrivals);
	free(program);
}
