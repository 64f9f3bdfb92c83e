/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of a file's raw symbols are symbols to us, and what they are. */
#ifndef SYMBOLS_SYMREAD_H
#define SYMBOLS_SYMREAD_H

#include "base/arena.h"
#include "base/vec.h"
#include "symbols/elf.h"
#include "symbols/symtab.h"

struct symbols {
	vec_of(struct symbol) list;
	struct arena names; /* those that had to be cut out of longer ones */
};

/* Appends those of .dynsym. */
void symread_dynamic(struct symbols *symbols, const struct elf *elf);

/* Appends those of .symtab in `from`, elf itself or its debug file: elf says
 * where text is. */
void symread_static(struct symbols *symbols, const struct elf *elf,
		    const struct elf *from);

#endif
