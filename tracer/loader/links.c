/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An entry of the loader's list is identified by its address, dynamic section
 * and bias together, because the loader reuses the address of a removed entry.
 * Each namespace has a list; the loader itself is in all lists.
 *
 * The list is the program's memory: it may be endless, or lead nowhere. So the
 * number of entries is limited, and the time for entries that are no modules.
 * If xtrace is told to leave, the reading ends.
 */
#include "tracer/loader/links.h"

#include "arch/stub.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "process/status.h"
#include "tracer/loader/drop.h"
#include "tracer/loader/locate.h"
#include "tracer/model/say.h"

#include <errno.h>
#include <limits.h>

#define NAMESPACES_MOST 64
/* How many entries of a program's lists are read at most. */
#define LINKS_MOST 10000
/* The CPU time that entries which are no modules may take at one stop. */
#define IDLE_NS 1000000000

/* Offers the unused bytes between the end of the module's text and the end of
 * its page to the slots and to injected system calls. */
static void
offer_slack(struct program *program, const struct module *module)
{
	size_t count;
	const struct segment *segments = image_segments(module->image, &count);

	for (size_t i = 0; i < count; i++) {
		addr_t end = segments[i].address + segments[i].file_size;
		addr_t page_end = addr_whole_pages(end);

		end = (end + 15) & ~UINT64_C(15);
		if (!segments[i].executable || segments[i].writable ||
		    segments[i].size != segments[i].file_size ||
		    page_end < end + STUB_ROOM)
			continue;
		if (!program->scratch)
			program->scratch = module->bias + end;
		slots_offer_slack(&program->sites.slots, module->bias + end,
				  page_end - end);
	}
	if (!program->sites.slots.scratch)
		program->sites.slots.scratch = program->scratch;
}

struct module *
links_loader(struct program *program)
{
	for (size_t i = 0; i < program->modules.modules.count; i++) {
		if (program->modules.modules.at[i]->loader)
			return program->modules.modules.at[i];
	}
	return NULL;
}

struct module *
links_main(struct program *program)
{
	for (size_t i = 0; i < program->modules.modules.count; i++) {
		if (program->modules.modules.at[i]->main)
			return program->modules.modules.at[i];
	}
	return NULL;
}

struct module *
links_add_module(struct program *program, struct image *image, addr_t bias)
{
	struct module *module = modmap_add(&program->modules, image, bias);

	/* Is it greenlet's module for Python? The name of its file depends on
	 * the version of Python: _greenlet.cpython-... */
	if (strstr(image_label(image), "greenlet"))
		program->loader.copies_stacks = true;
	debug("%d: %s at %#" PRIxADDR, program->space->pid, image_label(image),
	      module->start);
	image_unref(image);
	offer_slack(program, module);
	return module;
}

/* The module with this dynamic section: known since the exec, or new. */
static struct module *
module_of_link(struct walk *walk, const struct link_view *view, bool main,
	       bool *ret_fresh)
{
	struct program *program = walk->program;
	struct module *module =
		modmap_covering(&program->modules, view->dynamic);
	struct image *image;

	*ret_fresh = false;
	if (module)
		return module;
	if (locate_module(program, &walk->locator, view, &image) < 0)
		return NULL;
	module = links_add_module(program, image, view->bias);
	module->dynamic = view->dynamic;
	module->main = main;
	*ret_fresh = true;
	return module;
}

/* Stores the path that the loader used. It may lead through symbolic links:
 * /lib/libc.so.6 does if /lib is a link to /usr/lib. */
static void
take_name(struct program *program, struct module *module, addr_t name)
{
	char path[PATH_MAX];
	int whole;

	if (!module->linked_as && name &&
	    reader_cstr(program_memory(program), name, path, sizeof(path),
			&whole) > 0 &&
	    whole)
		module->linked_as = xstrdup(path);
}

/* The newest entry that we know at this address, or NULL. */
static struct link *
link_at(const struct walk *walk, addr_t at)
{
	uintptr_t number = (uintptr_t)map_get(&walk->by_address, at);

	return number ? &walk->program->loader.links.at[number - 1] : NULL;
}

static void
note_link(struct walk *walk, size_t i)
{
	map_put(&walk->by_address, walk->program->loader.links.at[i].at,
		(void *)(uintptr_t)(i + 1));
}

static void
meet_link(struct walk *walk, addr_t at, const struct link_view *view,
	  bool first)
{
	struct program *program = walk->program;
	struct link *known = link_at(walk, at);
	struct link link = { .at = at,
			     .dynamic = view->dynamic,
			     .bias = view->bias,
			     .space_name = walk->space_name,
			     .seen = true,
			     .reading = program->loader.readings };
	bool fresh;

	if (known && known->dynamic == view->dynamic &&
	    known->bias == view->bias) {
		known->seen = true;
		known->reading = program->loader.readings;
		return;
	}
	/* If the entry at this address is another one now, the old entry was
	 * removed. */
	if (known)
		program->loader.whole_list = true;
	link.module = module_of_link(walk, view,
				     first && walk->space_name == 0 &&
					     !links_main(program),
				     &fresh);
	if (link.module)
		take_name(program, link.module, view->name);
	if (link.module && fresh) {
		link.module->space_name = walk->space_name;
		vec_push(&walk->fresh, link.module);
	}
	vec_push(&program->loader.links, link);
	note_link(walk, program->loader.links.count - 1);
}

static void
say_long(struct program *program, const char *what)
{
	pid_t pid = program->space->pid;
	char name[64];

	if (program->loader.said_long)
		return;
	program->loader.said_long = true;
	status_name(pid, name, sizeof(name));
	say("the loader's list of process %d (%s): %s", pid, name, what);
}

/* True if this reading has already met the entry at this address. The loader
 * edits the list meanwhile, and freed memory may lead back to such an entry. */
static bool
leads_back(const struct walk *walk, addr_t at)
{
	const struct link *known = link_at(walk, at);

	return known && known->reading == walk->program->loader.readings;
}

/* Must the walk end before the end of the list? */
static bool
too_long(struct walk *walk)
{
	const struct session *session = walk->program->session;

	if (atomic_load_explicit(&session->clockwork->leave,
				 memory_order_relaxed))
		return true;
	if (walk->idle_ns < IDLE_NS)
		return false;
	say_long(walk->program, "reading it takes long; the rest is read "
				"when it changes again");
	return true;
}

/* Adds up the time of entries that are no modules. The first one after a module
 * is not counted, so that reading a list of modules does not need the clock. */
static void
count_idle(struct walk *walk)
{
	const struct loader *loader = &walk->program->loader;
	uint64_t now;

	if (loader->links.at[loader->links.count - 1].module) {
		walk->idle_since = 0;
		return;
	}
	now = clock_thread_cpu();
	if (walk->idle_since)
		walk->idle_ns += now - walk->idle_since;
	walk->idle_since = now;
}

/* Reads all known entries before the walk, which needs nearly all of them. One
 * system call reads many entries. */
static void
read_ahead(struct walk *walk)
{
	const struct loader *loader = &walk->program->loader;
	size_t count = loader->links.count;
	addr_t *at = xcalloc(count, sizeof(*at));

	for (size_t i = 0; i < count; i++)
		at[i] = loader->links.at[i].at;
	walk->ahead = xcalloc(count, sizeof(*walk->ahead));
	walk->ahead_count = linkmap_links(program_memory(walk->program),
					  program_word(walk->program), at,
					  count, walk->ahead);
	free(at);
}

static int
read_link(const struct walk *walk, addr_t at, struct link_view *ret_view)
{
	uintptr_t number = (uintptr_t)map_get(&walk->by_address, at);

	if (number == 0 || number > walk->ahead_count)
		return linkmap_link(program_memory(walk->program),
				    program_word(walk->program), at, ret_view);
	*ret_view = walk->ahead[number - 1];
	return 0;
}

/* Reads from the entry at `at` to the end of its list. */
static int
walk_list(struct walk *walk, addr_t at, bool from_first)
{
	bool first = from_first;

	while (at && walk->visited++ < LINKS_MOST) {
		struct link_view view;
		int r = read_link(walk, at, &view);

		if (r < 0)
			return r;
		if (leads_back(walk, at) || too_long(walk))
			return -EFAULT;
		meet_link(walk, at, &view, first);
		count_idle(walk);
		first = false;
		at = view.next;
	}
	if (at)
		say_long(walk->program, "it has too many entries; the rest is "
					"not read");
	return 0;
}

/* The address of the last entry that we know of a namespace; 0 if none. */
static addr_t
known_tail(const struct program *program, unsigned space_name)
{
	for (size_t i = program->loader.links.count; i-- > 0;) {
		const struct link *link = &program->loader.links.at[i];

		if (link->space_name == space_name)
			return link->at;
	}
	return 0;
}

/* Does the walk have another entry of the module? The loader itself has one in
 * the list of each namespace. */
static bool
linked_elsewhere(const struct loader *loader, const struct module *module)
{
	for (size_t i = 0; i < loader->links.count; i++) {
		if (loader->links.at[i].seen &&
		    loader->links.at[i].module == module)
			return true;
	}
	return false;
}

/* Removes the references to a module that is about to be dropped. Two entries
 * may refer to the module. The list of new modules may refer to it too, if the
 * walk found the module before the whole list was read and the entry was
 * removed meanwhile. */
static void
forget_module(struct walk *walk, const struct module *module)
{
	struct loader *loader = &walk->program->loader;

	for (size_t i = 0; i < loader->links.count; i++) {
		if (loader->links.at[i].module == module)
			loader->links.at[i].module = NULL;
	}
	for (size_t i = 0; i < walk->fresh.count; i++) {
		if (walk->fresh.at[i] == module) {
			vec_remove(&walk->fresh, i);
			return;
		}
	}
}

/* Drops the links that the walk did not find, and their modules. */
static void
drop_unseen(struct walk *walk)
{
	struct program *program = walk->program;
	struct loader *loader = &program->loader;
	size_t kept = 0;

	for (size_t i = 0; i < loader->links.count; i++) {
		const struct link *link = &loader->links.at[i];
		struct module *module = link->module;

		if (link->seen || !module || linked_elsewhere(loader, module))
			continue;
		/* The module is still mapped: its entry was overwritten, or is
		 * in the part of the list that was not read. */
		if (locate_mapped(program, &walk->locator, module)) {
			loader->links.at[i].seen = true;
			continue;
		}
		debug("%d: %s was unmapped", program->space->pid,
		      image_label(module->image));
		forget_module(walk, module);
		program_drop_module(program, module);
	}
	for (size_t i = 0; i < loader->links.count; i++) {
		if (loader->links.at[i].seen)
			loader->links.at[kept++] = loader->links.at[i];
	}
	loader->links.count = kept;
}

/* Reads the lists of all namespaces: only their tails, or the whole lists. */
static int
walk_lists(struct walk *walk, const struct r_debug_view *first, bool whole)
{
	struct program *program = walk->program;
	struct r_debug_view debug_view = *first;
	int r = 0;

	for (unsigned i = 0; i < NAMESPACES_MOST && r == 0; i++) {
		addr_t tail = whole ? 0 : known_tail(program, i);

		walk->space_name = i;
		r = walk_list(walk, tail ? tail : debug_view.first, !tail);
		if (r < 0 || debug_view.version < 2 || !debug_view.next)
			break;
		r = linkmap_r_debug(program_memory(program),
				    program_word(program), debug_view.next,
				    &debug_view);
	}
	return r;
}

static int
read_links(struct walk *walk, const struct r_debug_view *view)
{
	struct program *program = walk->program;
	struct loader *loader = &program->loader;
	bool whole = loader->whole_list;
	int r;

	loader->readings++;
	for (size_t i = 0; i < loader->links.count && whole; i++)
		loader->links.at[i].seen = false;
	walk->visited = whole ? 0 : loader->links.count;
	if (whole && !walk->ahead)
		read_ahead(walk);
	r = walk_lists(walk, view, whole);
	if (r == 0 && !whole && loader->whole_list)
		return read_links(walk, view);
	if (r == 0 && whole) {
		drop_unseen(walk);
		loader->whole_list = false;
	}
	return r;
}

int
links_read(struct walk *walk, const struct r_debug_view *view)
{
	int r;

	map_init(&walk->by_address);
	locator_init(&walk->locator);
	for (size_t i = 0; i < walk->program->loader.links.count; i++)
		note_link(walk, i);
	r = read_links(walk, view);
	free(walk->ahead);
	walk->ahead = NULL;
	walk->ahead_count = 0;
	map_release(&walk->by_address);
	locator_release(&walk->locator);
	return r;
}
