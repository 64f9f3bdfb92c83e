/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dynamic section is an array of (tag, value) up to DT_NULL. Values that
 * are addresses are the file's own addresses (gABI 5, "Dynamic Section").
 *
 * It does not contain the number of symbols. DT_HASH has one chain link for
 * each symbol. DT_GNU_HASH has only the defined symbols, sorted into buckets
 *
 *	buckets, first, bloom_words, shift
 *	bloom[bloom_words]	64 bits each
 *	bucket[buckets]		the first symbol of a chain, 0 if empty
 *	chain[]			hash of symbol first + i, bit 0 ends a chain
 *
 * so the number is one more than the last index in the chain that starts last.
 */
#include "symbols/dynamic.h"

#include "base/xmalloc.h"

#include <string.h>

/* The top bit of a DT_VERSYM index is "hidden": foo@V, not foo@@V. */
#define VERSYM_HIDDEN 0x8000u
/* The other bits are the version's number. A file with more versions is damaged
 * and may have a cycle. */
#define VERSIONS_MOST 0x8000u
/* PT_DYNAMIC does not contain the length of the version tables. No library has
 * so many bytes of them. */
#define VERSIONS_SIZE_MOST (UINT64_C(256) << 10)

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
	struct bytes bytes;

	if (!elf->dynamic)
		return false;
	bytes = elf_bytes(elf, elf->dynamic, elf->dynamic_size);
	for (size_t i = 0; i < bytes.count / sizeof(Elf64_Dyn); i++) {
		Elf64_Dyn entry = entry_at(bytes.at, i);

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

/* The bytes at the address in the entry with this tag, at most `most`. */
static struct bytes
table_at(const struct elf *elf, int64_t tag, uint64_t most)
{
	uint64_t address;

	if (!dynamic_value(elf, tag, &address))
		return (struct bytes){ 0 };
	return elf_bytes(elf, address, most);
}

struct strings
dynamic_strings(const struct elf *elf)
{
	struct bytes bytes;
	uint64_t size;

	if (!dynamic_value(elf, DT_STRSZ, &size))
		return (struct strings){ 0 };
	bytes = table_at(elf, DT_STRTAB, size);
	return strings_of(bytes.at, bytes.count);
}

struct raw_symbols
dynamic_symbols(const struct elf *elf, size_t count)
{
	const struct bytes bytes =
		table_at(elf, DT_SYMTAB, count * sizeof(Elf64_Sym));

	return (struct raw_symbols){ bytes.at, bytes.count / sizeof(Elf64_Sym),
				     dynamic_strings(elf) };
}

/* ---- hash tables ---------------------------------------------------------*/

static uint32_t
word_at(const uint8_t *bytes, size_t i)
{
	uint32_t word;

	memcpy(&word, bytes + i * sizeof(word), sizeof(word));
	return word;
}

/* DT_GNU_HASH: where its parts are. */
struct gnu_table {
	const struct elf *elf;
	uint32_t first;	       /* the symbol of chain[0] */
	uint32_t bucket_count; /* not 0 */
	addr_t buckets, chains;
};

static bool
read_word(const struct elf *elf, addr_t table, uint64_t i, uint32_t *ret_word)
{
	const uint8_t *bytes =
		elf_span(elf, table + i * sizeof(*ret_word), sizeof(*ret_word));

	if (!bytes)
		return false;
	*ret_word = word_at(bytes, 0);
	return true;
}

static bool
find_gnu_table(const struct elf *elf, struct gnu_table *ret_table)
{
	uint64_t address;
	const uint8_t *bytes;
	struct gnu_table table = { .elf = elf };

	if (!dynamic_value(elf, DT_GNU_HASH, &address))
		return false;
	bytes = elf_span(elf, address, 4 * sizeof(uint32_t));
	if (!bytes)
		return false;
	table.bucket_count = word_at(bytes, 0);
	table.first = word_at(bytes, 1);
	table.buckets = address + 4 * sizeof(uint32_t) +
			word_at(bytes, 2) * sizeof(uint64_t);
	table.chains = table.buckets + table.bucket_count * sizeof(uint32_t);
	*ret_table = table;
	return table.bucket_count != 0;
}

static size_t
count_gnu_hash(const struct gnu_table *table)
{
	const uint8_t *buckets =
		elf_span(table->elf, table->buckets,
			 table->bucket_count * sizeof(uint32_t));
	uint32_t last = 0, word;

	if (!buckets)
		return 0;
	for (size_t i = 0; i < table->bucket_count; i++)
		if (word_at(buckets, i) > last)
			last = word_at(buckets, i);
	if (last < table->first)
		return table->first;
	while (read_word(table->elf, table->chains, last - table->first,
			 &word) &&
	       !(word & 1) && last < UINT32_MAX)
		last++;
	return (size_t)last + 1;
}

size_t
dynamic_symbol_count(const struct elf *elf)
{
	const struct bytes hash = table_at(elf, DT_HASH, 2 * sizeof(uint32_t));
	struct gnu_table table;

	if (hash.count == 2 * sizeof(uint32_t))
		return word_at(hash.at, 1);
	return find_gnu_table(elf, &table) ? count_gnu_hash(&table) : 0;
}

bool
dynamic_may_export(const struct elf *elf, const char *name)
{
	const uint32_t hash = gnu_hash(name);
	struct gnu_table table;
	uint32_t first, word;

	if (!find_gnu_table(elf, &table) ||
	    !read_word(elf, table.buckets, hash % table.bucket_count, &first))
		return true;
	if (first < table.first)
		return false;
	for (uint64_t at = first - table.first;
	     read_word(elf, table.chains, at, &word); at++) {
		if ((word | 1) == (hash | 1))
			return true;
		if (word & 1)
			return false;
	}
	return true;
}

/* ---- versions ----------------------------------------------------------- */

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

/* Each definition is followed by its names; the first is the definition's
 * own. */
static void
read_definitions(const struct elf *elf, const struct strings *strings,
		 struct versions *versions)
{
	const struct bytes table = table_at(elf, DT_VERDEF, VERSIONS_SIZE_MOST);
	const uint8_t *bytes = table.at;
	size_t have = table.count, most = VERSIONS_MOST;
	Elf64_Verdef each;
	Elf64_Verdaux name;

	while (bytes && have >= sizeof(each) && most--) {
		memcpy(&each, bytes, sizeof(each));
		if (have < sizeof(name) || each.vd_aux > have - sizeof(name))
			return;
		memcpy(&name, bytes + each.vd_aux, sizeof(name));
		/* VER_FLG_BASE names the file itself, not a version. */
		if (!(each.vd_flags & VER_FLG_BASE))
			name_version(versions, each.vd_ndx,
				     strings_at(strings, name.vda_name));
		if (!each.vd_next || each.vd_next > have)
			return;
		bytes += each.vd_next;
		have -= each.vd_next;
	}
}

/* Reads the versions that are needed from one file. Returns their number. */
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
	const struct bytes table =
		table_at(elf, DT_VERNEED, VERSIONS_SIZE_MOST);
	const uint8_t *bytes = table.at;
	size_t have = table.count, most = VERSIONS_MOST;
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
dynamic_versions(const struct elf *elf, size_t count)
{
	struct versions versions = { 0 };
	struct strings strings = dynamic_strings(elf);
	const struct bytes bytes =
		table_at(elf, DT_VERSYM, count * sizeof(Elf64_Versym));

	if (!bytes.at)
		return versions;
	versions.versym = bytes.at;
	versions.count = bytes.count / sizeof(Elf64_Versym);
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

/* ---- relocations -------------------------------------------------------- */

struct relocations
dynamic_relocations(const struct elf *elf, enum relocation_table table)
{
	const bool jump = table == RELOCATIONS_JUMP;
	struct bytes bytes;
	uint64_t size, format;

	if (!dynamic_value(elf, jump ? DT_PLTRELSZ : DT_RELASZ, &size))
		return (struct relocations){ 0 };
	if (jump && dynamic_value(elf, DT_PLTREL, &format) && format != DT_RELA)
		return (struct relocations){ 0 };
	bytes = table_at(elf, jump ? DT_JMPREL : DT_RELA, size);
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

/* The value that the loader stores for the relocation, 0 if this file alone
 * does not tell (psABI x86-64 4.4.1). */
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
	struct relocations all = dynamic_relocations(elf, RELOCATIONS_DATA);
	struct raw_symbols symbols =
		dynamic_symbols(elf, relocations_symbols(&all));

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
