/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ID is a number with its kind in the lowest four bits, or the token of an
 * operator. The number is an index in a Ruby array of arrays of 512 entries;
 * each entry is two values, the name first (symbol.c: ID_ENTRY_UNIT).
 *
 *	struct rb_symbols { last_id 0, str 8, ids 16 }
 *
 * A String has its bytes inside the object or elsewhere (NOEMBED, length 16,
 * pointer 24); to 3.1 the length of a short string is in the flags. An Array
 * has its elements inside the object (EMBED) or elsewhere (pointer 32).
 */
#include "stacks/ruby_names.h"

#include "arch/code.h"

/* flag of a string whose bytes are not in the object */
#define ELSEWHERE (UINT64_C(1) << 13)
/* flag of an array whose elements are in the object */
#define WITHIN (UINT64_C(1) << 13)
#define TEXT_MOST 4096u
#define EQUAL_MOST 64u

#define SCOPE_BITS 4 /* ID_SCOPE_SHIFT */
#define UNIT 512u
#define NAMES_MOST 10000u

/* Finds the bytes of a string; returns false if the object is not a string. */
static bool
find_bytes(struct peek *peek, const struct ruby_layout *layout, addr_t string,
	   uint64_t *ret_length, addr_t *ret_data)
{
	uint64_t flags = peek_u64(peek, string);

	if (peek->fault || (flags & 0x1f) != RUBY_STRING)
		return false;
	if (flags & ELSEWHERE || layout->string_embedded != 16)
		*ret_length = peek_u64(peek, string + 16);
	else
		*ret_length = flags >> 14 & 0x1f;
	*ret_data = flags & ELSEWHERE ? peek_u64(peek, string + 24)
				      : string + layout->string_embedded;
	return !peek->fault;
}

const char *
ruby_text(struct peek *peek, const struct ruby_layout *layout, addr_t string,
	  struct arena *arena)
{
	char bytes[TEXT_MOST];
	uint64_t length;
	addr_t data;

	if (!find_bytes(peek, layout, string, &length, &data))
		return NULL;
	if (length > TEXT_MOST)
		length = TEXT_MOST;
	if (!peek_bytes(peek, data, bytes, length))
		return NULL;
	return arena_strndup(arena, bytes, length);
}

bool
ruby_long_text(struct peek *peek, const struct ruby_layout *layout,
	       addr_t string, size_t most, struct arena *arena,
	       struct statement_text *ret_text)
{
	uint64_t whole;
	size_t length;
	addr_t data;
	char *bytes;

	if (!find_bytes(peek, layout, string, &whole, &data) ||
	    whole > INT32_MAX)
		return false;
	length = whole < most ? whole : most;
	bytes = arena_alloc(arena, length + 1);
	if (!peek_bytes(peek, data, bytes, length))
		return false;
	bytes[length] = '\0';
	*ret_text = (struct statement_text){ .bytes = bytes,
					     .length = length,
					     .whole = whole };
	return true;
}

bool
ruby_equals(struct peek *peek, const struct ruby_layout *layout, addr_t string,
	    const char *text)
{
	size_t wanted = strlen(text);
	char bytes[EQUAL_MOST];
	uint64_t length;
	addr_t data;

	return wanted <= sizeof(bytes) &&
	       find_bytes(peek, layout, string, &length, &data) &&
	       length == wanted && peek_bytes(peek, data, bytes, wanted) &&
	       memcmp(bytes, text, wanted) == 0;
}

addr_t
ruby_element(struct peek *peek, addr_t array, uint64_t i)
{
	uint64_t flags = peek_u64(peek, array);
	addr_t elements =
		flags & WITHIN ? array + 16 : peek_u64(peek, array + 32);

	if ((flags & 0x1f) != RUBY_ARRAY)
		peek->fault = true;
	return peek->fault ? 0 : peek_u64(peek, elements + 8 * i);
}

/* Is this the table of symbols, and is it initialized? */
static bool
is_table(struct peek *peek, addr_t at)
{
	bool fault = peek_failed(peek);
	addr_t ids = peek_u64(peek, at + 16);
	bool array = ids && ruby_type(peek, ids) == RUBY_ARRAY;

	array = !peek_failed(peek) && array;
	peek->fault = fault;
	return array;
}

static addr_t
find_table(struct peek *peek, struct ruby_names *names)
{
	for (size_t i = 0; i < names->candidates.count && !names->table; i++)
		if (is_table(peek, names->candidates.at[i]))
			names->table = names->candidates.at[i];
	return names->table;
}

void
ruby_names_init(struct ruby_names *names)
{
	*names = (struct ruby_names){ .table = 0 };
	map_init(&names->known);
	arena_init(&names->texts);
}

void
ruby_names_release(struct ruby_names *names)
{
	vec_release(&names->candidates);
	map_release(&names->known);
	arena_release(&names->texts);
}

/* The table is a local symbol; a function that walks it refers to its second
 * member, .str, near its beginning. */
void
ruby_names_find(struct ruby_names *names, struct binary *binary,
		struct reader *memory)
{
	addr_t known = binary_symbol(binary, "ruby_global_symbols"), data;
	addr_t code = binary_symbol(binary, "rb_sym_all_symbols");

	if (known)
		vec_push(&names->candidates, known);
	for (size_t i = 0;
	     (data = binary->arch->code->data_address(memory, code, i)); i++)
		vec_push(&names->candidates, data - 8);
}

static const char *
look_up(struct peek *peek, const struct ruby_layout *layout,
	struct ruby_names *names, uint64_t id)
{
	uint64_t serial = id > layout->last_operator ? id >> SCOPE_BITS : id;
	addr_t ids, unit, name;

	if (serial > UINT32_MAX || !find_table(peek, names))
		return NULL;
	ids = peek_u64(peek, names->table + 16);
	unit = ruby_element(peek, ids, serial / UNIT);
	name = ruby_element(peek, unit, serial % UNIT * 2);
	if (peek_failed(peek))
		return NULL;
	return ruby_text(peek, layout, name, &names->texts);
}

const char *
ruby_name(struct peek *peek, const struct ruby_layout *layout,
	  struct ruby_names *names, uint64_t id)
{
	char *name = map_get(&names->known, id);

	if (name)
		return name;
	if (names->known.count >= NAMES_MOST) {
		map_clear(&names->known);
		arena_clear(&names->texts);
	}
	name = (char *)(uintptr_t)look_up(peek, layout, names, id);
	if (name && !peek->fault)
		map_put(&names->known, id, name);
	return name;
}
