/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A str is compact: its characters are behind its head. A str made by an old
 * interface (to 3.11) has them elsewhere. A character has 1, 2 or 4 bytes;
 * other characters than ASCII become UTF-8. Bytes of file names that were not
 * valid UTF-8 are stored as U+DC80 to U+DCFF (PEP 383) and become the original
 * bytes.
 *
 * The state in the head: three bits for the kind (1, 2, 4), then compact and
 * ascii; before these are two other bits, or in free-threaded builds a byte
 * (Include/cpython/unicodeobject.h).
 */
#include "stacks/python_text.h"

#define TEXT_MOST 4096u

struct shape {
	unsigned kind;
	bool compact, ascii;
};

static bool
shape_of(uint32_t state, struct shape *ret_shape)
{
	static const unsigned shifts[] = { 2, 8 };

	for (size_t i = 0; i < array_size(shifts); i++) {
		uint32_t bits = state >> shifts[i];
		unsigned kind = bits & 7;

		if (kind != 1 && kind != 2 && kind != 4)
			continue;
		*ret_shape = (struct shape){ kind, bits & 8, bits & 16 };
		return true;
	}
	return false;
}

/* Writes a character as UTF-8; returns how many bytes, at most 4. */
static size_t
encode(uint32_t c, char *to)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c >= 0xdc80 && c <= 0xdcff) {
		to[0] = (char)(c & 0xff);
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | (c >> 18 & 7));
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

static uint32_t
character(const uint8_t *bytes, unsigned kind, size_t i)
{
	uint32_t c = 0;

	memcpy(&c, bytes + i * kind, kind);
	return c;
}

static const char *
convert(const uint8_t *bytes, unsigned kind, size_t length, struct arena *arena)
{
	char *text = arena_alloc(arena, 4 * length + 1);
	size_t done = 0;

	for (size_t i = 0; i < length; i++)
		done += encode(character(bytes, kind, i), text + done);
	text[done] = '\0';
	return text;
}

/* Finds the characters of a str; returns false if the object is not a str. */
static bool
find_characters(struct peek *peek, const struct python_layout *layout,
		addr_t object, struct shape *ret_shape, uint64_t *ret_length,
		addr_t *ret_data)
{
	uint64_t length = peek_u64(peek, object + layout->text_length);
	uint32_t state = peek_u32(peek, object + layout->text_state);
	addr_t data;

	if (peek->fault || !shape_of(state, ret_shape) || length > INT32_MAX)
		return false;
	data = object + (ret_shape->compact && ret_shape->ascii
				 ? layout->text_ascii
				 : layout->text_compact);
	if (!ret_shape->compact)
		data = peek_u64(peek, data);
	*ret_length = length;
	*ret_data = data;
	return !peek->fault;
}

const char *
python_text(struct peek *peek, const struct python_layout *layout,
	    addr_t object, struct arena *arena)
{
	uint8_t bytes[4 * TEXT_MOST];
	struct shape shape;
	uint64_t length;
	addr_t data;

	if (!find_characters(peek, layout, object, &shape, &length, &data))
		return NULL;
	if (length > TEXT_MOST)
		length = TEXT_MOST;
	if (!peek_bytes(peek, data, bytes, length * shape.kind))
		return NULL;
	if (shape.kind == 1 && shape.ascii)
		return arena_strndup(arena, (char *)bytes, length);
	return convert(bytes, shape.kind, length, arena);
}

bool
python_long_text(struct peek *peek, const struct python_layout *layout,
		 addr_t object, size_t most, struct arena *arena,
		 struct statement_text *ret_text)
{
	struct shape shape;
	uint64_t length, whole;
	uint8_t *bytes;
	addr_t data;

	if (!find_characters(peek, layout, object, &shape, &whole, &data))
		return false;
	length = whole < most ? whole : most;
	bytes = arena_alloc(arena, length * shape.kind + 1);
	if (!peek_bytes(peek, data, bytes, length * shape.kind))
		return false;
	bytes[length * shape.kind] = '\0';
	ret_text->bytes = (char *)bytes;
	ret_text->length = length;
	if (shape.kind != 1 || !shape.ascii) {
		ret_text->bytes = convert(bytes, shape.kind, length, arena);
		ret_text->length = strlen(ret_text->bytes);
	}
	ret_text->whole = ret_text->length + (whole - length);
	return true;
}
