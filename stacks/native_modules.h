/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What libdwfl is told of a space's modules: their names, places and files,
 * whose bytes symbols/ has open already, and their debug files.
 */
#ifndef STACKS_NATIVE_MODULES_H
#define STACKS_NATIVE_MODULES_H

#include "base/reader.h"
#include "base/vec.h"
#include "symbols/image.h"
#include "symbols/modmap.h"

#include <elfutils/libdwfl.h>

/* A module as we have told libdwfl of it. */
struct reported {
	unsigned serial;
	struct image *image;
	const char *label;
	addr_t bias;
	bool current;
};

struct native_modules {
	Dwfl *dwfl;
	vec_of(struct reported *) told;
	unsigned changes; /* of the map, when its modules were told */
	bool begun;
	/* The kernel's own library; 0: none. Its bytes are read once. */
	addr_t vdso;
	bool vdso_read;
	struct image *vdso_image;
};

/* For dwfl_begin(). */
extern const Dwfl_Callbacks native_callbacks;

void native_modules_init(struct native_modules *modules, Dwfl *dwfl);
/* After dwfl_end(). */
void native_modules_release(struct native_modules *modules);

/* Tells of the map's modules as they are now, if they are others than before.
 * true where one of those told before is there no more. */
must_check bool native_modules_follow(struct native_modules *modules,
				      const struct modmap *map,
				      struct reader *memory);

/* What was told, or NULL. */
struct reported *native_modules_reported(Dwfl_Module *module);

#endif
