/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What only the files of this room may use of an image: its elf, and its shelf,
 * where each of these files keeps what it has read.
 */
#ifndef SYMBOLS_IMAGE_PARTS_H
#define SYMBOLS_IMAGE_PARTS_H

#include "symbols/elf.h"

const struct elf *image_elf(const struct image *image);
/* The root before which debug files are looked for (image_seen_from), or "". */
const char *image_root(const struct image *image);

/* What is read from the file of an image when it is first needed, and is then
 * kept until the image ends. */
enum image_shelf {
	SHELF_NAMED_SYMBOLS,
	SHELF_STATIC_SYMBOLS,
	SHELF_DYNAMIC_SYMBOLS,
	SHELF_ALL_SYMBOLS,
	SHELF_PLT,
	SHELF_SIGACTIONS,
	SHELF_SDTS,
	SHELF_COUNT
};

void *image_kept(const struct image *image, enum image_shelf shelf);
/* Puts a thing on a shelf that is still empty. The image frees the thing when
 * the image itself is freed. */
void image_keep(struct image *image, enum image_shelf shelf, void *thing,
		void (*free_thing)(void *thing));

#endif
