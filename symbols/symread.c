/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function may get a trap on its first byte. Therefore a symbol counts as a
 * function only if a trap there is safe:
 *
 * - It is defined in this file, is not absolute, and is in an executable
 *   segment.
 * - It is none of this file's PLT entries. The canonical PLT entry of a
 *   non-PIE program is undefined although it has a value; lld marks the
 *   entries of its IFUNCs as functions in .iplt; mold calls them name$plt.
 * - A symbol without a type (assembly without .type, a table between two
 *   functions, _etext) is a function only if the unwind tables have code that
 *   begins exactly there, or if it is the file's entry.
 * - A part that the compiler split off a function (name.cold) is jumped to
 *   and not called: at its first byte there is no return address on the
 *   stack. It is a kind of its own, which is only used to name an address.
 *
 * In .symtab the linkers append the version to the name, foo@V or foo@@V.
 */
#include "symbols/symread.h"

#include "base/xmalloc.h"
#include "symbols/dynamic.h"
#include "symbols/elf_symbols.h"
#include "symbols/fde.h"

#include <string.h>

#define RANGES_MOST 16

struct range {
	addr_t start;
	uint64_t size;
};

struct symbol_reading {
	struct symbols *symbols;
	const struct elf *elf;
	const struct elf *from; /* elf itself, or its debug file */
	struct raw_symbols raw;
	struct versions versions;
	struct fde_table fdes;
	struct range plt[RANGES_MOST];
	size_t plt_count;
	bool dynamic;
};

/* Finds the sections of the PLT. Names of sections are used for nothing else:
 * a file with symbols in .symtab has section headers, others may have none. */
static void
add_plt_ranges(struct symbol_reading *reading, const struct elf *elf)
{
	for (size_t i = 0; i < elf->section_count; i++) {
		const struct section *section = &elf->sections[i];

		if (strncmp(section->name, ".plt", 4) != 0 &&
		    strncmp(section->name, ".iplt", 5) != 0)
			continue;
		if (reading->plt_count < RANGES_MOST)
			reading->plt[reading->plt_count++] =
				(struct range){ section->address,
						section->size };
	}
}

static bool
in_plt(const struct symbol_reading *reading, addr_t address)
{
	for (size_t i = 0; i < reading->plt_count; i++)
		if (address - reading->plt[i].start < reading->plt[i].size)
			return true;
	return false;
}

static bool
in_text(const struct symbol_reading *reading, addr_t address)
{
	return elf_text(reading->elf, address) && !in_plt(reading, address);
}

/* True for "f.cold", "f.cold.1": GCC's and LLVM's name for the unlikely part of
 * f. */
static bool
names_part(const char *name)
{
	const char *cold = strstr(name, ".cold");

	return cold && (cold[5] == 0 || cold[5] == '.');
}

/* Finds the kind of a symbol. False if the symbol is of no use to us. */
static bool
find_kind(const struct symbol_reading *reading, const Elf64_Sym *raw,
	  enum symbol_kind *ret_kind)
{
	const addr_t address = raw->st_value;

	switch (ELF64_ST_TYPE(raw->st_info)) {
	case STT_FUNC:
		*ret_kind = SYMBOL_FUNCTION;
		return in_text(reading, address);
	case STT_GNU_IFUNC:
		*ret_kind = SYMBOL_IFUNC;
		return in_text(reading, address);
	case STT_NOTYPE:
		*ret_kind = SYMBOL_FUNCTION;
		return in_text(reading, address) &&
		       (address == reading->elf->entry ||
			fde_starts_at(&reading->fdes, address));
	case STT_OBJECT:
	case STT_COMMON:
		*ret_kind = SYMBOL_DATA;
		return elf_segment(reading->elf, address);
	case STT_TLS:
		*ret_kind = SYMBOL_TLS;
		return true;
	default:
		return false;
	}
}

static bool
find_binding(const Elf64_Sym *raw, enum symbol_binding *ret_binding)
{
	switch (ELF64_ST_BIND(raw->st_info)) {
	case STB_GLOBAL:
	case STB_GNU_UNIQUE:
		*ret_binding = SYMBOL_GLOBAL;
		return true;
	case STB_WEAK:
		*ret_binding = SYMBOL_WEAK;
		return true;
	case STB_LOCAL:
		*ret_binding = SYMBOL_LOCAL;
		return true;
	default:
		return false;
	}
}

/* Removes the version from a name of .symtab. */
static void
split_name(struct symbol_reading *reading, struct symbol *symbol)
{
	const char *at = strchr(symbol->name, '@');

	if (!at || at == symbol->name)
		return;
	symbol->default_version = at[1] == '@';
	symbol->version = at + 1 + symbol->default_version;
	symbol->name = arena_strndup(&reading->symbols->names, symbol->name,
				     (size_t)(at - symbol->name));
}

static void
name_symbol(struct symbol_reading *reading, size_t i, struct symbol *symbol)
{
	bool hidden;

	if (!reading->dynamic) {
		split_name(reading, symbol);
	} else {
		symbol->version = versions_at(&reading->versions, i, &hidden);
		symbol->default_version = symbol->version && !hidden;
	}
	if (symbol->kind == SYMBOL_FUNCTION &&
	    symbol->binding == SYMBOL_LOCAL && names_part(symbol->name))
		symbol->kind = SYMBOL_PART;
}

/* False for an undefined symbol, an absolute number, or a symbol in a section
 * that is not loaded, such as the texts of linker warnings. */
static bool
is_loaded(const struct symbol_reading *reading, const Elf64_Sym *raw)
{
	if (raw->st_shndx == SHN_UNDEF || raw->st_shndx == SHN_ABS)
		return false;
	return reading->dynamic ||
	       raw->st_shndx >= reading->from->section_count ||
	       reading->from->sections[raw->st_shndx].flags & SHF_ALLOC;
}

static void
read_symbol(struct symbol_reading *reading, size_t i)
{
	const Elf64_Sym raw = raw_symbol(&reading->raw, i);
	struct symbol symbol = {
		.name = strings_at(&reading->raw.strings, raw.st_name),
		.address = raw.st_value,
		.size = raw.st_size,
		.dynamic = reading->dynamic,
	};

	if (!is_loaded(reading, &raw))
		return;
	if (!symbol.name || !*symbol.name ||
	    !find_binding(&raw, &symbol.binding) ||
	    !find_kind(reading, &raw, &symbol.kind))
		return;
	name_symbol(reading, i, &symbol);
	vec_push(&reading->symbols->list, symbol);
}

struct symbol_reading *
symread_begin(struct symbols *symbols, const struct elf *elf,
	      const struct elf *from)
{
	struct symbol_reading *reading = xcalloc(1, sizeof(*reading));
	const size_t count = from ? 0 : dynamic_symbol_count(elf);

	*reading = (struct symbol_reading){
		.symbols = symbols,
		.elf = elf,
		.from = from ? from : elf,
		.fdes = fde_table_of(elf),
		.dynamic = !from,
	};
	if (from) {
		reading->raw = elf_static_symbols(from);
	} else {
		reading->raw = elf_dynamic_symbols(elf, count);
		reading->versions = elf_versions(elf, count);
	}
	add_plt_ranges(reading, elf);
	if (from && from != elf)
		add_plt_ranges(reading, from);
	return reading;
}

size_t
symread_count(const struct symbol_reading *reading)
{
	return reading->raw.count;
}

/* The place in a symbol's name where the version begins, or the name's end. */
static const char *
name_end(const struct symbol_reading *reading, const char *name)
{
	const char *at = reading->dynamic ? NULL : strchr(name, '@');

	return at && at > name ? at : name + strlen(name);
}

bool
symread_hash(const struct symbol_reading *reading, size_t i, uint32_t *ret_hash)
{
	const Elf64_Sym raw = raw_symbol(&reading->raw, i);
	const char *name = strings_at(&reading->raw.strings, raw.st_name);
	uint32_t hash = gnu_hash_begin;

	if (raw.st_shndx == SHN_UNDEF || !name || !*name)
		return false;
	for (const char *end = name_end(reading, name); name < end; name++)
		hash = gnu_hash_add(hash, *name);
	*ret_hash = hash;
	return true;
}

void
symread_named(struct symbol_reading *reading, size_t i, const char *name)
{
	const char *own;
	size_t length;

	if (i >= reading->raw.count)
		return;
	own = strings_at(&reading->raw.strings,
			 raw_symbol(&reading->raw, i).st_name);
	length = own ? (size_t)(name_end(reading, own) - own) : 0;
	if (length && strncmp(own, name, length) == 0 && !name[length])
		read_symbol(reading, i);
}

void
symread_end(struct symbol_reading *reading)
{
	if (!reading)
		return;
	versions_release(&reading->versions);
	free(reading);
}

static void
read_from(struct symbols *symbols, const struct elf *elf,
	  const struct elf *from)
{
	struct symbol_reading *reading = symread_begin(symbols, elf, from);

	for (size_t i = 0; i < reading->raw.count; i++)
		read_symbol(reading, i);
	symread_end(reading);
}

void
symread_dynamic(struct symbols *symbols, const struct elf *elf)
{
	read_from(symbols, elf, NULL);
}

void
symread_static(struct symbols *symbols, const struct elf *elf,
	       const struct elf *from)
{
	read_from(symbols, elf, from);
}
