/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following the loader. The loader calls one of its functions, at r_brk,
 * whenever its list changes: r_state is RT_ADD or RT_DELETE before the change
 * and RT_CONSISTENT after it. Our site there is planted before the loader's
 * first instruction, so the list is read before the first constructor of the
 * first library runs.
 *
 *	exec ----> site at r_brk --CONSISTENT--> consistent: all is relocated
 *	dlopen     --ADD--CONSISTENT--> mapped; relocated now (glibc 2.41) or
 *		   at the first initializer, where a one-shot site is planted
 *		   if a module waits for it
 *	dlclose    --DELETE--CONSISTENT--> the whole list is compared
 *
 * We do not rely on the order ADD->CONSISTENT, because nested and failed
 * dlopens break it. At every CONSISTENT the lists are compared with what we
 * know: only their tails, unless an entry was removed.
 */
#include "tracer/loader/modules.h"

#include "base/log.h"
#include "tracer/loader/links.h"
#include "tracer/loader/rbrk.h"
#include "tracer/model/say.h"
#include "tracer/plan/plan.h"
#include "tracer/plan/unmatched.h"

#include <errno.h>

#define NAMESPACES_MOST 64

/*
 * Is the module relocated? The first entry of its DT_INIT_ARRAY tells, because
 * relocation fills it. A program at a fixed address needs no relocation.
 */
bool
modules_relocated_yet(struct program *program, const struct module *module)
{
	addr_t at, value;
	uint64_t word;

	if (!image_relocated_word(module->image, &at, &value))
		return false;
	return reader_word(program_memory(program), module->bias + at,
			   program_word(program), &word) == 0 &&
	       word == module->bias + value;
}

static int
plant_initializer(struct program *program, struct module *module,
		  struct thread *thread)
{
	size_t count;
	const addr_t *initializers = image_initializers(module->image, &count);
	const char *why = NULL;
	struct site *site;
	int r;

	if (count == 0)
		return 0;
	r = sites_plant_one(&program->sites, module->bias + initializers[0],
			    SITE_OWNER_ONCE, thread, &site, &why);
	return r == -ESRCH ? r : 0;
}

/* Plans the calls of imports: in the new modules and, if -l names a new module,
 * in all modules, because they may call its functions. */
static int
plan_callers(struct walk *walk, struct thread *thread)
{
	struct program *program = walk->program;
	bool everyone = false;
	int r = 0;

	for (size_t i = 0; i < walk->fresh.count && r == 0; i++) {
		r = plan_imports(program, walk->fresh.at[i], thread);
		everyone = everyone ||
			   plan_names_library(program, walk->fresh.at[i]);
	}
	for (size_t i = 0;
	     i < program->modules.modules.count && everyone && r == 0; i++)
		r = plan_imports(program, program->modules.modules.at[i],
				 thread);
	return r;
}

/* Does a module wait until it is relocated? */
static bool
any_awaits(struct program *program)
{
	const struct modmap *map = &program->modules;

	for (size_t i = 0; i < map->modules.count; i++) {
		struct module *module = map->modules.at[i];

		if (!module->relocated &&
		    plan_awaits_relocation(program, module))
			return true;
	}
	return false;
}

/*
 * Finds out which modules are relocated: the new ones, and modules that were
 * loaded while no module waited for that. The relocations of each module are
 * read, so this is done only if a module waits.
 */
static void
look_relocated(struct walk *walk)
{
	struct program *program = walk->program;
	const struct modmap *map = &program->modules;

	for (size_t i = 0; i < map->modules.count; i++) {
		struct module *module = map->modules.at[i];

		if (!module->relocated &&
		    !plan_awaits_relocation(program, module))
			module->relocated =
				modules_relocated_yet(program, module);
	}
	for (size_t i = 0; i < walk->fresh.count; i++) {
		struct module *module = walk->fresh.at[i];

		if (!module->relocated)
			module->relocated =
				modules_relocated_yet(program, module);
	}
}

static void
note_relocated(struct walk *walk)
{
	for (size_t i = 0; i < walk->fresh.count; i++)
		walk->fresh.at[i]->relocated = true;
}

static int
plan_fresh(struct walk *walk, struct thread *thread, bool relocated)
{
	struct program *program = walk->program;
	bool awaited;
	int r = 0;

	for (size_t i = 0; i < walk->fresh.count && r == 0; i++)
		r = plan_mapped(program, walk->fresh.at[i], thread);
	if (r == 0)
		r = plan_callers(walk, thread);
	if (relocated)
		note_relocated(walk);
	awaited = !relocated && any_awaits(program);
	if (awaited)
		look_relocated(walk);
	/* What needs relocated modules is planned here only after the start-up:
	 * at start-up modules_complete() does that for all modules at once. */
	for (size_t i = 0;
	     i < walk->fresh.count && r == 0 && program->loader.consistent;
	     i++) {
		struct module *module = walk->fresh.at[i];

		if (module->relocated)
			r = plan_relocated(program, module, thread);
		else if (awaited)
			r = plant_initializer(program, module, thread);
	}
	return r;
}

/* Removes the site that plant_initializer() has planted at the module's first
 * initializer. */
static void
remove_initializer(struct program *program, const struct module *module)
{
	size_t count;
	const addr_t *initializers = image_initializers(module->image, &count);
	struct site *site = count ? sites_find(&program->sites,
					       module->bias + initializers[0])
				  : NULL;

	if (site && site_owned(site, SITE_OWNER_ONCE))
		sites_disown(&program->sites, site, SITE_OWNER_ONCE);
}

int
modules_relocated(struct program *program, struct thread *thread)
{
	int r = 0;

	for (size_t i = 0; i < program->modules.modules.count && r == 0; i++) {
		struct module *module = program->modules.modules.at[i];

		if (module->relocated)
			continue;
		remove_initializer(program, module);
		module->relocated = true;
		r = plan_relocated(program, module, thread);
	}
	return r;
}

/* Compares the loader's lists with the known modules, when r_state is
 * RT_CONSISTENT and when xtrace attaches. */
int
modules_compare(struct program *program, const struct r_debug_view *view,
		struct thread *thread, bool relocated)
{
	struct walk walk = { .program = program };
	int r = links_read(&walk, view), planned = 0;

	/* The loader is changing the list: all of it is read again at the next
	 * stop. The modules that could be read are planted now. */
	if (r == -EFAULT)
		program->loader.whole_list = true;
	if (r == 0 || r == -EFAULT)
		planned = plan_fresh(&walk, thread, relocated);
	vec_release(&walk.fresh);
	if (r == 0)
		r = planned;
	return r == -EFAULT ? planned : r;
}

/* Tells the user to use -x for a static program. Without -x only its IFUNCs are
 * traced, and only if -e names them. */
static void
say_static(struct program *program)
{
	struct session *session = program->session;

	if (session->filters.count ||
	    (session->options->imports.count &&
	     (session->counts.planted || program->planned->pending.count)) ||
	    !say_first(session, "static"))
		return;
	say("%s is static: it calls its functions directly, not through a PLT; "
	    "-x traces them by name",
	    image_label(program->modules.modules.at[0]->image));
}

int
modules_complete(struct program *program, struct thread *thread)
{
	const struct modmap *map = &program->modules;
	int r = 0;

	program->loader.consistent = true;
	for (size_t i = 0; i < map->modules.count; i++)
		map->modules.at[i]->relocated = true;
	for (size_t i = 0; i < map->modules.count && r == 0; i++) {
		r = plan_imports(program, map->modules.at[i], thread);
		if (r == 0)
			r = plan_relocated(program, map->modules.at[i], thread);
	}
	if (program->loader.absent)
		say_static(program);
	/* Filters that match no function are told only after the attach,
	 * because a process that is attached to later may have the function. */
	if (!program->planned->waiting)
		unmatched_say(program->session);
	return r;
}

/*
 * Each namespace has a struct r_debug with its own state. Returns 0 if all are
 * consistent, -EAGAIN if one is about to change.
 */
static int
all_consistent(struct program *program, const struct r_debug_view *first)
{
	struct r_debug_view view = *first;
	int r = 0;

	for (unsigned i = 0; i < NAMESPACES_MOST; i++) {
		debug("%d: namespace %u r_state %d", program->space->pid, i,
		      view.state);
		if (view.state == R_DELETE)
			program->loader.whole_list = true;
		if (view.state != R_CONSISTENT)
			r = -EAGAIN;
		if (view.version < 2 || !view.next ||
		    linkmap_r_debug(program_memory(program),
				    program_word(program), view.next,
				    &view) < 0)
			break;
	}
	return r;
}

int
modules_changed(struct program *program, struct thread *thread)
{
	struct loader *loader = &program->loader;
	struct r_debug_view view;
	int r;

	rbrk_find(program);
	if (!loader->r_debug)
		return 0;
	r = linkmap_r_debug(program_memory(program), program_word(program),
			    loader->r_debug, &view);
	if (r < 0 || !view.brk)
		return r == -ESRCH ? r : 0;
	if (all_consistent(program, &view) < 0)
		return 0;
	r = modules_compare(program, &view, thread, !loader->consistent);
	if (r == 0 && !loader->consistent)
		r = modules_complete(program, thread);
	return r;
}

/* Copies the modules. Each copy uses the plan of the original. */
static void
copy_modules(struct program *child, const struct program *parent)
{
	modmap_copy(&child->modules, &parent->modules);
	for (size_t i = 0; i < child->modules.modules.count; i++) {
		struct module *copy = child->modules.modules.at[i];
		struct module *module = parent->modules.modules.at[i];

		if (module->user)
			copy->user = plan_ref(module->user);
	}
}

/* The child's sites are copies already. Its list is read whole the next time,
 * because the list may have changed between the parent's last reading and the
 * fork. */
static void
copied(struct program *child, const struct program *parent)
{
	const struct loader *from = &parent->loader;
	struct loader *to = &child->loader;

	copy_modules(child, parent);
	child->scratch = parent->scratch;
	to->r_debug = from->r_debug;
	to->consistent = from->consistent;
	to->copies_stacks = from->copies_stacks;
	to->absent = from->absent;
	to->whole_list = true;
	to->readings = from->readings;
	if (from->brk)
		to->brk = sites_find(&child->sites, from->brk->address);
	for (size_t i = 0; i < from->links.count; i++) {
		struct link link = from->links.at[i];

		if (link.module)
			link.module = modmap_covering(&child->modules,
						      link.module->start);
		vec_push(&to->links, link);
	}
}

static void
gone(struct program *program)
{
	vec_release(&program->loader.links);
}

const struct life loader_life = { .copied = copied, .gone = gone };
