/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of symbols of a file, and the versions of dynamic symbols. */
#ifndef SYMBOLS_ELF_SYMBOLS_H
#define SYMBOLS_ELF_SYMBOLS_H

#include "symbols/elf.h"

#include <string.h>

/* A table of symbols; valid until elf_release(). */
struct raw_symbols {
	/* as libelf has converted them to this machine's byte order */
	const uint8_t *rows;
	size_t count;
	struct strings strings;
	bool narrow; /* the rows have the form of ELFCLASS32 */
};

/* The first count symbols of DT_SYMTAB, or fewer if the segment ends before. */
struct raw_symbols elf_dynamic_symbols(const struct elf *elf, size_t count);
/* The symbols of SHT_SYMTAB; none if the file has no such section. */
struct raw_symbols elf_static_symbols(const struct elf *elf);

/*
 * The symbol with this number, which is below count. gelf_getsym() is not used,
 * because it would take a third of the time in which a table is read.
 */
static inline Elf64_Sym
raw_symbol(const struct raw_symbols *symbols, size_t i)
{
	Elf64_Sym symbol;
	Elf32_Sym narrow;

	if (symbols->narrow) {
		memcpy(&narrow, symbols->rows + i * sizeof(narrow),
		       sizeof(narrow));
		return (Elf64_Sym){
			.st_name = narrow.st_name,
			.st_value = narrow.st_value,
			.st_size = narrow.st_size,
			.st_info = narrow.st_info,
			.st_other = narrow.st_other,
			.st_shndx = narrow.st_shndx,
		};
	}
	memcpy(&symbol, symbols->rows + i * sizeof(symbol), sizeof(symbol));
	return symbol;
}

/* The tables of DT_VERSYM, DT_VERDEF and DT_VERNEED. */
struct versions {
	const uint8_t *versym; /* a 16-bit index for each symbol */
	size_t count;	       /* how many of the indexes are in the file */
	const char **names;    /* the name for each index, or NULL */
	size_t name_count;
};

/* Reads the versions of the first count symbols. */
struct versions elf_versions(const struct elf *elf, size_t count);
void versions_release(struct versions *versions);
/*
 * The version of a symbol, or NULL. *ret_hidden: the symbol is foo@V, not the
 * default foo@@V.
 */
const char *versions_at(const struct versions *versions, size_t symbol,
			bool *ret_hidden);

#endif
