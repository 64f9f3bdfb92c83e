/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this room see of an image and the rest of the house does
 * not: the elf in it, and the shelf on which each of them keeps what it has
 * read.
 */
#ifndef SYMBOLS_IMAGE_PARTS_H
#define SYMBOLS_IMAGE_PARTS_H

#include "symbols/elf.h"

const struct elf *image_elf(const struct image *image);
/* The root before which debug files are looked for (image_seen_from), or "". */
const char *image_root(const struct image *image);

/* The shelf: one place for each thing that is read at first need. */
enum image_shelf {
	SHELF_NAMED_SYMBOLS,
	SHELF_STATIC_SYMBOLS,
	SHELF_DYNAMIC_SYMBOLS,
	SHELF_ALL_SYMBOLS,
	SHELF_PLT,
	SHELF_SIGACTIONS,
	SHELF_COUNT
};

void *image_kept(const struct image *image, enum image_shelf shelf);
/* The image frees it with its own end. The place was empty. */
void image_keep(struct image *image, enum image_shelf shelf, void *thing,
		void (*free_thing)(void *thing));

#endif
