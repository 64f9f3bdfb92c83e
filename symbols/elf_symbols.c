/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dynamic symbols are found as the loader finds them, by PT_DYNAMIC; those of
 * .symtab by its section. In both cases libelf checks and reads the table.
 *
 * DT_VERSYM has an index for each dynamic symbol. The names of the indexes are
 * in DT_VERDEF for the versions that the file defines, and in DT_VERNEED for
 * the versions that it needs from other files (LSB Core 10.7). Both are lists
 * of lists: each entry says how far behind it the next one is, and where its
 * own list begins. libelf reads the entries. It does not check where a list
 * continues: a list of a damaged file may leave the table, or never end.
 */
#include "symbols/elf_symbols.h"

#include "base/die.h"
#include "base/xmalloc.h"
#include "symbols/dynamic.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>

/* The top bit of a DT_VERSYM index is "hidden": foo@V, not foo@@V. */
#define VERSYM_HIDDEN 0x8000u
/* The other bits are the number of a version. A file that claims more versions
 * has lists that are circles. */
#define VERSIONS_MOST 0x8000u
/*
 * No library has more bytes in its tables of versions, whose length PT_DYNAMIC
 * does not contain.
 */
#define VERSIONS_SIZE_MOST (UINT64_C(256) << 10)

/* libelf's view of bytes of the file. */
static Elf_Data *
data_of(const struct elf *elf, struct bytes bytes, Elf_Type type)
{
	Elf_Data *data;

	if (!bytes.at)
		return NULL;
	errno = 0;
	data = elf_getdata_rawchunk(elf->file, bytes.at - elf->content->bytes,
				    bytes.count, type);
	if (!data && errno == ENOMEM)
		die("out of memory");
	return data;
}

/* ---- symbols -------------------------------------------------------------*/

static size_t
row_size(const struct elf *elf)
{
	return elf_narrow(elf) ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
}

static struct raw_symbols
symbols_in(const struct elf *elf, const Elf_Data *data, struct strings strings)
{
	if (!data)
		return (struct raw_symbols){ 0 };
	return (struct raw_symbols){ data->d_buf, data->d_size / row_size(elf),
				     strings, elf_narrow(elf) };
}

struct raw_symbols
elf_dynamic_symbols(const struct elf *elf, size_t count)
{
	struct bytes rows =
		dynamic_table(elf, DT_SYMTAB, count * row_size(elf));

	rows.count -= rows.count % row_size(elf);
	return symbols_in(elf, data_of(elf, rows, ELF_T_SYM),
			  dynamic_strings(elf));
}

struct raw_symbols
elf_static_symbols(const struct elf *elf)
{
	const struct section *table = elf_section_of(elf, SHT_SYMTAB);
	struct bytes rows, strings;
	Elf_Data *data;

	if (!table || table->link >= elf->section_count)
		return (struct raw_symbols){ 0 };
	rows = elf_section_bytes(elf, table);
	strings = elf_section_bytes(elf, &elf->sections[table->link]);
	if (!rows.at || !strings.at)
		return (struct raw_symbols){ 0 };
	errno = 0;
	data = elf_getdata(elf_getscn(elf->file, table->index), NULL);
	if (!data && errno == ENOMEM)
		die("out of memory");
	return symbols_in(elf, data, strings_of(strings.at, strings.count));
}

/* ---- versions ------------------------------------------------------------*/

/* Advances *at by bytes; false at the end of the list or of the table. */
static bool
step(const Elf_Data *data, int *at, uint32_t bytes)
{
	if (!bytes || bytes > data->d_size - (size_t)*at)
		return false;
	*at += (int)bytes;
	return true;
}

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

/* Reads the versions that the file defines. Each definition has a list of
 * names: first its own, then those of the versions that it includes. */
static void
read_definitions(const struct elf *elf, const struct strings *strings,
		 struct versions *versions)
{
	Elf_Data *data =
		data_of(elf, dynamic_table(elf, DT_VERDEF, VERSIONS_SIZE_MOST),
			ELF_T_VDEF);
	unsigned most = VERSIONS_MOST;
	GElf_Verdef each;
	GElf_Verdaux name;
	int at = 0, own;

	while (most-- && gelf_getverdef(data, at, &each)) {
		own = at;
		/* VER_FLG_BASE is the file itself, no version. */
		if (!(each.vd_flags & VER_FLG_BASE) &&
		    step(data, &own, each.vd_aux) &&
		    gelf_getverdaux(data, own, &name))
			name_version(versions, each.vd_ndx,
				     strings_at(strings, name.vda_name));
		if (!step(data, &at, each.vd_next))
			return;
	}
}

/* Reads the versions that are needed of one other file. Returns how many. */
static unsigned
read_needs_of(Elf_Data *data, int at, unsigned most,
	      const struct strings *strings, struct versions *versions)
{
	unsigned count = 0;
	GElf_Vernaux each;

	while (count < most && gelf_getvernaux(data, at, &each)) {
		name_version(versions, each.vna_other,
			     strings_at(strings, each.vna_name));
		count++;
		if (!step(data, &at, each.vna_next))
			break;
	}
	return count;
}

static void
read_needs(const struct elf *elf, const struct strings *strings,
	   struct versions *versions)
{
	Elf_Data *data =
		data_of(elf, dynamic_table(elf, DT_VERNEED, VERSIONS_SIZE_MOST),
			ELF_T_VNEED);
	unsigned most = VERSIONS_MOST;
	GElf_Verneed each;
	int at = 0, own;

	while (most && gelf_getverneed(data, at, &each)) {
		own = at;
		if (each.vn_cnt <= most && step(data, &own, each.vn_aux))
			most -= read_needs_of(data, own, each.vn_cnt, strings,
					      versions);
		if (!step(data, &at, each.vn_next))
			return;
	}
}

struct versions
elf_versions(const struct elf *elf, size_t count)
{
	struct versions versions = { 0 };
	struct strings strings = dynamic_strings(elf);
	const struct bytes bytes =
		dynamic_table(elf, DT_VERSYM, count * sizeof(Elf64_Versym));

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
