/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Most runs want some names of a file, and the file has thousands of symbols.
 * To read and sort all of them takes most of the time of a start. Here only the
 * symbols of the wanted names are read. Every answer is kept.
 *
 * - Exported symbols are found by DT_GNU_HASH, as the loader finds them.
 * - For .symtab an index is made at the first question: a hash table, at most
 *   half full, of { hash of the name, number of the symbol }.
 *
 * Only the table of all symbols knows the size of a function whose symbol has
 * none and whose alias has one. For such a name the table is read.
 */
#include "symbols/named.h"

#include "base/map.h"
#include "base/xmalloc.h"
#include "symbols/debugfile.h"
#include "symbols/dynamic.h"
#include "symbols/image_parts.h"
#include "symbols/symread.h"
#include "symbols/symsort.h"

#include <string.h>

struct index_cell {
	uint32_t hash;
	uint32_t place; /* the symbol's number plus 1; 0 if the cell is free */
};

struct named {
	struct arena arena;
	/* One map for each extent, from a name to its struct symtab, or to
	 * ask_table if only the table of all symbols can tell. */
	struct strmap answers[2];
	/* the symbols of the name that was asked for last */
	struct symbols symbols;
	struct symbol_reading *exported;
	struct symbol_reading *statics; /* NULL: not read, or there are none */
	bool statics_read;
	struct index_cell *cells;
	size_t room;
};

static const struct symtab no_symbols;
static const struct symtab ask_table;

static void
free_named(void *thing)
{
	struct named *named = thing;

	symread_end(named->exported);
	symread_end(named->statics);
	arena_release(&named->symbols.names);
	vec_release(&named->symbols.list);
	strmap_release(&named->answers[SYMTAB_DYNAMIC]);
	strmap_release(&named->answers[SYMTAB_ALL]);
	arena_release(&named->arena);
	free(named->cells);
	free(named);
}

static struct named *
named_of(struct image *image)
{
	struct named *named = image_kept(image, SHELF_NAMED_SYMBOLS);

	if (named)
		return named;
	named = xcalloc(1, sizeof(*named));
	arena_init(&named->arena);
	arena_init(&named->symbols.names);
	strmap_init(&named->answers[SYMTAB_DYNAMIC]);
	strmap_init(&named->answers[SYMTAB_ALL]);
	image_keep(image, SHELF_NAMED_SYMBOLS, named, free_named);
	return named;
}

static void
read_exported(struct named *named, const struct elf *elf, const char *name)
{
	const uint32_t hash = gnu_hash(name);
	uint32_t index = 0;

	if (!named->exported)
		named->exported = symread_begin(&named->symbols, elf, NULL);
	while (dynamic_next_hashed(elf, hash, &index))
		symread_named(named->exported, index, name);
}

/* ---- .symtab ------------------------------------------------------------- */

/* The cell for a hash. Similar names have similar hashes, which the
 * multiplication spreads. */
static size_t
place_of(const struct named *named, uint32_t hash)
{
	return hash * UINT32_C(0x9e3779b1) & (named->room - 1);
}

static void
index_statics(struct named *named)
{
	const size_t count = symread_count(named->statics);

	for (named->room = 16; named->room < 2 * count;)
		named->room *= 2;
	named->cells = xcalloc(named->room, sizeof(*named->cells));
	for (size_t i = 0; i < count; i++) {
		uint32_t hash;
		size_t at;

		if (!symread_hash(named->statics, i, &hash))
			continue;
		for (at = place_of(named, hash); named->cells[at].place;)
			at = (at + 1) & (named->room - 1);
		named->cells[at] = (struct index_cell){ hash, (uint32_t)i + 1 };
	}
}

/* True if the image, or its debug file, has a .symtab. */
static bool
has_statics(struct named *named, struct image *image)
{
	const struct elf *from;

	if (!named->statics_read) {
		named->statics_read = true;
		from = debugfile_statics(image);
		if (from) {
			named->statics = symread_begin(&named->symbols,
						       image_elf(image), from);
			index_statics(named);
		}
	}
	return named->statics;
}

static void
read_statics(struct named *named, const char *name)
{
	const uint32_t hash = gnu_hash(name);

	for (size_t at = place_of(named, hash); named->cells[at].place;
	     at = (at + 1) & (named->room - 1))
		if (named->cells[at].hash == hash)
			symread_named(named->statics,
				      named->cells[at].place - 1, name);
}

/* ---- a question ---------------------------------------------------------- */

static const struct symtab *
keep_found(struct named *named)
{
	struct symbol *symbols = named->symbols.list.at;
	const size_t count = named->symbols.list.count;
	struct symtab *found;

	if (!count)
		return &no_symbols;
	for (size_t i = 0; i < count; i++)
		if (!symbols[i].size && symbols[i].kind != SYMBOL_DATA &&
		    symbols[i].kind != SYMBOL_TLS)
			return &ask_table;
	found = arena_zalloc(&named->arena, sizeof(*found));
	found->count = symsort(symbols, count);
	found->at = arena_copy(&named->arena, symbols,
			       found->count * sizeof(*symbols));
	return found;
}

bool
named_may_have(struct image *image, const char *name)
{
	const struct elf *elf = image_elf(image);

	return (elf->dynamic && dynamic_may_export(elf, name)) ||
	       has_statics(named_of(image), image);
}

const struct symtab *
named_symbols(struct image *image, enum symtab_extent extent, const char *name)
{
	const struct elf *elf = image_elf(image);
	const struct symtab *found;
	struct named *named;
	bool exported;

	if (elf->dynamic && !elf->gnu_hash.bucket_count)
		return NULL;
	exported = elf->dynamic && dynamic_may_export(elf, name);
	if (extent == SYMTAB_DYNAMIC && !exported)
		return &no_symbols;
	named = named_of(image);
	if (extent == SYMTAB_ALL && !has_statics(named, image) && !exported)
		return &no_symbols;
	found = strmap_get(&named->answers[extent], name);
	if (!found) {
		vec_clear(&named->symbols.list);
		if (exported)
			read_exported(named, elf, name);
		if (extent == SYMTAB_ALL && named->statics)
			read_statics(named, name);
		found = keep_found(named);
		strmap_put(&named->answers[extent], name, (void *)found);
	}
	return found == &ask_table ? NULL : found;
}
