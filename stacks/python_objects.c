/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The local variables follow a frame's head, and the tuple of their names is in
 * the code object:
 *
 *	to 3.10	   frame object: f_localsplus 256 behind f_lasti
 *		   code: co_varnames 32 before co_filename
 *	from 3.11  frame: localsplus behind owner, aligned
 *		   code: co_localsplusnames 16 before co_filename
 *
 * (Include/cpython/frameobject.h, Include/internal/pycore_frame.h, code.h.) A
 * variable that an inner function uses is in a cell, whose content is its first
 * member. From 3.14 on the lowest bits of a variable are flags.
 *
 * A type object has tp_name at 24, tp_basicsize at 32, tp_members at 240 and
 * tp_base at 256; what its members are: see python_layout.c.
 */
#include "stacks/python_objects.h"

#include "stacks/python_loop.h"
#include "stacks/python_text.h"

#include <string.h>

#define TUPLE_SIZE 16
#define TUPLE_ITEMS 24
#define CELL_CONTENT 16
#define TYPE_NAME 24
#define TYPE_BASIC_SIZE 32
#define TYPE_MEMBERS 240
#define TYPE_BASE 256
#define MEMBER_SIZE 40
#define MEMBER_OFFSET 16
#define MEMBERS_MOST 64u
#define BASES_MOST 8u
#define LOCALS_MOST 256u
#define NAME_MOST 128u
#define FLAGS UINT64_C(7)

static addr_t
names_of(struct python_memory *memory, addr_t frame)
{
	const struct python_layout *layout = memory->layout;
	addr_t code = python_frame_code(memory->peek, layout, memory->code_type,
					frame);

	if (!code)
		return 0;
	return peek_u64(memory->peek,
			code + layout->code_file -
				(layout->lines == PYTHON_LOCATIONS ? 16 : 32));
}

static addr_t
first_local(const struct python_memory *memory, addr_t frame)
{
	const struct python_layout *layout = memory->layout;

	if (layout->lines == PYTHON_LOCATIONS)
		return frame + ((layout->frame_run + 8) & ~7u);
	return frame + layout->frame_at + 256;
}

size_t
python_local_count(struct python_memory *memory, addr_t frame)
{
	addr_t names = names_of(memory, frame);
	uint64_t count = 0;

	if (names && python_is(memory, names, "tuple"))
		count = peek_u64(memory->peek, names + TUPLE_SIZE);
	return count < LOCALS_MOST ? count : LOCALS_MOST;
}

addr_t
python_local(struct python_memory *memory, addr_t frame, size_t i)
{
	addr_t at = first_local(memory, frame) + 8 * i;
	addr_t object = peek_u64(memory->peek, at) & ~FLAGS;

	if (object && python_is(memory, object, "cell"))
		object = peek_u64(memory->peek, object + CELL_CONTENT);
	return object;
}

/*
 * How many of the first local variables are positional parameters: co_argcount
 * is behind the head of the code object, from 3.11 on 16 bytes before
 * co_firstlineno (Include/cpython/code.h).
 */
static size_t
parameters_of(struct python_memory *memory, addr_t frame)
{
	const struct python_layout *layout = memory->layout;
	addr_t code = python_frame_code(memory->peek, layout, memory->code_type,
					frame);
	addr_t counts = code + 16;
	uint32_t count;

	if (!code)
		return 0;
	if (layout->lines == PYTHON_LOCATIONS)
		counts = code + layout->code_line - 16;
	count = peek_u32(memory->peek, counts);
	return count < LOCALS_MOST ? count : LOCALS_MOST;
}

/* FNV-1a of the addresses of the objects. */
uint64_t
python_arguments(struct python_memory *memory, addr_t frame)
{
	uint64_t number = UINT64_C(0xcbf29ce484222325);
	size_t count = parameters_of(memory, frame);

	for (size_t i = 0; i < count; i++) {
		number ^= peek_u64(memory->peek,
				   first_local(memory, frame) + 8 * i);
		number *= UINT64_C(0x100000001b3);
	}
	return number;
}

addr_t
python_local_named(struct python_memory *memory, addr_t frame, const char *name)
{
	size_t count = python_local_count(memory, frame);
	addr_t names = count ? names_of(memory, frame) : 0;

	for (size_t i = 0; i < count && !memory->peek->fault; i++) {
		addr_t item =
			peek_u64(memory->peek, names + TUPLE_ITEMS + 8 * i);

		if (python_equals(memory, item, name))
			return python_local(memory, frame, i);
	}
	return 0;
}

static addr_t
type_of(struct python_memory *memory, addr_t object)
{
	return peek_u64(memory->peek, object + memory->layout->object_type) &
	       ~FLAGS;
}

static bool
has_text(struct python_memory *memory, addr_t pointer, char *to, size_t room)
{
	addr_t at = peek_u64(memory->peek, pointer);
	int whole = 0;

	return at && !memory->peek->fault &&
	       reader_cstr(memory->peek->memory, at, to, room, &whole) >= 0 &&
	       whole;
}

bool
python_is(struct python_memory *memory, addr_t object, const char *type)
{
	char name[NAME_MOST];
	const char *last;

	if (!object || !has_text(memory, type_of(memory, object) + TYPE_NAME,
				 name, sizeof(name))) {
		peek_failed(memory->peek);
		return false;
	}
	last = strrchr(name, '.');
	return !strcmp(name, type) || (last && !strcmp(last + 1, type));
}

uint64_t
python_size(struct python_memory *memory, addr_t object)
{
	return peek_u64(memory->peek,
			type_of(memory, object) + TYPE_BASIC_SIZE);
}

/* The offset of the member in objects of the type; 0 if it has none. */
static uint64_t
member_offset(struct python_memory *memory, addr_t type, const char *name)
{
	addr_t at = peek_u64(memory->peek, type + TYPE_MEMBERS);
	char member[NAME_MOST];

	for (unsigned i = 0; at && i < MEMBERS_MOST; i++, at += MEMBER_SIZE) {
		if (!has_text(memory, at, member, sizeof(member)))
			break;
		if (!strcmp(member, name))
			return peek_u64(memory->peek, at + MEMBER_OFFSET);
	}
	return 0;
}

addr_t
python_member(struct python_memory *memory, addr_t object, const char *name)
{
	addr_t type = type_of(memory, object);
	uint64_t size = python_size(memory, object), offset = 0;

	for (unsigned i = 0; type && i < BASES_MOST && !offset; i++) {
		offset = member_offset(memory, type, name);
		type = peek_u64(memory->peek, type + TYPE_BASE);
	}
	if (memory->peek->fault || !offset || offset % 8 || offset + 8 > size)
		return 0;
	return peek_u64(memory->peek, object + offset);
}

static bool
bytes_of(struct python_memory *memory, addr_t object, size_t most,
	 struct arena *arena, struct statement_text *ret_text)
{
	const struct python_layout *layout = memory->layout;
	uint64_t whole = peek_u64(memory->peek, object + layout->bytes_size);
	size_t length = whole < most ? whole : most;
	char *bytes;

	if (memory->peek->fault || whole > INT32_MAX)
		return false;
	bytes = arena_alloc(arena, length + 1);
	if (!peek_bytes(memory->peek, object + layout->bytes_data, bytes,
			length))
		return false;
	bytes[length] = '\0';
	*ret_text = (struct statement_text){ .bytes = bytes,
					     .length = length,
					     .whole = whole };
	return true;
}

bool
python_characters(struct python_memory *memory, addr_t object, size_t most,
		  struct arena *arena, struct statement_text *ret_text)
{
	if (python_is(memory, object, "bytes"))
		return bytes_of(memory, object, most, arena, ret_text);
	return python_is(memory, object, "str") &&
	       python_long_text(memory->peek, memory->layout, object, most,
				arena, ret_text);
}

bool
python_equals(struct python_memory *memory, addr_t object, const char *text)
{
	size_t length = strlen(text);
	struct statement_text found;
	struct arena arena;
	bool equal;

	arena_init(&arena);
	equal = python_characters(memory, object, length + 1, &arena, &found) &&
		found.whole == length && !memcmp(found.bytes, text, length);
	arena_release(&arena);
	return equal;
}
