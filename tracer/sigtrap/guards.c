/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guards are planted at a hit of any site, because the thread is then stopped
 * before the program's own code runs. In a program without a loader they are
 * planted at its exec, and at an attach through the host of the injected calls.
 * They need the handler area: without one (seccomp forbids it) there are no
 * guards.
 */
#include "tracer/sigtrap/guards.h"

#include "base/log.h"
#include "base/xmalloc.h"
#include "symbols/sigactions.h"
#include "symbols/symtab.h"
#include "tracer/model/rooms.h"
#include "tracer/report/metering.h"
#include "tracer/report/report.h"
#include "tracer/sigtrap/sigtrap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MOST 3

static const struct {
	const char *names[NAMES_MOST]; /* The first of these names that the
					  module has is used. */
	/* enter is NULL if the function is in session->rooms. */
	int (*enter)(struct hit *hit);
} guarded[GUARDS] = {
	[GUARD_ACTION] = { { "sigaction", "__sigaction", "__libc_sigaction" },
			   sigtrap_enter_action },
	/* The guard GUARD_ACTION_MADE is behind a system call and not at a
	 * function, so it has no names. hit_guard() serves it. */
	[GUARD_ACTION_MADE] = { { NULL }, NULL },
	/* In a library that has both, sigprocmask() calls pthread_sigmask(), so
	 * a guard at pthread_sigmask() sees both. */
	[GUARD_MASK] = { { "pthread_sigmask", "sigprocmask", "__sigprocmask" },
			 sigtrap_enter_mask },
	[GUARD_PTRACE] = { { "ptrace" }, NULL },
	[GUARD_SPAWN] = { { "posix_spawn" }, virtual_mask_spawns },
	[GUARD_SPAWN_FILE] = { { "posix_spawnp" }, virtual_mask_spawns },
	[GUARD_EXEC] = { { "execve" }, metering_before_exec },
	[GUARD_EXEC_AT] = { { "execveat" }, metering_before_exec },
	[GUARD_EXEC_FILE] = { { "fexecve" }, metering_before_exec },
};

static void
guards_born(struct program *program)
{
	program->guards = xcalloc(1, sizeof(*program->guards));
}

static void
guards_copied(struct program *child, const struct program *parent)
{
	const struct guards *from = parent->guards;
	struct guards *to;

	guards_born(child);
	to = child->guards;
	for (size_t i = 0; i < from->list.count; i++)
		vec_push(&to->list, from->list.at[i]);
	to->changes = from->changes;
	to->searched = from->searched;
	to->incomplete = from->incomplete;
}

static void
guards_gone(struct program *program)
{
	vec_release(&program->guards->list);
	free(program->guards);
}

const struct life guards_life = {
	.born = guards_born,
	.copied = guards_copied,
	.gone = guards_gone,
};

static const struct guard *
guard_at(const struct program *program, addr_t address)
{
	for (size_t i = 0; i < program->guards->list.count; i++) {
		if (program->guards->list.at[i].address == address)
			return &program->guards->list.at[i];
	}
	return NULL;
}

bool
guards_action(const struct program *program, addr_t entry)
{
	const struct guard *guard = guard_at(program, entry);

	return guard && guard->kind == GUARD_ACTION;
}

bool
guards_in_mask(const struct program *program, addr_t pc)
{
	if (slots_cover(&program->sites.slots, pc))
		return true;
	for (size_t i = 0; i < program->guards->list.count; i++) {
		const struct guard *guard = &program->guards->list.at[i];

		if (guard->kind == GUARD_MASK && pc >= guard->address &&
		    pc - guard->address < guard->size)
			return true;
	}
	return false;
}

/* A library is searched for exported functions, a static program for all of its
 * symbols. A static-pie has PT_DYNAMIC, but exports nothing. */
static const struct symbol *
find_guarded(const struct program *program, const struct module *module,
	     const char *const *names)
{
	enum symtab_extent extent = module->dynamic && !program->loader.absent
					    ? SYMTAB_DYNAMIC
					    : SYMTAB_ALL;

	for (size_t i = 0; i < NAMES_MOST && names[i]; i++) {
		const struct symbol *symbol =
			symtab_find(module->image, extent, names[i]);

		if (symbol && symbol->kind == SYMBOL_FUNCTION)
			return symbol;
	}
	return NULL;
}

static int
plant_guard(struct program *program, const struct guard *guard,
	    struct thread *thread)
{
	struct site *site;
	const char *why;
	int r;

	if (guard_at(program, guard->address))
		return 0;
	r = sites_plant_one(&program->sites, guard->address, SITE_OWNER_GUARD,
			    thread, &site, &why);
	program->guards->incomplete |= r != 0;
	if (r == 0)
		vec_push(&program->guards->list, *guard);
	/* Without a thread, room for a slot cannot be made. So the guards are
	 * planted again at the next hit, whose thread can make it. */
	else if (!thread)
		program->guards->changes--;
	return r == -ESRCH ? r : 0;
}

/* The system calls that the program's own code makes. A library may make such
 * calls too, but to search the code of all libraries takes too long. */
static const struct sigactions *
find_sigactions(const struct program *program, const struct module *module)
{
	bool makes = module->main &&
		     (program->loader.absent || image_go(module->image));
	const struct sigactions *found =
		makes ? image_sigactions(module->image) : NULL;

	return found && found->behind.count ? found : NULL;
}

static int
guard_sigactions(struct program *program, const struct module *module,
		 const struct sigactions *found, struct thread *thread)
{
	int r = 0;

	for (size_t i = 0; i < found->behind.count && r == 0; i++) {
		const struct guard guard = {
			.address = module->bias + found->behind.at[i],
			.kind = GUARD_ACTION_MADE,
		};

		r = plant_guard(program, &guard, thread);
	}
	return r;
}

static int
guard_module(struct program *program, const struct module *module,
	     struct thread *thread)
{
	const struct sigactions *found = find_sigactions(program, module);
	enum guard_kind kinds =
		session_has_meters(program->session) ? GUARDS : GUARD_EXEC;
	int r = found ? guard_sigactions(program, module, found, thread) : 0;

	for (enum guard_kind i = 0; i < kinds && r == 0; i++) {
		const struct symbol *symbol =
			find_guarded(program, module, guarded[i].names);
		struct guard guard = { .kind = i };

		if (!symbol || (i == GUARD_ACTION && found))
			continue;
		guard.address = module->bias + symbol->address;
		guard.size = symbol->size;
		r = plant_guard(program, &guard, thread);
	}
	return r;
}

/* Forgets the guards in unloaded modules, whose sites were dropped already.
 * Returns false if there was none. */
static bool
forget_unloaded(struct program *program)
{
	bool any = false;

	for (size_t i = program->guards->list.count; i-- > 0;) {
		if (sites_find(&program->sites,
			       program->guards->list.at[i].address))
			continue;
		vec_remove(&program->guards->list, i);
		any = true;
	}
	return any;
}

/* Searches the new modules, and all if a guard is missing. */
static int
search_modules(struct program *program, bool all, struct thread *thread)
{
	const struct modmap *map = &program->modules;
	unsigned searched = all ? 0 : program->guards->searched;
	int r = 0;

	program->guards->incomplete = false;
	for (size_t i = 0; i < map->modules.count && r == 0; i++) {
		const struct module *module = map->modules.at[i];

		if (module->serial > program->guards->searched)
			program->guards->searched = module->serial;
		if (module->serial > searched)
			r = guard_module(program, module, thread);
	}
	program->guards->incomplete |= r < 0;
	return r;
}

/* Called when modules were loaded or unloaded. */
static int
guard_modules(struct program *program, struct thread *thread)
{
	bool first = program->guards->list.count == 0;
	bool all = forget_unloaded(program) || program->guards->incomplete;
	int r;

	program->guards->changes = program->modules.changes;
	/* The masks are read before the first guard is planted and once more
	 * below. A thread that hits a guard in between does not show its mask
	 * any more: xtrace assumes the mask that it has now. */
	if (first)
		sigtrap_read(program, thread);
	r = search_modules(program, first || all, thread);
	/* The program may have replaced our action before the guards were
	 * planted. */
	if (r == 0 && first && program->guards->list.count) {
		sigtrap_read(program, thread);
		if (thread)
			r = sigtrap_claim(program, thread);
		else
			program->sigtrap->unclaimed = true;
	}
	return r;
}

int
guards_plant(struct program *program, struct thread *thread)
{
	int r = 0;

	if (program->sites.survive.code &&
	    program->guards->changes != program->modules.changes)
		r = guard_modules(program, thread);
	return r == -ESRCH ? r : 0;
}

/*
 * A site without a guard is the return site of a call of sigaction(). The
 * effects of the trap are undone before the guard's function runs. The
 * exception is a call that has just set the action: sigtrap_leave_action() and
 * sigtrap_action_made() handle that case.
 */
static int
hit_guard(struct hit *hit)
{
	const struct guard *guard = guard_at(hit->program, hit->site->address);
	int r;

	if (!guard)
		return sigtrap_leave_action(hit);
	if (guard->kind == GUARD_ACTION_MADE)
		return sigtrap_action_made(hit);
	r = sigtrap_after_hit(hit);
	if (r < 0)
		return r;
	return guard->kind == GUARD_PTRACE
		       ? hit->session->rooms->ptrace_entered(hit)
		       : guarded[guard->kind].enter(hit);
}

int
guards_after_hit(struct hit *hit)
{
	struct program *program = hit->program;
	int r = 0;

	if (!program->sites.survive.code)
		return 0;
	if (program->guards->changes != program->modules.changes)
		r = guard_modules(program, hit->record->thread);
	if (r == 0)
		r = site_owned(hit->site, SITE_OWNER_GUARD)
			    ? hit_guard(hit)
			    : sigtrap_after_hit(hit);
	if (r < 0 && r != -ESRCH)
		debug("%d: a guard fails: %s", hit->record->thread->tid,
		      strerror(-r));
	return r == -ESRCH || r == GUARDS_LET_GO ? r : 0;
}
