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

/* True if traps are planted and removed also while threads run. */
static bool
plants_at_any_time(const struct session *session)
{
	return session->left_out || session->allocs;
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
	for (const struct life *const *life = session->rooms->lives; *life;
	     life++)
		if ((*life)->copied)
			(*life)->copied(child, parent);
	if (threaded || session->leaving || plants_at_any_time(session)) {
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
program_thread_ends(struct program *program, const struct thread_record *record)
{
	const struct life *const *lives = program->session->rooms->lives;

	for (const struct life *const *life = lives; *life; life++)
		if ((*life)->thread_ends)
			(*life)->thread_ends(program, record);
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
	vec_release(&program->arrivals);
	free(program);
}
