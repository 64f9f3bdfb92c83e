/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dynamic section (PT_DYNAMIC): what the loader reads of a file. If a file
 * has no section headers, this room reads nothing else.
 */
#ifndef SYMBOLS_DYNAMIC_H
#define SYMBOLS_DYNAMIC_H

#include "symbols/elf.h"

/* Reads the first entry with this tag (DT_...); false if there is none. */
must_check bool dynamic_value(const struct elf *elf, int64_t tag,
			      uint64_t *ret_value);
/* Reads the nth entry with this tag, from 0. */
must_check bool dynamic_nth(const struct elf *elf, int64_t tag, size_t nth,
			    uint64_t *ret_value);

/* DT_STRTAB; empty if there is none. */
struct strings dynamic_strings(const struct elf *elf);

/* Symbols in the file, perhaps unaligned. */
struct raw_symbols {
	const uint8_t *bytes;
	size_t count;
	struct strings strings;
};

/* The first symbols of DT_SYMTAB: count of them, or fewer if the segment ends
 * before. */
struct raw_symbols dynamic_symbols(const struct elf *elf, size_t count);
/* The number of symbols according to DT_HASH or DT_GNU_HASH. The latter does
 * not count undefined symbols if no symbol is defined. */
size_t dynamic_symbol_count(const struct elf *elf);

/* The hash function of DT_GNU_HASH (Bernstein's). */
static inline uint32_t
gnu_hash(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

/* False if DT_GNU_HASH shows that the file does not export this symbol. Reads
 * only a few words of the table. */
bool dynamic_may_export(const struct elf *elf, const char *name);

static inline Elf64_Sym
raw_symbol(const struct raw_symbols *symbols, size_t i)
{
	Elf64_Sym symbol;

	__builtin_memcpy(&symbol, symbols->bytes + i * sizeof(symbol),
			 sizeof(symbol));
	return symbol;
}

/* DT_VERSYM, DT_VERDEF and DT_VERNEED. */
struct versions {
	const uint8_t *versym; /* a 16-bit index for each symbol */
	size_t count;	       /* how many are in the file */
	const char **names;    /* by index; NULL if unused */
	size_t name_count;
};

/* For the first count symbols. */
struct versions dynamic_versions(const struct elf *elf, size_t count);
void versions_release(struct versions *versions);
/* The version of a symbol, or NULL. A hidden version is foo@V, a default one
 * foo@@V. */
const char *versions_at(const struct versions *versions, size_t symbol,
			bool *ret_hidden);

/* Relocations with addends in the file, perhaps unaligned. */
struct relocations {
	const uint8_t *bytes;
	size_t count;
};

enum relocation_table { RELOCATIONS_JUMP, RELOCATIONS_DATA };

/* DT_JMPREL or DT_RELA; empty if there is none. */
struct relocations dynamic_relocations(const struct elf *elf,
				       enum relocation_table table);

/* How many symbols the file must have for all of them. */
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
 * The addresses of the file that the loader will leave in count words from
 * `from` on: the word's content (for DT_RELR, this is the addend), or the value
 * of a relocation. 0 if it depends on another file. False if the words are not
 * in the file.
 */
must_check bool dynamic_pointers(const struct elf *elf, addr_t from,
				 size_t count, addr_t *ret_pointers);

#endif
