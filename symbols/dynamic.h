/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dynamic section (PT_DYNAMIC): what the loader reads of a file. If a file
 * has no section headers, this room reads nothing else.
 */
#ifndef SYMBOLS_DYNAMIC_H
#define SYMBOLS_DYNAMIC_H

#include "symbols/elf.h"

/* Reads the first entry with this tag (DT_...); false if there is none. */
must_check bool dynamic_value(const struct elf *elf, int64_t tag,
			      uint64_t *ret_value);

/* The bytes that the address under tag points at, but no more than most. */
struct bytes dynamic_table(const struct elf *elf, int64_t tag, uint64_t most);

/* The strings of DT_STRTAB; empty if there is none. */
struct strings dynamic_strings(const struct elf *elf);

/* The string at an offset of the table of DT_STRTAB, or NULL. */
const char *dynamic_string(const struct elf *elf, uint64_t offset);

/* The address of the GOT that code refers to (DT_PLTGOT), or 0. */
addr_t dynamic_got(const struct elf *elf);

/* Reads DT_GNU_HASH into elf->gnu_hash. */
void dynamic_read_hash(struct elf *elf);

/* How many symbols DT_HASH or DT_GNU_HASH counts. The latter does not count
 * undefined symbols if no symbol is defined. */
size_t dynamic_symbol_count(const struct elf *elf);

/* The hash function of DT_GNU_HASH (Bernstein's). */
#define gnu_hash_begin UINT32_C(5381)

static inline uint32_t
gnu_hash_add(uint32_t hash, char next)
{
	return hash * 33 + (unsigned char)next;
}

static inline uint32_t
gnu_hash(const char *name)
{
	uint32_t hash = gnu_hash_begin;

	for (; *name; name++)
		hash = gnu_hash_add(hash, *name);
	return hash;
}

/* The next symbol after *index (0 at first) that may have a name with this
 * hash; false after the last. Only if there is a DT_GNU_HASH. */
bool dynamic_next_hashed(const struct elf *elf, uint32_t hash, uint32_t *index);

/* False if DT_GNU_HASH says that the file exports no such symbol. */
bool dynamic_may_export(const struct elf *elf, const char *name);

#endif
