/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library may have 200 000 symbols, many of them both in .dynsym and in
 * .symtab. They are sorted by a radix sort of { address, index }, from the
 * lowest byte up, eight bits per pass. Only bytes in which the addresses differ
 * are sorted (three for a library of up to 16 MiB). Then each symbol is moved
 * once.
 *
 * Symbols with the same address are then a short run, which is sorted by
 * comparisons: first by name to find duplicates, then by preference.
 */
#include "symbols/symsort.h"

#include "base/xmalloc.h"

#include <stdlib.h>
#include <string.h>

struct key {
	addr_t address;
	size_t place;
};

/* One stable pass, by the byte of the address at shift. */
static void
sort_by_byte(const struct key *from, struct key *to, size_t count,
	     unsigned shift)
{
	size_t next[256] = { 0 }, before = 0;

	for (size_t i = 0; i < count; i++)
		next[from[i].address >> shift & 255]++;
	for (size_t byte = 0; byte < 256; byte++) {
		size_t of_byte = next[byte];

		next[byte] = before;
		before += of_byte;
	}
	for (size_t i = 0; i < count; i++)
		to[next[from[i].address >> shift & 255]++] = from[i];
}

/* The bits in which the addresses differ. */
static addr_t
differing(const struct key *keys, size_t count)
{
	addr_t bits = 0;

	for (size_t i = 1; i < count; i++)
		bits |= keys[i].address ^ keys[0].address;
	return bits;
}

static void
sort_by_address(struct symbol *symbols, size_t count)
{
	struct key *keys = xcalloc(count, sizeof(*keys));
	struct key *other = xcalloc(count, sizeof(*other)), *swap;
	struct symbol *sorted = xcalloc(count, sizeof(*sorted));
	addr_t bits;

	for (size_t i = 0; i < count; i++)
		keys[i] = (struct key){ symbols[i].address, i };
	bits = differing(keys, count);
	for (unsigned shift = 0; shift < 64; shift += 8) {
		if (!(bits >> shift & 255))
			continue;
		sort_by_byte(keys, other, count, shift);
		swap = keys;
		keys = other;
		other = swap;
	}
	for (size_t i = 0; i < count; i++)
		sorted[i] = symbols[keys[i].place];
	memcpy(symbols, sorted, count * sizeof(*sorted));
	free(sorted);
	free(other);
	free(keys);
}

/* ---- one address -------------------------------------------------------- */

/* Compares two texts, of which NULL is the least. */
static int
compare_texts(const char *a, const char *b)
{
	return !a || !b ? !!a - !!b : strcmp(a, b);
}

/* Puts duplicates side by side, with the one to keep first. */
static int
compare_doubles(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	if (!order)
		order = b->dynamic - a->dynamic;
	return order ? order : compare_texts(b->version, a->version);
}

/* True if b, which follows a in the order of compare_doubles(), is the same
 * symbol. The name in .symtab may lack the version. */
static bool
is_double(const struct symbol *a, const struct symbol *b)
{
	return strcmp(a->name, b->name) == 0 &&
	       ((!b->version && !b->dynamic) ||
		compare_texts(a->version, b->version) == 0);
}

/* The rank of a kind: functions, then their parts, then the rest. */
static int
kind_worth(enum symbol_kind kind)
{
	switch (kind) {
	case SYMBOL_FUNCTION:
	case SYMBOL_IFUNC:
		return 0;
	case SYMBOL_PART:
		return 1;
	default:
		return 2;
	}
}

/* A mangled name has one underscore more, which does not count. */
static int
underscores(const char *name)
{
	if (name[0] == '_' && (name[1] == 'Z' || name[1] == 'R'))
		return 0;
	return (int)strspn(name, "_");
}

static bool
old_version(const struct symbol *symbol)
{
	return symbol->version && !symbol->default_version;
}

/* Compares two symbols of one address, by the order that symtab.h defines. */
static int
compare_worth(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;
	const int differences[] = {
		kind_worth(a->kind) - kind_worth(b->kind),
		(a->binding == SYMBOL_LOCAL) - (b->binding == SYMBOL_LOCAL),
		old_version(a) - old_version(b),
		underscores(a->name) - underscores(b->name),
		(int)a->binding - (int)b->binding,
		b->dynamic - a->dynamic,
		(int)strlen(a->name) - (int)strlen(b->name),
		strcmp(a->name, b->name),
	};

	for (size_t i = 0; i < array_size(differences); i++)
		if (differences[i])
			return differences[i];
	return compare_texts(b->version, a->version);
}

static bool
code(const struct symbol *symbol)
{
	return kind_worth(symbol->kind) < 2;
}

static void
share_size(struct symbol *run, size_t count)
{
	uint64_t size = 0;

	for (size_t i = 0; i < count; i++)
		if (code(&run[i]) && run[i].size > size)
			size = run[i].size;
	for (size_t i = 0; i < count; i++)
		if (code(&run[i]) && !run[i].size)
			run[i].size = size;
}

/* True if the two symbols are one function in .dynsym and .symtab; this is so
 * for nearly every run. */
static bool
is_pair(const struct symbol *run, size_t count)
{
	return count == 2 && run[0].dynamic && !run[1].dynamic &&
	       is_double(&run[0], &run[1]);
}

/* Sorts the symbols of one address. Returns how many are left. */
static size_t
order_run(struct symbol *run, size_t count)
{
	size_t kept = 1;

	share_size(run, count);
	if (is_pair(run, count))
		return 1;
	qsort(run, count, sizeof(*run), compare_doubles);
	for (size_t i = 1; i < count; i++)
		if (!is_double(&run[kept - 1], &run[i]))
			run[kept++] = run[i];
	qsort(run, kept, sizeof(*run), compare_worth);
	return kept;
}

size_t
symsort(struct symbol *symbols, size_t count)
{
	size_t kept = 0, left;

	if (count)
		sort_by_address(symbols, count);
	for (size_t i = 0, run; i < count; i += run) {
		for (run = 1; i + run < count; run++)
			if (symbols[i + run].address != symbols[i].address)
				break;
		left = run > 1 ? order_run(symbols + i, run) : 1;
		memmove(symbols + kept, symbols + i, left * sizeof(*symbols));
		kept += left;
	}
	return kept;
}
