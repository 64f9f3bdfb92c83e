/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loader's lists, compared with what we know: which modules are new, and
 * which are gone.
 */
#ifndef TRACER_LOADER_LINKS_H
#define TRACER_LOADER_LINKS_H

#include "process/linkmap.h"
#include "tracer/model/session.h"

/* New modules are collected: they are planned for when all are known. */
struct walk {
	struct program *program;
	vec_of(struct module *) fresh;
	unsigned space_name;
};

/*
 * Reads the tails of all namespaces' lists, or all of them where something
 * went away, from the r_debug that view shows. What is gone is forgotten. 0, or
 * the reader's error.
 */
must_check int links_read(struct walk *walk, const struct r_debug_view *view);

/* A module of that image at that bias; takes the reference over. */
struct module *links_add_module(struct program *program, struct image *image,
				addr_t bias);

struct module *links_main(struct program *program);
struct module *links_loader(struct program *program);

#endif
