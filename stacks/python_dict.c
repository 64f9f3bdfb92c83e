/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	dict	ma_keys 32, ma_values 40: NULL, or the values apart from the
 *		keys
 *	keys	dk_log2_index_bytes 9, dk_kind 10, dk_nentries 24, the indices
 *		from 32 on, and behind them the entries: hash, key and value, or
 *		(all keys are str) key and value
 *	object	if its type has Py_TPFLAGS_MANAGED_DICT: before it, at -32 the
 *		address of its values or NULL, and at -24 that of its dict; else
 *		the dict is at the type's tp_dictoffset. The keys of such values
 *		are in the type (ht_cached_keys 872).
 *	set	mask 32, table 40: entries of 16 bytes, whose first word is the
 *		member
 *	int	ob_size 16 is 0 or 1, and the digit is at 24
 *
 * (Include/internal/pycore_dict.h, pycore_object.h, Include/cpython/object.h,
 * setobject.h, longintrepr.h of 3.11; the numbers were printed by a compiler.)
 */
#include "stacks/python_dict.h"

#define DICT_KEYS 32
#define DICT_VALUES 40
#define KEYS_INDEX_BYTES 9
#define KEYS_KIND 10
#define KEYS_COUNT 24
#define KEYS_INDICES 32
#define KIND_GENERAL 0
#define KIND_SPLIT 2
#define INDEX_BYTES_MOST 16u
#define ENTRIES_MOST 1024u
#define VALUES_BEFORE 32
#define DICT_BEFORE 24
#define TYPE_FLAGS 168
#define TYPE_DICT_OFFSET 288
#define TYPE_KEYS 872
#define FLAG_MANAGED_DICT (1u << 4)
#define SET_MASK 32
#define SET_TABLE 40
#define SET_ENTRY 16
#define SET_MOST 65536u
#define INT_SIZE 16
#define INT_DIGIT 24

/* The entries of a dict. */
struct dict_entries {
	addr_t first; /* the address of the first entry's key */
	uint64_t count;
	unsigned size;
};

/* Finds the entries of a dict's keys object. False if it makes no sense. */
static bool
entries_of(struct python_memory *memory, addr_t keys,
	   struct dict_entries *ret_entries)
{
	struct peek *peek = memory->peek;
	unsigned bytes = peek_u8(peek, keys + KEYS_INDEX_BYTES);
	unsigned kind = peek_u8(peek, keys + KEYS_KIND);
	uint64_t count = peek_u64(peek, keys + KEYS_COUNT);
	unsigned size = kind == KIND_GENERAL ? 24 : 16;

	if (peek->fault || bytes > INDEX_BYTES_MOST || kind > KIND_SPLIT ||
	    count > ENTRIES_MOST)
		return false;
	*ret_entries = (struct dict_entries){
		.first = keys + KEYS_INDICES + (UINT64_C(1) << bytes) + size -
			 16,
		.count = count,
		.size = size,
	};
	return true;
}

/* If values is 0, the values are beside the keys. */
static addr_t
value_of(struct python_memory *memory, addr_t keys, addr_t values,
	 const char *key)
{
	struct peek *peek = memory->peek;
	struct dict_entries entries;

	if (!entries_of(memory, keys, &entries))
		return 0;
	for (uint64_t i = 0; i < entries.count && !peek->fault; i++) {
		addr_t at = entries.first + entries.size * i;
		addr_t name = peek_u64(peek, at);

		if (!name || !python_equals(memory, name, key))
			continue;
		return peek_u64(peek, values ? values + 8 * i : at + 8);
	}
	return 0;
}

addr_t
python_dict_value(struct python_memory *memory, addr_t dict, const char *key)
{
	addr_t keys = peek_u64(memory->peek, dict + DICT_KEYS);
	addr_t values = peek_u64(memory->peek, dict + DICT_VALUES);

	if (!python_is(memory, dict, "dict"))
		return 0;
	return value_of(memory, keys, values, key);
}

addr_t
python_dict_key(struct python_memory *memory, addr_t dict, const char *value)
{
	struct peek *peek = memory->peek;
	struct dict_entries entries;

	if ((!python_is(memory, dict, "dict") &&
	     !python_is(memory, dict, "OrderedDict")) ||
	    peek_u64(peek, dict + DICT_VALUES) ||
	    !entries_of(memory, peek_u64(peek, dict + DICT_KEYS), &entries))
		return 0;
	for (uint64_t i = 0; i < entries.count && !peek->fault; i++) {
		addr_t at = entries.first + entries.size * i;
		addr_t found = peek_u64(peek, at + 8);

		if (found && python_equals(memory, found, value))
			return peek_u64(peek, at);
	}
	return 0;
}

addr_t
python_attribute(struct python_memory *memory, addr_t object, const char *name)
{
	struct peek *peek = memory->peek;
	addr_t type = peek_u64(peek, object + memory->layout->object_type);
	uint64_t flags = peek_u64(peek, type + TYPE_FLAGS);
	addr_t values, offset;

	if (peek->fault)
		return 0;
	if (flags & FLAG_MANAGED_DICT) {
		values = peek_u64(peek, object - VALUES_BEFORE);
		if (values)
			return value_of(memory,
					peek_u64(peek, type + TYPE_KEYS),
					values, name);
		return python_dict_value(memory,
					 peek_u64(peek, object - DICT_BEFORE),
					 name);
	}
	offset = peek_u64(peek, type + TYPE_DICT_OFFSET);
	if (!offset || offset % 8 || offset + 8 > python_size(memory, object))
		return 0;
	return python_dict_value(memory, peek_u64(peek, object + offset), name);
}

size_t
python_set_places(struct python_memory *memory, addr_t set)
{
	uint64_t mask = peek_u64(memory->peek, set + SET_MASK);

	if (!python_is(memory, set, "set") || mask >= SET_MOST)
		return 0;
	return mask + 1;
}

addr_t
python_set_member(struct python_memory *memory, addr_t set, size_t i)
{
	addr_t table = peek_u64(memory->peek, set + SET_TABLE);

	return peek_u64(memory->peek, table + SET_ENTRY * i);
}

int
python_small_int(struct python_memory *memory, addr_t object, int most)
{
	uint64_t size = peek_u64(memory->peek, object + INT_SIZE);
	uint32_t digit = 0;

	if (!python_is(memory, object, "int") || size > 1)
		return -1;
	if (size == 1)
		digit = peek_u32(memory->peek, object + INT_DIGIT);
	return !memory->peek->fault && digit <= (uint32_t)most ? (int)digit
							       : -1;
}
