/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the loader changes in a module: the relocations of PT_DYNAMIC. */
#ifndef SYMBOLS_RELOCATIONS_H
#define SYMBOLS_RELOCATIONS_H

#include "symbols/elf.h"

/*
 * Relocations in the file, at any alignment. Those of ELFCLASS64 have addends
 * (DT_RELA). Those of ELFCLASS32 have none (DT_REL, i386 psABI 2.7): the addend
 * is in the word.
 */
struct relocations {
	const uint8_t *bytes;
	size_t count;
	const struct elf *elf;
};

/* What a relocation stores in its word. struct arch_relocations has the numbers
 * of these kinds. */
enum relocation_kind {
	RELOCATION_OTHER,
	RELOCATION_RELATIVE,  /* the module's base + addend */
	RELOCATION_WORD,      /* the symbol's address + addend */
	RELOCATION_JUMP_SLOT, /* the address of a function, maybe later */
	RELOCATION_GLOB_DAT,  /* the symbol's address */
	RELOCATION_IRELATIVE, /* what the function at base + addend returns */
};

enum relocation_kind relocation_kind(const struct elf *elf,
				     const Elf64_Rela *relocation);

enum relocation_table { RELOCATIONS_JUMP, RELOCATIONS_DATA };

/*
 * The relocations of DT_JMPREL, or of DT_RELA or DT_REL; none if the file does
 * not have this table.
 */
struct relocations relocations_of(const struct elf *elf,
				  enum relocation_table table);

/* How many symbols the file must have at least, because a relocation names the
 * last of them. */
size_t relocations_symbols(const struct relocations *relocations);

/* The relocations in these bytes. */
struct relocations relocations_in(const struct elf *elf, struct bytes bytes);

/* Relocation i of a file of ELFCLASS32. Its addend is read from the word that
 * the relocation changes. */
Elf64_Rela relocation_narrow(const struct relocations *relocations, size_t i);

static inline Elf64_Rela
relocation_at(const struct relocations *relocations, size_t i)
{
	Elf64_Rela relocation;

	if (elf_narrow(relocations->elf))
		return relocation_narrow(relocations, i);
	__builtin_memcpy(&relocation,
			 relocations->bytes + i * sizeof(relocation),
			 sizeof(relocation));
	return relocation;
}

/*
 * Foretells what the loader leaves in count words of a table of pointers, which
 * begins at `from`. For each word, this is an address of the file: the value of
 * its relocation, or else the word's content, which DT_RELR takes as addend.
 * It is 0 if it depends on another file. Returns false if the words are not in
 * the file.
 */
must_check bool relocations_pointers(const struct elf *elf, addr_t from,
				     size_t count, addr_t *ret_pointers);

#endif
