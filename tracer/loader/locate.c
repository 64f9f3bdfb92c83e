/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/PID/map_files/START-END is the file that is mapped, even if its name
 * was removed or now means another file. Opening it needs CAP_SYS_ADMIN or
 * CAP_CHECKPOINT_RESTORE (proc(5)). Without them the name is looked up in the
 * process's own root, and the file is used only if its device and inode are
 * those of the mapping.
 *
 * The loader's list is the program's memory, and the program may write anything
 * there. With a wrong bias a trap would be planted inside of an instruction. So
 * the list is compared with the file and with the place where it is mapped.
 */
#include "tracer/loader/locate.h"

#include "base/log.h"
#include "base/xmalloc.h"
#include "process/maps.h"
#include "process/status.h"
#include "tracer/model/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int
open_in_root(pid_t pid, const struct mapping *mapping, struct image **ret_image,
	     struct err *err)
{
	cleanup(freep) char *path =
		xasprintf("/proc/%d/root%s", pid, mapping->path);
	struct stat status;

	if (stat(path, &status) < 0)
		return err_set(err, -errno, "%s: %m", mapping->path);
	if (status.st_ino != mapping->inode)
		return err_set(err, -ESTALE,
			       "%s is not the file that is mapped",
			       mapping->path);
	return image_open(path, mapping->path, ret_image, err);
}

static int
open_map_file(pid_t pid, const struct mapping *mapping,
	      struct image **ret_image, struct err *err)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%lx-%lx", pid,
		 (unsigned long)mapping->start, (unsigned long)mapping->end);
	return image_open(path, mapping->path, ret_image, err);
}

void
locator_init(struct locator *locator)
{
	*locator = (struct locator){ .maps = -1, .root = ROOT_UNKNOWN };
}

void
locator_release(struct locator *locator)
{
	if (locator->maps >= 0)
		close(locator->maps);
}

static bool
has_our_root(struct locator *locator, pid_t pid)
{
	if (locator->root == ROOT_UNKNOWN)
		locator->root =
			status_shares_root(pid) ? ROOT_OURS : ROOT_OTHER;
	return locator->root == ROOT_OURS;
}

static int
open_mapped(pid_t pid, struct locator *locator, const struct mapping *mapping,
	    struct image **ret_image)
{
	struct err err = { "" };
	char *deleted, root[64];
	pid_t living;
	int r;

	if (mapping->path[0] != '/')
		return -ENOENT;
	r = open_in_root(pid, mapping, ret_image, &err);
	if (r == -ENOENT && (living = status_living(pid)) != pid) {
		pid = living;
		r = open_in_root(pid, mapping, ret_image, &err);
	}
	if (r < 0 && r != -ENOEXEC) {
		deleted = strstr(mapping->path, " (deleted)");
		if (deleted)
			*deleted = '\0';
		r = open_map_file(pid, mapping, ret_image, &err);
	}
	if (r < 0) {
		debug("%d: %s", pid, err.text);
		return r;
	}
	/* The debug file of the image may be in the process's container. */
	if (!has_our_root(locator, pid)) {
		snprintf(root, sizeof(root), "/proc/%d/root", pid);
		image_seen_from(*ret_image, root);
	}
	return 0;
}

/* Opens the file that is mapped at the address. The caller frees the mapping's
 * path, also after an error. */
static int
find_image(struct program *program, struct locator *locator, addr_t address,
	   struct mapping *mapping, struct image **ret_image)
{
	cleanup(image_unrefp) struct image *image = NULL;
	pid_t pid = program->space->pid;
	int r;

	mapping->path = NULL;
	r = maps_query_open(&locator->maps, pid, address, mapping);
	if (r == 0)
		r = open_mapped(pid, locator, mapping, &image);
	/* An emulator maps ELF files for another kind of CPU. They are no
	 * modules of the emulator's process. */
	if (r == 0)
		r = image_expect(image, program->space->arch, NULL);
	if (r == 0)
		*ret_image = take(image);
	if (r < 0)
		say_scarce(program->session, r);
	return r;
}

int
locate_image(struct program *program, addr_t address, struct image **ret_image)
{
	struct mapping mapping;
	struct locator locator;
	int r;

	locator_init(&locator);
	r = find_image(program, &locator, address, &mapping, ret_image);
	locator_release(&locator);
	free(mapping.path);
	return r;
}

/* Is the file's dynamic section mapped where the loader's list says? */
static bool
agrees(const struct image *image, const struct mapping *mapping,
       const struct link_view *view)
{
	addr_t dynamic = image_dynamic(image);
	uint64_t offset = mapping->offset + (view->dynamic - mapping->start);
	size_t count;
	const struct segment *segments = image_segments(image, &count);

	for (size_t i = 0; i < count; i++) {
		addr_t at = dynamic - segments[i].address;

		if (at < segments[i].file_size)
			return dynamic + view->bias == view->dynamic &&
			       segments[i].offset + at == offset;
	}
	return false;
}

/* Tells the user, once, that the loader's list and the mapped file differ. The
 * program has overwritten the list or the file. */
static void
say_contradiction(struct program *program, const struct link_view *view)
{
	pid_t pid = program->space->pid;
	char name[64];

	if (program->loader.said_contradiction)
		return;
	program->loader.said_contradiction = true;
	status_name(pid, name, sizeof(name));
	say("process %d (%s): a module at %#" PRIxADDR " is not traced: the "
	    "loader's list says something else than the file that is mapped "
	    "there",
	    pid, name, view->dynamic);
}

/* Is the entry still in the loader's list? While xtrace attaches, threads run
 * on: the list may be changing, or the entry may have been removed since it was
 * read. */
static bool
is_listed(struct program *program, const struct link_view *view)
{
	struct reader *memory = program_memory(program);
	struct r_debug_view list;
	struct link_view previous, again;

	if (linkmap_r_debug(memory, program_word(program),
			    program->loader.r_debug, &list) < 0 ||
	    list.state != R_CONSISTENT)
		return false;
	return !view->previous ||
	       (linkmap_link(memory, program_word(program), view->previous,
			     &previous) == 0 &&
		previous.next != view->next &&
		linkmap_link(memory, program_word(program), previous.next,
			     &again) == 0 &&
		again.dynamic == view->dynamic && again.bias == view->bias);
}

static int
find_agreeing(struct program *program, struct locator *locator,
	      const struct link_view *view, struct image **ret_image)
{
	struct mapping mapping;
	int r = find_image(program, locator, view->dynamic, &mapping,
			   ret_image);

	if (r == 0 && !agrees(*ret_image, &mapping, view)) {
		image_unref(*ret_image);
		r = -EINVAL;
	}
	free(mapping.path);
	return r;
}

int
locate_module(struct program *program, struct locator *locator,
	      const struct link_view *view, struct image **ret_image)
{
	int r = find_agreeing(program, locator, view, ret_image);

	if (r != -EINVAL)
		return r;
	if (!is_listed(program, view)) {
		program->loader.whole_list = true;
		return r;
	}
	/* The file and the entry are compared again, because the module may
	 * have been unloaded and loaded again while they were read. */
	r = find_agreeing(program, locator, view, ret_image);
	if (r == -EINVAL)
		say_contradiction(program, view);
	return r;
}

bool
locate_mapped(const struct program *program, struct locator *locator,
	      const struct module *module)
{
	const char *name = image_name(module->image);
	size_t count;
	const struct segment *segments = image_segments(module->image, &count);

	for (size_t i = 0; i < count; i++) {
		struct mapping mapping;
		bool same;

		if (!segments[i].executable)
			continue;
		if (maps_query_open(&locator->maps, program->space->pid,
				    module->bias + segments[i].address,
				    &mapping) < 0)
			return false;
		same = !strncmp(mapping.path, name, strlen(name));
		free(mapping.path);
		return same;
	}
	return false;
}
