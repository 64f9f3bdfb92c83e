/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dynamic section is an array of (tag, value) up to DT_NULL; the values
 * that are addresses are the file's own (gABI 5, "Dynamic Section").
 *
 * It does not say how many symbols there are. DT_HASH has one chain link for
 * each of them. DT_GNU_HASH has the defined ones only, sorted into buckets
 *
 *	buckets, first, bloom_words, shift
 *	bloom[bloom_words]	64 bits each
 *	bucket[buckets]		the first symbol of a chain, 0 if empty
 *	chain[]			hash of symbol first + i, bit 0 ends a chain
 *
 * so the number is one more than the end of the chain that starts last.
 */
#include "symbols/dynamic.h"

#include "base/xmalloc.h"

#include <string.h>

/* The top bit of a DT_VERSYM index is "hidden": foo@V, not foo@@V. */
#define VERSYM_HIDDEN 0x8000u
/* The others number versions. A file that claims more runs in circles. */
#define VERSIONS_MOST 0x8000u

static Elf64_Dyn
entry_at(const uint8_t *bytes, size_t i)
{
	Elf64_Dyn entry;

	memcpy(&entry, bytes + i * sizeof(entry), sizeof(entry));
	return entry;
}

bool
dynamic_nth(const struct elf *elf, int64_t tag, size_t nth, uint64_t *ret_value)
{
	size_t have;
	const uint8_t *bytes =
		elf->dynamic ? elf_bytes(elf, elf->dynamic, &have) : NULL;

	if (!bytes)
		return false;
	if (have > elf->dynamic_size)
		have = elf->dynamic_size;
	for (size_t i = 0; i < have / sizeof(Elf64_Dyn); i++) {
		Elf64_Dyn entry = entry_at(bytes, i);

		if (entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag != tag || nth--)
			continue;
		*ret_value = entry.d_un.d_val;
		return true;
	}
	return false;
}

bool
dynamic_value(const struct elf *elf, int64_t tag, uint64_t *ret_value)
{
	return dynamic_nth(elf, tag, 0, ret_value);
}

/* What the address under tag points at, and how many bytes follow. */
static const uint8_t *
table_at(const struct elf *elf, int64_t tag, size_t *ret_have)
{
	uint64_t address;

	if (!dynamic_value(elf, tag, &address))
		return NULL;
	return elf_bytes(elf, address, ret_have);
}

struct strings
dynamic_strings(const struct elf *elf)
{
	size_t have;
	uint64_t size;
	const uint8_t *bytes = table_at(elf, DT_STRTAB, &have);

	if (!bytes || !dynamic_value(elf, DT_STRSZ, &size))
		return (struct strings){ 0 };
	return strings_of(bytes, size < have ? size : have);
}

struct raw_symbols
dynamic_symbols(const struct elf *elf)
{
	size_t have;
	const uint8_t *bytes = table_at(elf, DT_SYMTAB, &have);

	if (!bytes)
		return (struct raw_symbols){ 0 };
	return (struct raw_symbols){ bytes, have / sizeof(Elf64_Sym),
				     dynamic_strings(elf) };
}

static uint32_t
word_at(const uint8_t *bytes, size_t i)
{
	uint32_t word;

	memcpy(&word, bytes + i * sizeof(word), sizeof(word));
	return word;
}

static uint64_t
largest_bucket(const uint8_t *buckets, size_t count)
{
	uint32_t largest = 0;

	for (size_t i = 0; i < count; i++)
		if (word_at(buckets, i) > largest)
			largest = word_at(buckets, i);
	return largest;
}

static size_t
count_gnu_hash(const uint8_t *bytes, size_t have)
{
	const uint64_t words = have / sizeof(uint32_t);
	uint64_t buckets, first, chains, last;

	if (words < 4)
		return 0;
	buckets = word_at(bytes, 0);
	first = word_at(bytes, 1);
	chains = 4 + 2 * (uint64_t)word_at(bytes, 2) + buckets;
	if (chains > words)
		return 0;
	last = largest_bucket(bytes + (chains - buckets) * sizeof(uint32_t),
			      buckets);
	if (last < first)
		return first;
	while (chains + last - first < words &&
	       !(word_at(bytes, chains + last - first) & 1))
		last++;
	return last + 1;
}

size_t
dynamic_symbol_count(const struct elf *elf)
{
	const size_t most = dynamic_symbols(elf).count;
	size_t have, count = 0;
	const uint8_t *hash = table_at(elf, DT_HASH, &have);

	if (hash && have >= 2 * sizeof(uint32_t)) {
		count = word_at(hash, 1);
	} else {
		hash = table_at(elf, DT_GNU_HASH, &have);
		if (hash)
			count = count_gnu_hash(hash, have);
	}
	return count < most ? count : most;
}

bool
dynamic_may_export(const struct elf *elf, const char *name)
{
	const uint32_t hash = gnu_hash(name);
	size_t have;
	const uint8_t *bytes = table_at(elf, DT_GNU_HASH, &have);
	const uint64_t words = bytes ? have / sizeof(uint32_t) : 0;
	uint64_t buckets, chains, at;
	uint32_t first;

	if (words < 4)
		return true;
	buckets = word_at(bytes, 0);
	first = word_at(bytes, 1);
	chains = 4 + 2 * (uint64_t)word_at(bytes, 2) + buckets;
	if (!buckets || chains > words)
		return true;
	at = word_at(bytes, chains - buckets + hash % buckets);
	if (at < first)
		return false;
	for (at += chains - first; at < words; at++) {
		uint32_t word = word_at(bytes, at);

		if ((word | 1) == (hash | 1))
			return true;
		if (word & 1)
			return false;
	}
	return true;
}

/* ---- versions ------------------------------------------------------------*/

static void
name_version(struct versions *versions, unsigned index, const char *name)
{
	index &= ~VERSYM_HIDDEN;
	if (index >= versions->name_count) {
		versions->names = xreallocarray(versions->names, index + 1,
						sizeof(versions->names[0]));
		while (versions->name_count <= index)
			versions->names[versions->name_count++] = NULL;
	}
	versions->names[index] = name;
}

/* Each definition is followed by its names; the first is its own. */
static void
read_definitions(const struct elf *elf, const struct strings *strings,
		 struct versions *versions)
{
	size_t have, most = VERSIONS_MOST;
	const uint8_t *bytes = table_at(elf, DT_VERDEF, &have);
	Elf64_Verdef each;
	Elf64_Verdaux name;

	while (bytes && have >= sizeof(each) && most--) {
		memcpy(&each, bytes, sizeof(each));
		if (have < sizeof(name) || each.vd_aux > have - sizeof(name))
			return;
		memcpy(&name, bytes + each.vd_aux, sizeof(name));
		/* VER_FLG_BASE is the file itself, no version. */
		if (!(each.vd_flags & VER_FLG_BASE))
			name_version(versions, each.vd_ndx,
				     strings_at(strings, name.vda_name));
		if (!each.vd_next || each.vd_next > have)
			return;
		bytes += each.vd_next;
		have -= each.vd_next;
	}
}

/* The versions that are wanted of one file: how many. */
static size_t
read_needs_of(const uint8_t *bytes, size_t have, size_t most,
	      const struct strings *strings, struct versions *versions)
{
	size_t count = 0;
	Elf64_Vernaux each;

	while (count < most && have >= sizeof(each)) {
		memcpy(&each, bytes, sizeof(each));
		name_version(versions, each.vna_other,
			     strings_at(strings, each.vna_name));
		count++;
		if (!each.vna_next || each.vna_next > have)
			break;
		bytes += each.vna_next;
		have -= each.vna_next;
	}
	return count;
}

static void
read_needs(const struct elf *elf, const struct strings *strings,
	   struct versions *versions)
{
	size_t have, most = VERSIONS_MOST;
	const uint8_t *bytes = table_at(elf, DT_VERNEED, &have);
	Elf64_Verneed each;

	while (bytes && have >= sizeof(each) && most) {
		memcpy(&each, bytes, sizeof(each));
		if (each.vn_aux <= have && each.vn_cnt <= most)
			most -= read_needs_of(bytes + each.vn_aux,
					      have - each.vn_aux, each.vn_cnt,
					      strings, versions);
		if (!each.vn_next || each.vn_next > have)
			return;
		bytes += each.vn_next;
		have -= each.vn_next;
	}
}

struct versions
dynamic_versions(const struct elf *elf)
{
	struct versions versions = { 0 };
	struct strings strings = dynamic_strings(elf);
	size_t have;

	versions.versym = table_at(elf, DT_VERSYM, &have);
	if (!versions.versym)
		return versions;
	versions.count = have / sizeof(Elf64_Versym);
	read_definitions(elf, &strings, &versions);
	read_needs(elf, &strings, &versions);
	return versions;
}

void
versions_release(struct versions *versions)
{
	free(versions->names);
}

const char *
versions_at(const struct versions *versions, size_t symbol, bool *ret_hidden)
{
	Elf64_Versym index;

	*ret_hidden = false;
	if (symbol >= versions->count)
		return NULL;
	memcpy(&index, versions->versym + symbol * sizeof(index),
	       sizeof(index));
	*ret_hidden = index & VERSYM_HIDDEN;
	index &= ~VERSYM_HIDDEN;
	return index < versions->name_count ? versions->names[index] : NULL;
}

/* ---- relocations ---------------------------------------------------------*/

struct relocations
dynamic_relocations(const struct elf *elf, enum relocation_table table)
{
	const bool jump = table == RELOCATIONS_JUMP;
	size_t have;
	uint64_t size, format;
	const uint8_t *bytes = table_at(elf, jump ? DT_JMPREL : DT_RELA, &have);

	if (!bytes ||
	    !dynamic_value(elf, jump ? DT_PLTRELSZ : DT_RELASZ, &size))
		return (struct relocations){ 0 };
	if (jump && dynamic_value(elf, DT_PLTREL, &format) && format != DT_RELA)
		return (struct relocations){ 0 };
	size = size < have ? size : have;
	return (struct relocations){ bytes, size / sizeof(Elf64_Rela) };
}

/* What the loader puts where the relocation says, 0 if that is not known
 * from this file alone (psABI x86-64 4.4.1). */
static addr_t
relocated_value(const struct raw_symbols *symbols, const Elf64_Rela *relocation)
{
	const uint32_t index = ELF64_R_SYM(relocation->r_info);
	Elf64_Sym symbol;

	switch (ELF64_R_TYPE(relocation->r_info)) {
	case R_X86_64_RELATIVE:
		return (addr_t)relocation->r_addend;
	case R_X86_64_64:
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
	struct raw_symbols symbols = dynamic_symbols(elf);
	struct relocations all = dynamic_relocations(elf, RELOCATIONS_DATA);

	for (size_t i = 0; i < all.count; i++) {
		Elf64_Rela relocation = relocation_at(&all, i);
		addr_t into = relocation.r_offset - from;

		if (into / sizeof(addr_t) < count && !(into % sizeof(addr_t)))
			pointers[into / sizeof(addr_t)] =
				relocated_value(&symbols, &relocation);
	}
}

bool
dynamic_pointers(const struct elf *elf, addr_t from, size_t count,
		 addr_t *ret_pointers)
{
	const uint8_t *bytes = elf_span(elf, from, count * sizeof(addr_t));

	if (!bytes)
		return false;
	memcpy(ret_pointers, bytes, count * sizeof(addr_t));
	apply_relocations(elf, from, count, ret_pointers);
	return true;
}
