/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module is an image mapped in a space: a file and its address. The modmap
 * has a space's modules and finds the module of an address.
 */
#ifndef SYMBOLS_MODMAP_H
#define SYMBOLS_MODMAP_H

#include "base/vec.h"
#include "symbols/image.h"

struct symbol;

struct module {
	struct image *image; /* the map holds a reference to it */
	addr_t bias;	     /* what is added to the image's addresses */
	addr_t start, end;   /* the range that the module covers */
	addr_t dynamic;	     /* l_ld, 0 for a static program */
	char *linked_as;     /* the path that the loader used, or NULL */
	unsigned serial;     /* a number that no other module of the run has */
	unsigned space_name; /* link-map namespace, 0 is LM_ID_BASE */
	bool main;	     /* the program itself */
	bool loader;	     /* ld.so */
	bool relocated;	     /* the GOT and the tables of pointers are valid */
	void *user;	     /* for tracer/; this room does not use it */
};

struct modmap {
	vec_of(struct module *) modules; /* sorted by start address */
	unsigned changes; /* number of additions and removals so far */
};

void modmap_init(struct modmap *map);
/* Frees the map and its modules. */
void modmap_release(struct modmap *map);

/* Takes a reference to image. The map owns the module. */
struct module *modmap_add(struct modmap *map, struct image *image, addr_t bias);
void modmap_remove(struct modmap *map, struct module *module);
/* A copy for a forked space: same serials, same images, user NULL. */
void modmap_copy(struct modmap *to, const struct modmap *from);

/* The module that covers the address, or NULL. */
struct module *modmap_covering(const struct modmap *map, addr_t address);

#endif
