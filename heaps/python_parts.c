/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An object refers to its blocks at places that are the same for all objects
 * derived from its type (Include/cpython/listobject.h, dictobject.h,
 * bytearrayobject.h, unicodeobject.h; Include/setobject.h; for attributes,
 * Objects/dictobject.c):
 *
 *	list:		24 items, 32 room for so many items
 *	dict:		32 keys, 40 values; with values, the keys belong to a
 *			class and are too large for a pool
 *	set:		32 size of the table - 1, 40 table
 *	bytearray:	24 room, 32 bytes
 *	str:		16 number of characters, 32 flags; if it is of a
 *			derived type, 72 characters, and a 0
 *	attributes:	in the word before the dict of an object
 *
 * Attributes are not at the beginning of their block: their number and their
 * order come before them, in at most VALUES_PREFIX bytes.
 *
 * An address counts only if a block without an object is there, and if its size
 * is as the object tells. Each block is given away once. A part of more than
 * 512 bytes is in no pool.
 */
#include "heaps/python_parts.h"

#include "heaps/words.h"

#define FLAG_LIST (UINT64_C(1) << 25)
#define FLAG_TEXT (UINT64_C(1) << 28)
#define FLAG_DICT (UINT64_C(1) << 29)

#define LIST_ITEMS 24
#define LIST_ROOM 32
#define DICT_KEYS 32
#define DICT_VALUES 40
#define SET_MASK 32
#define SET_TABLE 40
#define SET_ENTRY 16u
#define BYTEARRAY_ROOM 24
#define BYTEARRAY_BYTES 32
#define OBJECT_LEAST 48u /* up to the end of the last of these words */
#define TEXT_LENGTH 16
#define TEXT_STATE 32
#define TEXT_COMPACT (1u << 5) /* the characters are in the object */
#define TEXT_EACH(state) ((state) >> 2 & 7)
#define TEXT_AT 72

#define VALUES_PREFIX 32u
#define POOLED_MOST 512u
#define ALIGNMENT 16u

void
python_parts_init(struct python_parts *parts, struct binary *binary)
{
	*parts = (struct python_parts){
		.set_type = binary_symbol(binary, "PySet_Type"),
		.frozenset_type = binary_symbol(binary, "PyFrozenSet_Type"),
		.bytearray_type = binary_symbol(binary, "PyByteArray_Type"),
	};
}

void
python_parts_release(struct python_parts *parts)
{
	vec_release(&parts->blocks);
	vec_release(&parts->claims);
}

void
python_parts_base(const struct python_parts *parts, addr_t type,
		  struct python_kind *ret_kind)
{
	if (type == 0)
		return;
	ret_kind->set |=
		type == parts->set_type || type == parts->frozenset_type;
	ret_kind->bytearray |= type == parts->bytearray_type;
}

void
python_parts_add_block(struct python_parts *parts, addr_t at, unsigned size)
{
	struct python_block block = { .at = at, .size = size };

	vec_push(&parts->blocks, block);
}

/* ---- claims ----------------------------------------------------------------
 */

static void
claim(struct python_parts *parts, struct python_claim claim)
{
	if (claim.at != 0 && claim.size <= POOLED_MOST)
		vec_push(&parts->claims, claim);
}

/* Claims a block that was asked for with `number` elements. */
static void
claim_array(struct python_parts *parts, addr_t at, uint64_t number,
	    unsigned each, struct census_row *row)
{
	unsigned bytes = number <= POOLED_MOST ? (unsigned)number * each : 0;

	if (bytes > 0)
		claim(parts,
		      (struct python_claim){ .at = at,
					     .size = (bytes + ALIGNMENT - 1) /
						     ALIGNMENT * ALIGNMENT,
					     .row = row });
}

static void
claim_values(struct python_parts *parts, addr_t at, struct census_row *row)
{
	claim(parts,
	      (struct python_claim){ .at = at, .inside = true, .row = row });
}

static void
claim_text(struct python_parts *parts, const uint8_t *object, size_t left,
	   struct census_row *row)
{
	uint32_t state = word32(object, TEXT_STATE);

	if (left >= TEXT_AT + 8 && !(state & TEXT_COMPACT))
		claim_array(parts, word64(object, TEXT_AT),
			    word64(object, TEXT_LENGTH) + 1, TEXT_EACH(state),
			    row);
}

void
python_parts_claim(struct python_parts *parts, const struct python_kind *kind,
		   const uint8_t *object, size_t left, const uint8_t *header)
{
	if (header)
		claim_values(parts, word64(header, 0), kind->row);
	if (left < OBJECT_LEAST)
		return;
	if (kind->flags & FLAG_LIST)
		claim_array(parts, word64(object, LIST_ITEMS),
			    word64(object, LIST_ROOM), 8, kind->row);
	else if (kind->flags & FLAG_DICT && word64(object, DICT_VALUES))
		claim_values(parts, word64(object, DICT_VALUES), kind->row);
	else if (kind->flags & FLAG_DICT)
		claim(parts,
		      (struct python_claim){ .at = word64(object, DICT_KEYS),
					     .row = kind->row });
	else if (kind->flags & FLAG_TEXT)
		claim_text(parts, object, left, kind->row);
	else if (kind->set)
		claim_array(parts, word64(object, SET_TABLE),
			    word64(object, SET_MASK) + 1, SET_ENTRY, kind->row);
	else if (kind->bytearray)
		claim_array(parts, word64(object, BYTEARRAY_BYTES),
			    word64(object, BYTEARRAY_ROOM), 1, kind->row);
}

/* ---- giving ----------------------------------------------------------------
 */

static int
by_address(const void *one, const void *other)
{
	const struct python_block *a = one, *b = other;

	return (a->at > b->at) - (a->at < b->at);
}

/* The block that has this address, or NULL. */
static struct python_block *
block_with(struct python_parts *parts, addr_t at)
{
	size_t low = 0, high = parts->blocks.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (parts->blocks.at[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 ||
	    at - parts->blocks.at[low - 1].at >= parts->blocks.at[low - 1].size)
		return NULL;
	return &parts->blocks.at[low - 1];
}

static bool
is_right(const struct python_claim *claim, const struct python_block *block)
{
	addr_t offset = claim->at - block->at;

	if (claim->inside)
		return offset > 0 && offset <= VALUES_PREFIX && offset % 8 == 0;
	return offset == 0 && (claim->size == 0 || claim->size == block->size);
}

void
python_parts_give(struct python_parts *parts, struct census *census,
		  struct census_row *all)
{
	vec_sort(&parts->blocks, by_address);
	for (size_t i = 0; i < parts->claims.count; i++) {
		const struct python_claim *claim = &parts->claims.at[i];
		struct python_block *block = block_with(parts, claim->at);

		if (!block || block->given || !is_right(claim, block))
			continue;
		block->given = true;
		census_give(census, all, claim->row, block->size);
	}
}
