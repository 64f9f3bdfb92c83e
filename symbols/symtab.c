/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of symbols is read (symread), sorted (symsort) and kept with the
 * image. Two things are added when they are first needed:
 *
 * - an index by name, a hash table at most half full. Its cells contain the
 *   hash, so that other names are seldom compared. The index is made only for
 *   files for which symbols/named has no answer;
 * - for each symbol, the highest end of the functions up to it (its reach).
 *   Functions may be within others (assembly with several entries), so the
 *   nearest function before an address need not be the one around it. The
 *   reach tells when it is useless to look further back.
 */
#include "symbols/symtab.h"

#include "base/xmalloc.h"
#include "symbols/debugfile.h"
#include "symbols/dynamic.h"
#include "symbols/image_parts.h"
#include "symbols/named.h"
#include "symbols/symread.h"
#include "symbols/symsort.h"

#include <stdlib.h>
#include <string.h>

struct name_cell {
	uint32_t hash;
	uint32_t place; /* index in the table, from 1; 0: a free cell */
};

struct symbol_table {
	struct symtab symtab;
	struct symbols symbols;
	struct name_cell *cells;
	size_t room;
	addr_t *reach;
};

static void
free_table(void *thing)
{
	struct symbol_table *table = thing;

	arena_release(&table->symbols.names);
	vec_release(&table->symbols.list);
	free(table->cells);
	free(table->reach);
	free(table);
}

static void
read_static(struct symbol_table *table, struct image *image)
{
	const struct elf *from = debugfile_statics(image);

	if (from)
		symread_static(&table->symbols, image_elf(image), from);
}

static struct symbol_table *
make_table(struct image *image, enum symtab_extent extent)
{
	struct symbol_table *table = xcalloc(1, sizeof(*table));

	arena_init(&table->symbols.names);
	symread_dynamic(&table->symbols, image_elf(image));
	if (extent == SYMTAB_ALL)
		read_static(table, image);
	table->symtab.count =
		symsort(table->symbols.list.at, table->symbols.list.count);
	table->symtab.at = table->symbols.list.at;
	return table;
}

static struct symbol_table *
table_of(struct image *image, enum symtab_extent extent)
{
	const enum image_shelf shelf = extent == SYMTAB_ALL
					       ? SHELF_ALL_SYMBOLS
					       : SHELF_DYNAMIC_SYMBOLS;
	struct symbol_table *table = image_kept(image, shelf);

	if (!table) {
		table = make_table(image, extent);
		image_keep(image, shelf, table, free_table);
	}
	return table;
}

const struct symtab *
image_symtab(struct image *image, enum symtab_extent extent)
{
	return &table_of(image, extent)->symtab;
}

/* ---- by name ------------------------------------------------------------ */

/* The cell of this name, or the free cell for it. */
static struct name_cell *
cell_of(const struct symbol_table *table, uint32_t hash, const char *name)
{
	/* The multiplication spreads the similar hashes of similar names. */
	size_t at = hash * UINT32_C(0x9e3779b1) & (table->room - 1);

	for (;; at = (at + 1) & (table->room - 1)) {
		struct name_cell *cell = &table->cells[at];

		if (!cell->place)
			return cell;
		if (cell->hash == hash &&
		    strcmp(table->symtab.at[cell->place - 1].name, name) == 0)
			return cell;
	}
}

static bool
better_version(const struct symbol *a, const struct symbol *b)
{
	const bool a_old = a->version && !a->default_version;
	const bool b_old = b->version && !b->default_version;

	return !a_old && b_old;
}

static void
index_names(struct symbol_table *table)
{
	const struct symbol *symbols = table->symtab.at;

	for (table->room = 16; table->room < 2 * table->symtab.count;)
		table->room *= 2;
	table->cells = xcalloc(table->room, sizeof(*table->cells));
	for (size_t i = 0; i < table->symtab.count; i++) {
		uint32_t hash = gnu_hash(symbols[i].name);
		struct name_cell *cell = cell_of(table, hash, symbols[i].name);

		if (!cell->place ||
		    better_version(&symbols[i], &symbols[cell->place - 1]))
			*cell = (struct name_cell){ hash, (uint32_t)i + 1 };
	}
}

/*
 * If several symbols have this name, the default version wins, else the first.
 */
static const struct symbol *
best_of(const struct symtab *named)
{
	const struct symbol *best = named->at;

	for (size_t i = 1; i < named->count; i++)
		if (better_version(&named->at[i], best))
			best = &named->at[i];
	return best;
}

bool
symtab_may_have(struct image *image, const char *name)
{
	return named_may_have(image, name);
}

const struct symbol *
symtab_find(struct image *image, enum symtab_extent extent, const char *name)
{
	const struct symtab *named = named_symbols(image, extent, name);
	const struct name_cell *cell;
	struct symbol_table *table;

	if (named)
		return best_of(named);
	table = table_of(image, extent);
	if (!table->cells)
		index_names(table);
	cell = cell_of(table, gnu_hash(name), name);
	return cell->place ? &table->symtab.at[cell->place - 1] : NULL;
}

const struct symbol *
symtab_next(struct image *image, enum symtab_extent extent, const char *name,
	    const struct symbol *after)
{
	const struct symtab *named = named_symbols(image, extent, name);
	const struct symbol *at, *end;

	/* The index is asked first: it tells quickly whether any symbol has the
	 * name. */
	if (!named && !after && !symtab_find(image, extent, name))
		return NULL;
	if (!named)
		named = image_symtab(image, extent);
	at = after ? after + 1 : named->at;
	end = named->at + named->count;
	while (at < end && strcmp(at->name, name) != 0)
		at++;
	return at < end ? at : NULL;
}

/* ---- by address --------------------------------------------------------- */

static bool
is_code(const struct symbol *symbol)
{
	return symbol->kind == SYMBOL_FUNCTION ||
	       symbol->kind == SYMBOL_IFUNC || symbol->kind == SYMBOL_PART;
}

static void
measure_reach(struct symbol_table *table)
{
	addr_t most = 0;

	table->reach = xcalloc(table->symtab.count + 1, sizeof(addr_t));
	for (size_t i = 0; i < table->symtab.count; i++) {
		const struct symbol *symbol = &table->symtab.at[i];

		if (is_code(symbol) && symbol->address + symbol->size > most)
			most = symbol->address + symbol->size;
		table->reach[i] = most;
	}
}

/* The number of symbols with an address up to this one. */
static size_t
symbols_until(const struct symtab *symtab, addr_t address)
{
	size_t low = 0, high = symtab->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symtab->at[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The best name for the address of symbol i. Functions come first there. */
static const struct symbol *
best_name(const struct symtab *symtab, size_t i)
{
	while (i && symtab->at[i - 1].address == symtab->at[i].address)
		i--;
	return &symtab->at[i];
}

/* A function without a size extends to the next one. */
static const struct symbol *
nearest_sizeless(struct image *image, const struct symtab *symtab, size_t until,
		 addr_t address)
{
	const struct elf *elf = image_elf(image);

	while (until && !is_code(&symtab->at[until - 1]))
		until--;
	if (!until || symtab->at[until - 1].size)
		return NULL;
	if (elf_text(elf, symtab->at[until - 1].address) !=
	    elf_text(elf, address))
		return NULL;
	return best_name(symtab, until - 1);
}

const struct symbol *
symtab_covering(struct image *image, addr_t address)
{
	struct symbol_table *table = table_of(image, SYMTAB_ALL);
	const struct symtab *symtab = &table->symtab;
	const size_t until = symbols_until(symtab, address);

	if (!table->reach)
		measure_reach(table);
	for (size_t i = until; i-- && table->reach[i] > address;) {
		const struct symbol *symbol = &symtab->at[i];

		if (is_code(symbol) && address - symbol->address < symbol->size)
			return best_name(symtab, i);
	}
	return nearest_sizeless(image, symtab, until, address);
}

const struct symbol *
symtab_ifunc(struct image *image, enum symtab_extent extent, addr_t address)
{
	const struct symtab *symtab = &table_of(image, extent)->symtab;
	const struct symbol *best = NULL;

	for (size_t i = symbols_until(symtab, address);
	     i-- && symtab->at[i].address == address;) {
		if (symtab->at[i].kind == SYMBOL_IFUNC)
			best = &symtab->at[i];
	}
	return best;
}
