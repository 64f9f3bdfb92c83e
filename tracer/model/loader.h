/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What xtrace knows about the loader in one space: see tracer/loader. */
#ifndef TRACER_MODEL_LOADER_H
#define TRACER_MODEL_LOADER_H

#include "base/addr.h"
#include "base/vec.h"

#include <stdbool.h>

struct module;
struct site;

/* One entry of the loader's list that xtrace has seen. */
struct link {
	addr_t at; /* address of its struct link_map */
	addr_t dynamic;
	addr_t bias;
	unsigned space_name;
	struct module *module; /* NULL: a module that is not traced (the
				* vdso) */
	bool seen;	       /* seen in this read of the list */
	unsigned reading;      /* the number of the read that met it last */
};

struct loader {
	addr_t r_debug;	  /* 0: not known yet */
	struct site *brk; /* the site at r_brk */
	addr_t brk_to_be; /* when attaching: where the site will be; 0 if it is
			   * planted */
	bool whole_list;  /* an entry was removed: read the whole list */
	bool consistent;  /* the program's first RT_CONSISTENT was seen */
	bool absent;	  /* a static program: it will not have a loader */
	/*
	 * Complaints that are printed once: about a wrong entry, and about a
	 * list that is too long.
	 */
	bool said_contradiction, said_long;
	vec_of(struct link) links;
	unsigned readings;  /* how often the lists were read */
	bool copies_stacks; /* the program uses greenlets, see
			     * tracer/model/calls */
};

#endif
