/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names and lines of addresses, each found once:
 *
 *	name:  symbols/symtab, as everywhere in xtrace
 *	line:  native_lines, from the file or its debug file; libdwfl if that
 *	       cannot tell, as for DWARF 4
 *
 * Lines are looked up only if they are wanted, because the first line of a file
 * makes us inflate its tables.
 */
#ifndef STACKS_NATIVE_PLACES_H
#define STACKS_NATIVE_PLACES_H

#include "base/arena.h"
#include "base/map.h"
#include "stacks/native_modules.h"

/* What is known about an address. */
struct native_location {
	const char *function, *file; /* each of the two may be NULL */
	unsigned line;
	bool lined; /* the debug information was searched, with or without
		     * success */
	addr_t start;
};

struct native_places {
	struct map found; /* address -> struct native_location */
	struct arena names;
	/* xtrace leaves and has stopped reading debug information
	 * (base/attempt): libdw's and libdwfl's objects are neither used nor
	 * freed any more. */
	bool abandoned;
};

void native_places_init(struct native_places *places);
void native_places_release(struct native_places *places);
/* Forgets all locations, because the modules at these addresses have
 * changed. */
void native_places_forget(struct native_places *places);

/* Is the location of the address known already? */
must_check bool native_place_known(const struct native_places *places,
				   addr_t address, bool with_line);

/* Returns the location of an address in the module, which may be NULL. The line
 * is looked up only if with_line is true. The result is valid until the next
 * call. If places->abandoned, module is not used, and mapped is the module at
 * the address, or NULL. */
const struct native_location *native_place(struct native_places *places,
					   Dwfl_Module *module,
					   const struct module *mapped,
					   addr_t address, bool with_line);

#endif
