/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The relocations that the loader applies, as PT_DYNAMIC says. Rows are read
 * in place, at any alignment.
 */
#include "symbols/relocations.h"

#include "symbols/dynamic.h"
#include "symbols/elf_symbols.h"

#include <string.h>

struct relocations
relocations_in(const struct elf *elf, struct bytes bytes)
{
	const size_t size =
		elf_narrow(elf) ? sizeof(Elf32_Rel) : sizeof(Elf64_Rela);

	return (struct relocations){ bytes.at, bytes.count / size, elf };
}

Elf64_Rela
relocation_narrow(const struct relocations *relocations, size_t i)
{
	const struct elf *elf = relocations->elf;
	const uint8_t *word;
	Elf32_Rel narrow;

	memcpy(&narrow, relocations->bytes + i * sizeof(narrow),
	       sizeof(narrow));
	word = elf_span(elf, narrow.r_offset, elf->arch->word);
	return (Elf64_Rela){
		.r_offset = narrow.r_offset,
		.r_info = ELF64_R_INFO((uint64_t)ELF32_R_SYM(narrow.r_info),
				       ELF32_R_TYPE(narrow.r_info)),
		.r_addend = word ? (int64_t)elf_address(elf, word) : 0,
	};
}

struct relocations
relocations_of(const struct elf *elf, enum relocation_table table)
{
	const uint64_t own = elf_narrow(elf) ? DT_REL : DT_RELA;
	const bool jump = table == RELOCATIONS_JUMP;
	int64_t size_tag = elf_narrow(elf) ? DT_RELSZ : DT_RELASZ;
	struct bytes bytes = { 0 };
	uint64_t size, format;

	if (jump)
		size_tag = DT_PLTRELSZ;
	if (dynamic_value(elf, size_tag, &size) &&
	    (!jump || !dynamic_value(elf, DT_PLTREL, &format) || format == own))
		bytes = dynamic_table(elf, jump ? DT_JMPREL : (int64_t)own,
				      size);
	return relocations_in(elf, bytes);
}

size_t
relocations_symbols(const struct relocations *relocations)
{
	size_t most = 0;

	for (size_t i = 0; i < relocations->count; i++) {
		const Elf64_Rela relocation = relocation_at(relocations, i);
		const size_t symbol = ELF64_R_SYM(relocation.r_info);

		if (symbol >= most)
			most = symbol + 1;
	}
	return most;
}

enum relocation_kind
relocation_kind(const struct elf *elf, const Elf64_Rela *relocation)
{
	const struct arch_relocations *types = &elf->arch->elf.relocations;
	const uint32_t type = ELF64_R_TYPE(relocation->r_info);

	if (type == types->relative)
		return RELOCATION_RELATIVE;
	if (type == types->word)
		return RELOCATION_WORD;
	if (type == types->jump_slot)
		return RELOCATION_JUMP_SLOT;
	if (type == types->glob_dat)
		return RELOCATION_GLOB_DAT;
	return type == types->irelative ? RELOCATION_IRELATIVE
					: RELOCATION_OTHER;
}

/* The value that the loader stores for a relocation, before the load bias is
 * added. 0 if it is not known from this file alone. */
static addr_t
relocated_value(const struct elf *elf, const struct raw_symbols *symbols,
		const Elf64_Rela *relocation)
{
	const uint32_t index = ELF64_R_SYM(relocation->r_info);
	addr_t value;
	Elf64_Sym symbol;

	switch (relocation_kind(elf, relocation)) {
	case RELOCATION_RELATIVE:
		return (addr_t)relocation->r_addend;
	case RELOCATION_WORD:
		if (index >= symbols->count)
			return 0;
		symbol = raw_symbol(symbols, index);
		if (symbol.st_shndx == SHN_UNDEF)
			return 0;
		value = symbol.st_value + (addr_t)relocation->r_addend;
		return elf_narrow(elf) ? (uint32_t)value : value;
	default:
		return 0;
	}
}

static void
apply_relocations(const struct elf *elf, addr_t from, size_t count,
		  addr_t *pointers)
{
	const size_t word = elf->arch->word;
	struct relocations all = relocations_of(elf, RELOCATIONS_DATA);
	const struct raw_symbols symbols =
		elf_dynamic_symbols(elf, relocations_symbols(&all));

	for (size_t i = 0; i < all.count; i++) {
		Elf64_Rela relocation = relocation_at(&all, i);
		addr_t into = relocation.r_offset - from;

		if (into / word < count && !(into % word))
			pointers[into / word] =
				relocated_value(elf, &symbols, &relocation);
	}
}

bool
relocations_pointers(const struct elf *elf, addr_t from, size_t count,
		     addr_t *ret_pointers)
{
	const size_t word = elf->arch->word;
	const uint8_t *bytes = elf_span(elf, from, count * word);

	if (!bytes)
		return false;
	for (size_t i = 0; i < count; i++)
		ret_pointers[i] = elf_address(elf, bytes + i * word);
	apply_relocations(elf, from, count, ret_pointers);
	return true;
}
