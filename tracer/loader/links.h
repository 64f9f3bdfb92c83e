/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the loader's lists with what we know: which modules are new, and
 * which were removed.
 */
#ifndef TRACER_LOADER_LINKS_H
#define TRACER_LOADER_LINKS_H

#include "process/linkmap.h"
#include "tracer/loader/locate.h"
#include "tracer/model/session.h"

/* One reading of the loader's lists. It collects the new modules, because their
 * plans are made when all of them are known. */
struct walk {
	struct program *program;
	vec_of(struct module *) fresh;
	unsigned space_name;
	/* The members from here on are for links_read(). */
	struct map by_address; /* address of an entry -> its number, from 1 */
	struct locator locator;
	/* If the whole list is read: the entries that were known before, by
	 * their numbers. They are read together. */
	struct link_view *ahead;
	size_t ahead_count;
	/* the CPU time since the last module; 0: the last entry was a module */
	uint64_t idle_since;
	size_t visited; /* how many entries were read */
	/* CPU time that was spent on entries that are no modules */
	uint64_t idle_ns;
};

/*
 * Reads the tails of all namespaces' lists, or the whole lists if an entry was
 * removed, beginning with the r_debug in view. Removed modules are forgotten.
 * Returns 0 or the reader's error.
 */
must_check int links_read(struct walk *walk, const struct r_debug_view *view);

/* Adds the image as a module at this bias. Takes over the reference to the
 * image. */
struct module *links_add_module(struct program *program, struct image *image,
				addr_t bias);

struct module *links_main(struct program *program);
struct module *links_loader(struct program *program);

#endif
