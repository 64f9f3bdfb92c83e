/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selects and classifies a file's raw symbols. */
#ifndef SYMBOLS_SYMREAD_H
#define SYMBOLS_SYMREAD_H

#include "base/arena.h"
#include "base/vec.h"
#include "symbols/elf.h"
#include "symbols/symtab.h"

struct symbols {
	vec_of(struct symbol) list;
	struct arena names; /* names that were cut out of longer ones */
};

/* Appends the symbols of .dynsym. */
void symread_dynamic(struct symbols *symbols, const struct elf *elf);

/* Appends the symbols of .symtab in `from`, which is elf or its debug file. elf
 * tells where the text is. */
void symread_static(struct symbols *symbols, const struct elf *elf,
		    const struct elf *from);

#endif
