/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the file that is mapped at an address of a process, even if the file
 * was deleted or replaced, is in another mount namespace, or has no name.
 */
#ifndef TRACER_LOADER_LOCATE_H
#define TRACER_LOADER_LOCATE_H

#include "process/linkmap.h"
#include "symbols/image.h"
#include "tracer/model/session.h"

/* What is found out once for the modules of a process that are looked for one
 * after the other. */
struct locator {
	int maps; /* /proc/PID/maps, or -1 */
	enum { ROOT_UNKNOWN, ROOT_OURS, ROOT_OTHER } root;
};

void locator_init(struct locator *locator);
void locator_release(struct locator *locator);

/* Returns the image mapped at address; the caller gets a reference. Returns
 * -ENOENT for what is not an ELF file (the vdso). If xtrace lacks memory or
 * descriptors, it prints that once. */
must_check int locate_image(struct program *program, addr_t address,
			    struct image **ret_image);

/* As locate_image(), for the module that an entry of the loader's list
 * describes. Returns -EINVAL, and prints that once, if the file that is mapped
 * there contradicts the entry. */
must_check int locate_module(struct program *program, struct locator *locator,
			     const struct link_view *view,
			     struct image **ret_image);

/* Is the module's text still mapped? */
bool locate_mapped(const struct program *program, struct locator *locator,
		   const struct module *module);

#endif
