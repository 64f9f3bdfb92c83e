/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the loader changes in a module: the relocations of PT_DYNAMIC. */
#ifndef SYMBOLS_RELOCATIONS_H
#define SYMBOLS_RELOCATIONS_H

#include "symbols/elf.h"

/* Relocations with addends, in the file at any alignment. */
struct relocations {
	const uint8_t *bytes;
	size_t count;
};

enum relocation_table { RELOCATIONS_JUMP, RELOCATIONS_DATA };

/* DT_JMPREL or DT_RELA; empty where there is none. */
struct relocations relocations_of(const struct elf *elf,
				  enum relocation_table table);

/* How many symbols of the file there must be for all of them. */
size_t relocations_symbols(const struct relocations *relocations);

static inline Elf64_Rela
relocation_at(const struct relocations *relocations, size_t i)
{
	Elf64_Rela relocation;

	__builtin_memcpy(&relocation,
			 relocations->bytes + i * sizeof(relocation),
			 sizeof(relocation));
	return relocation;
}

/*
 * What the loader will leave in count words from `from` on, as addresses of
 * the file: what stands there (for DT_RELR that is the addend), or what a
 * relocation puts there; 0 for what another file will say. False where they
 * are not in the file.
 */
must_check bool relocations_pointers(const struct elf *elf, addr_t from,
				     size_t count, addr_t *ret_pointers);

#endif
