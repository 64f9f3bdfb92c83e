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

/* Begins to append single symbols: those of .dynsym if `from` is NULL, else
 * those of .symtab in `from`, as in symread_static(). */
struct symbol_reading *symread_begin(struct symbols *symbols,
				     const struct elf *elf,
				     const struct elf *from);
size_t symread_count(const struct symbol_reading *reading);
/* gnu_hash() of the name of symbol i, without a version. False if it has no
 * name, or is undefined. */
must_check bool symread_hash(const struct symbol_reading *reading, size_t i,
			     uint32_t *ret_hash);
/* Appends symbol i if it has this name. */
void symread_named(struct symbol_reading *reading, size_t i, const char *name);
void symread_end(struct symbol_reading *reading);

/* Appends the symbols of .symtab in `from`, which is elf or its debug file. elf
 * tells where the text is. */
void symread_static(struct symbols *symbols, const struct elf *elf,
		    const struct elf *from);

#endif
