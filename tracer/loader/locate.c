/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/PID/map_files/START-END is the file that is mapped, even if its name
 * was removed or now means another file. Opening it needs CAP_SYS_ADMIN or
 * CAP_CHECKPOINT_RESTORE (proc(5)). Without them the name is looked up in the
 * process's own root, and the file is used only if its device and inode are
 * those of the mapping.
 */
#include "tracer/loader/locate.h"

#include "base/log.h"
#include "base/xmalloc.h"
#include "process/maps.h"
#include "process/status.h"
#include "tracer/model/say.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

static int
open_mapped(pid_t pid, addr_t address, struct image **ret_image)
{
	cleanup(freep) char *path = NULL;
	struct mapping mapping;
	struct err err = { "" };
	char *deleted;
	pid_t living;
	int r = maps_query(pid, address, &mapping);

	if (r < 0)
		return r;
	path = mapping.path;
	if (path[0] != '/')
		return -ENOENT;
	r = open_in_root(pid, &mapping, ret_image, &err);
	if (r == -ENOENT && (living = status_living(pid)) != pid) {
		pid = living;
		r = open_in_root(pid, &mapping, ret_image, &err);
	}
	if (r < 0 && r != -ENOEXEC) {
		deleted = strstr(path, " (deleted)");
		if (deleted)
			*deleted = '\0';
		r = open_map_file(pid, &mapping, ret_image, &err);
	}
	if (r < 0)
		debug("%d: %s", pid, err.text);
	return r;
}

int
locate_image(struct program *program, addr_t address, struct image **ret_image)
{
	int r = open_mapped(program->space->pid, address, ret_image);

	if (r < 0)
		say_scarce(program->session, r);
	return r;
}
