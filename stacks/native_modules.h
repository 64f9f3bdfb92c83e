/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports a space's modules to libdwfl: their names, places and files, whose
 * bytes symbols/ has already opened, and their debug files.
 */
#ifndef STACKS_NATIVE_MODULES_H
#define STACKS_NATIVE_MODULES_H

#include "base/reader.h"
#include "base/vec.h"
#include "stacks/native_lines.h"
#include "symbols/image.h"
#include "symbols/modmap.h"

#include <elfutils/libdwfl.h>

/* A module as it was reported to libdwfl. */
struct reported {
	unsigned serial;
	struct image *image;
	const char *label;
	addr_t bias;
	bool current;
	Dwfl_Module *module; /* NULL: libdwfl has refused the module */
	bool prepared;	     /* the module's unwinding tables were read */
	struct native_lines *lines; /* NULL: not read yet */
};

struct native_modules {
	Dwfl *dwfl;
	vec_of(struct reported *) told;
	unsigned changes; /* map.changes when the modules were reported */
	bool begun;
	/* The address of the vdso; 0: none. Its bytes are read once. */
	addr_t vdso;
	bool vdso_read;
	struct image *vdso_image;
};

/* The callbacks of libdwfl, for dwfl_begin(). */
extern const Dwfl_Callbacks native_callbacks;

void native_modules_init(struct native_modules *modules, Dwfl *dwfl);
/* Frees the records. Call this after dwfl_end(). */
void native_modules_release(struct native_modules *modules);

/* Reports the map's modules as they are now, if they have changed. Returns true
 * if a module that was reported before has been removed. */
must_check bool native_modules_follow(struct native_modules *modules,
				      const struct modmap *map,
				      struct reader *memory);

/* Reads the unwinding tables of modules that were reported since the last
 * call. */
void native_modules_read(struct native_modules *modules);

/* The record of a module that was reported to libdwfl, or NULL. */
struct reported *native_modules_reported(Dwfl_Module *module);

#endif
