/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the imports by the loader's relocations: each JUMP_SLOT, GLOB_DAT or
 * IRELATIVE relocation names a word of the GOT. A static program has no
 * PT_DYNAMIC, but its start-up code also applies IRELATIVE relocations, which
 * are in its loaded SHT_RELA sections.
 *
 * Only if gates are asked for, the text is scanned for instructions that use
 * these words, which takes most of the time.
 * Gates are collected with the number of their import and sorted by it, and
 * each import points at its part of one array.
 */
#include "symbols/plt.h"

#include "base/map.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "symbols/dynamic.h"
#include "symbols/elf_symbols.h"
#include "symbols/gates.h"
#include "symbols/image_parts.h"
#include "symbols/relocations.h"

#include <stdlib.h>
#include <string.h>

struct gate {
	size_t import;
	addr_t address;
};

struct imports {
	struct plt plt;
	vec_of(struct import) list;
	addr_t *gates;
	bool scanned; /* the gates are known */
};

struct plt_reading {
	struct imports *imports;
	const struct elf *elf;
	struct raw_symbols symbols;
	struct versions versions;
	struct map by_address; /* address of the word -> number, from 1 */
	addr_t low, high;      /* the range of the addresses of the words */
	vec_of(struct gate) gates;
};

static void
note_word(struct plt_reading *reading, addr_t word, uintptr_t number)
{
	map_put(&reading->by_address, word, (void *)number);
	if (word < reading->low)
		reading->low = word;
	if (word > reading->high)
		reading->high = word;
}

/* ---- imports ------------------------------------------------------------ */

static void
add_import(struct plt_reading *reading, const struct import *import)
{
	const uintptr_t number = reading->imports->list.count + 1;

	/* A word may be in both tables, because DT_RELA may include
	 * DT_JMPREL. */
	if (map_get(&reading->by_address, import->word))
		return;
	note_word(reading, import->word, number);
	vec_push(&reading->imports->list, *import);
}

/* If no library gave an undefined symbol a type, it may be a function if the
 * GOT refers to it, but not if a table of pointers does. */
static bool
may_be_function(const Elf64_Sym *symbol, enum relocation_kind relocation)
{
	switch (ELF64_ST_TYPE(symbol->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_NOTYPE:
		return relocation == RELOCATION_GLOB_DAT;
	default:
		return false;
	}
}

static void
add_named(struct plt_reading *reading, const Elf64_Rela *relocation)
{
	const uint32_t index = ELF64_R_SYM(relocation->r_info);
	const enum relocation_kind kind =
		relocation_kind(reading->elf, relocation);
	struct import import = { .word = relocation->r_offset };
	Elf64_Sym symbol;
	bool hidden;

	if (index >= reading->symbols.count)
		return;
	symbol = raw_symbol(&reading->symbols, index);
	import.kind = kind == RELOCATION_JUMP_SLOT ? IMPORT_JUMP : IMPORT_DATA;
	import.name = strings_at(&reading->symbols.strings, symbol.st_name);
	if (!import.name || !*import.name ||
	    (import.kind == IMPORT_DATA && !may_be_function(&symbol, kind)))
		return;
	import.version = versions_at(&reading->versions, index, &hidden);
	add_import(reading, &import);
}

static void
add_relocation(struct plt_reading *reading, const Elf64_Rela *relocation)
{
	switch (relocation_kind(reading->elf, relocation)) {
	case RELOCATION_WORD:
		if (relocation->r_addend)
			return;
		/* fallthrough */
	case RELOCATION_JUMP_SLOT:
	case RELOCATION_GLOB_DAT:
		add_named(reading, relocation);
		break;
	case RELOCATION_IRELATIVE:
		add_import(reading,
			   &(struct import){
				   .kind = IMPORT_IRELATIVE,
				   .word = relocation->r_offset,
				   .resolver = (addr_t)relocation->r_addend,
			   });
		break;
	case RELOCATION_RELATIVE:
	case RELOCATION_OTHER:
		break;
	}
}

static void
add_relocations(struct plt_reading *reading,
		const struct relocations *relocations)
{
	for (size_t i = 0; i < relocations->count; i++) {
		Elf64_Rela relocation = relocation_at(relocations, i);

		add_relocation(reading, &relocation);
	}
}

static void
add_sections(struct plt_reading *reading)
{
	const uint32_t type = elf_narrow(reading->elf) ? SHT_REL : SHT_RELA;

	for (size_t i = 0; i < reading->elf->section_count; i++) {
		const struct section *section = &reading->elf->sections[i];
		struct relocations relocations;
		struct bytes bytes;

		if (section->type != type || !(section->flags & SHF_ALLOC))
			continue;
		bytes = elf_section_bytes(reading->elf, section);
		relocations = relocations_in(reading->elf, bytes);
		add_relocations(reading, &relocations);
	}
}

static void
read_imports(struct plt_reading *reading)
{
	const struct elf *elf = reading->elf;
	struct relocations jump, data;
	size_t jump_symbols, data_symbols, symbols;

	if (!elf->dynamic) {
		add_sections(reading);
		return;
	}
	jump = relocations_of(elf, RELOCATIONS_JUMP);
	data = relocations_of(elf, RELOCATIONS_DATA);
	jump_symbols = relocations_symbols(&jump);
	data_symbols = relocations_symbols(&data);
	symbols = jump_symbols > data_symbols ? jump_symbols : data_symbols;
	reading->symbols = elf_dynamic_symbols(elf, symbols);
	reading->versions = elf_versions(elf, symbols);
	add_relocations(reading, &jump);
	add_relocations(reading, &data);
}

/* ---- gates -------------------------------------------------------------- */

static void
sort_uses(struct plt_reading *reading, struct image *image,
	  const struct import_uses *uses)
{
	struct gate_proof proof;

	gate_proof_init(&proof, image);
	for (size_t i = 0; i < uses->list.count; i++) {
		const struct import_use *use = &uses->list.at[i];
		const size_t number =
			(uintptr_t)map_get(&reading->by_address, use->word);
		struct gate gate = { .import = number - 1 };

		if (use->kind == IMPORT_USE_LOAD) {
			reading->imports->list.at[number - 1].loaded = true;
		} else if (use->kind == IMPORT_USE_CALL) {
			reading->imports->list.at[number - 1].called = true;
		} else if (gate_prove(&proof, use, &gate.address)) {
			vec_push(&reading->gates, gate);
			if (gate_is_stub(&proof, use))
				reading->imports->list.at[number - 1].stub =
					true;
		}
	}
}

static void
scan_text(struct plt_reading *reading, struct image *image)
{
	const struct elf *elf = reading->elf;
	const struct import_words words = { &reading->by_address, reading->low,
					    reading->high, dynamic_got(elf) };
	struct import_uses uses = { 0 };

	for (size_t i = 0; i < elf->segments.count; i++) {
		const struct segment *segment = &elf->segments.at[i];
		struct bytes text;
		struct code code;

		if (!segment->executable)
			continue;
		text = elf_bytes(elf, segment->address, segment->file_size);
		code = (struct code){ text.at, text.count, segment->address };
		elf->arch->imports->scan(&code, &words, &uses);
	}
	sort_uses(reading, image, &uses);
	vec_release(&uses.list);
}

static int
compare_gates(const void *left, const void *right)
{
	const struct gate *a = left, *b = right;

	if (a->import != b->import)
		return a->import < b->import ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

static void
share_gates(struct plt_reading *reading)
{
	struct imports *imports = reading->imports;

	imports->gates = xcalloc(reading->gates.count, sizeof(addr_t));
	vec_sort(&reading->gates, compare_gates);
	for (size_t i = 0; i < reading->gates.count; i++) {
		const struct gate *gate = &reading->gates.at[i];
		struct import *import = &imports->list.at[gate->import];

		imports->gates[i] = gate->address;
		if (!import->gate_count++)
			import->gates = &imports->gates[i];
	}
}

/* ---- the whole ---------------------------------------------------------- */

static void
free_imports(void *thing)
{
	struct imports *imports = thing;

	vec_release(&imports->list);
	free(imports->gates);
	free(imports);
}

static struct imports *
imports_of(struct image *image)
{
	struct imports *imports = image_kept(image, SHELF_PLT);
	struct plt_reading reading = {
		.elf = image_elf(image),
		.low = UINT64_MAX,
	};

	if (imports)
		return imports;
	imports = xcalloc(1, sizeof(*imports));
	reading.imports = imports;
	map_init(&reading.by_address);
	read_imports(&reading);
	imports->plt = (struct plt){ imports->list.at, imports->list.count };
	versions_release(&reading.versions);
	map_release(&reading.by_address);
	image_keep(image, SHELF_PLT, imports, free_imports);
	return imports;
}

static void
find_gates(struct imports *imports, struct image *image)
{
	struct plt_reading reading = {
		.imports = imports,
		.elf = image_elf(image),
		.low = UINT64_MAX,
	};

	map_init(&reading.by_address);
	for (size_t i = 0; i < imports->list.count; i++)
		note_word(&reading, imports->list.at[i].word, i + 1);
	if (imports->list.count)
		scan_text(&reading, image);
	share_gates(&reading);
	vec_release(&reading.gates);
	map_release(&reading.by_address);
}

const struct plt *
image_imports(struct image *image)
{
	return &imports_of(image)->plt;
}

const struct plt *
image_plt(struct image *image)
{
	struct imports *imports = imports_of(image);

	if (!imports->scanned)
		find_gates(imports, image);
	imports->scanned = true;
	return &imports->plt;
}
