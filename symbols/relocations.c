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
relocations_of(const struct elf *elf, enum relocation_table table)
{
	const bool jump = table == RELOCATIONS_JUMP;
	struct bytes bytes;
	uint64_t size, format;

	if (!dynamic_value(elf, jump ? DT_PLTRELSZ : DT_RELASZ, &size))
		return (struct relocations){ 0 };
	if (jump && dynamic_value(elf, DT_PLTREL, &format) && format != DT_RELA)
		return (struct relocations){ 0 };
	bytes = dynamic_table(elf, jump ? DT_JMPREL : DT_RELA, size);
	return (struct relocations){ bytes.at,
				     bytes.count / sizeof(Elf64_Rela) };
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

/* What the loader puts where the relocation says, 0 if that is not known
 * from this file alone. */
static addr_t
relocated_value(const struct elf *elf, const struct raw_symbols *symbols,
		const Elf64_Rela *relocation)
{
	const uint32_t index = ELF64_R_SYM(relocation->r_info);
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
		return symbol.st_value + (addr_t)relocation->r_addend;
	default:
		return 0;
	}
}

static void
apply_relocations(const struct elf *elf, addr_t from, size_t count,
		  addr_t *pointers)
{
	struct relocations all = relocations_of(elf, RELOCATIONS_DATA);
	const struct raw_symbols symbols =
		elf_dynamic_symbols(elf, relocations_symbols(&all));

	for (size_t i = 0; i < all.count; i++) {
		Elf64_Rela relocation = relocation_at(&all, i);
		addr_t into = relocation.r_offset - from;

		if (into / sizeof(addr_t) < count && !(into % sizeof(addr_t)))
			pointers[into / sizeof(addr_t)] =
				relocated_value(elf, &symbols, &relocation);
	}
}

bool
relocations_pointers(const struct elf *elf, addr_t from, size_t count,
		     addr_t *ret_pointers)
{
	const uint8_t *bytes = elf_span(elf, from, count * sizeof(addr_t));

	if (!bytes)
		return false;
	memcpy(ret_pointers, bytes, count * sizeof(addr_t));
	apply_relocations(elf, from, count, ret_pointers);
	return true;
}
