/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols of one name, without a table of all symbols. */
#ifndef SYMBOLS_NAMED_H
#define SYMBOLS_NAMED_H

#include "symbols/symtab.h"

/* See symtab_may_have(). */
bool named_may_have(struct image *image, const char *name);

/*
 * The symbols with this name, in the order of the table of all symbols. NULL if
 * only that table can tell. Kept with the image.
 */
const struct symtab *named_symbols(struct image *image,
				   enum symtab_extent extent, const char *name);

#endif
