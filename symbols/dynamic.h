/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dynamic section (PT_DYNAMIC): what the loader reads of a file, and all
 * that this room needs where a file has no section headers.
 */
#ifndef SYMBOLS_DYNAMIC_H
#define SYMBOLS_DYNAMIC_H

#include "symbols/elf.h"

/* The first entry with that tag (DT_...): false where there is none. */
must_check bool dynamic_value(const struct elf *elf, int64_t tag,
			      uint64_t *ret_value);
/* The nth entry with that tag, from 0. */
must_check bool dynamic_nth(const struct elf *elf, int64_t tag, size_t nth,
			    uint64_t *ret_value);

/* DT_STRTAB; empty where there is none. */
struct strings dynamic_strings(const struct elf *elf);

/* Symbols in the file, at any alignment. */
struct raw_symbols {
	const uint8_t *bytes;
	size_t count;
	struct strings strings;
};

/* The first symbols of DT_SYMTAB: count of them, or fewer if the segment ends
 * before. */
struct raw_symbols dynamic_symbols(const struct elf *elf, size_t count);
/* How many symbols DT_HASH or DT_GNU_HASH counts. The latter does not count
 * undefined symbols if no symbol is defined. */
size_t dynamic_symbol_count(const struct elf *elf);

/* The hash of DT_GNU_HASH, which is Bernstein's. */
static inline uint32_t
gnu_hash(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

/* False where DT_GNU_HASH says that the file exports no such symbol; of the
 * table it reads a few words. */
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
	size_t count;	       /* how many of them are in the file */
	const char **names;    /* by index; NULL where there is none */
	size_t name_count;
};

/* For the first count symbols. */
struct versions dynamic_versions(const struct elf *elf, size_t count);
void versions_release(struct versions *versions);
/* The version of a symbol or NULL; hidden is foo@V, a default foo@@V. */
const char *versions_at(const struct versions *versions, size_t symbol,
			bool *ret_hidden);

/* Relocations with addends, in the file at any alignment. */
struct relocations {
	const uint8_t *bytes;
	size_t count;
};

enum relocation_table { RELOCATIONS_JUMP, RELOCATIONS_DATA };

/* DT_JMPREL or DT_RELA; empty where there is none. */
struct relocations dynamic_relocations(const struct elf *elf,
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
must_check bool dynamic_pointers(const struct elf *elf, addr_t from,
				 size_t count, addr_t *ret_pointers);

#endif
