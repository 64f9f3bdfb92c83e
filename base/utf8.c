/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UTF-8 as RFC 3629, section 4, defines it: no overlong forms, no surrogates,
 * no character above U+10FFFF.
 */
#include "base/utf8.h"

#include "base/attr.h"

unsigned
utf8_decode(const char *bytes, size_t length, uint32_t *ret_character)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = (unsigned char)bytes[0];
	unsigned size = first < 0xc2   ? 0
			: first < 0xe0 ? 2
			: first < 0xf0 ? 3
			: first < 0xf5 ? 4
				       : 0;
	uint32_t character;

	if (size == 0 || size > length)
		return 0;
	character = first & (0x7fu >> size);
	for (unsigned i = 1; i < size; i++) {
		unsigned char byte = (unsigned char)bytes[i];

		if (byte >> 6 != 2)
			return 0;
		character = character << 6 | (byte & 0x3f);
	}
	if (character < smallest[size] || character > 0x10ffff ||
	    character >> 11 == 0xd800 >> 11)
		return 0;
	*ret_character = character;
	return size;
}

#define CHARACTER_MOST 4u /* bytes */

static bool
is_plain(char byte)
{
	return byte == '\t' || byte == '\n' || byte == '\r' ||
	       (byte >= ' ' && byte <= '~');
}

bool
utf8_is_text(const char *bytes, size_t length, bool cut)
{
	size_t at = 0;

	while (at < length) {
		uint32_t character;
		unsigned size = 1;

		if (!is_plain(bytes[at]))
			size = utf8_decode(bytes + at, length - at, &character);
		if (size == 0)
			return cut && length - at < CHARACTER_MOST &&
			       (unsigned char)bytes[at] >= 0xc2;
		at += size;
	}
	return true;
}

struct character_range {
	uint32_t first, last;
};

static bool
is_in(uint32_t character, const struct character_range *ranges, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (character >= ranges[i].first && character <= ranges[i].last)
			return true;
	}
	return false;
}

bool
utf8_harmless(uint32_t character)
{
	static const struct character_range harmful[] = {
		{ 0x80, 0x9f },	    { 0x61c, 0x61c },	{ 0x200e, 0x200f },
		{ 0x2028, 0x202e }, { 0x2066, 0x2069 }, { 0xfeff, 0xfeff },
		{ 0xfff9, 0xfffb },
	};

	return !is_in(character, harmful, array_size(harmful));
}

/* The columns of a character (Unicode 15). None: the blocks of combining marks,
 * and U+200B to U+200D, which have no width. Two: W and F in
 * EastAsianWidth.txt. */
static unsigned
columns_of(uint32_t character)
{
	static const struct character_range none[] = {
		{ 0x300, 0x36f },   { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff },
		{ 0x200b, 0x200d }, { 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f },
		{ 0xfe20, 0xfe2f },
	};
	static const struct character_range two[] = {
		{ 0x1100, 0x115f },   { 0x2e80, 0x303e },
		{ 0x3041, 0x33ff },   { 0x3400, 0x4dbf },
		{ 0x4e00, 0x9fff },   { 0xa000, 0xa4cf },
		{ 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },
		{ 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },
		{ 0xffe0, 0xffe6 },   { 0x1f300, 0x1f64f },
		{ 0x1f680, 0x1f6ff }, { 0x1f900, 0x1f9ff },
		{ 0x20000, 0x3fffd },
	};

	if (is_in(character, none, array_size(none)))
		return 0;
	return is_in(character, two, array_size(two)) ? 2 : 1;
}

/* The columns of the character at the start; *ret_size are its bytes. */
static unsigned
first_columns(const char *bytes, size_t length, unsigned *ret_size)
{
	uint32_t character;
	unsigned size = utf8_decode(bytes, length, &character);

	*ret_size = size ? size : 1;
	return size ? columns_of(character) : 1;
}

size_t
utf8_columns(const char *bytes, size_t length)
{
	size_t columns = 0;
	unsigned size;

	for (size_t at = 0; at < length; at += size)
		columns += first_columns(bytes + at, length - at, &size);
	return columns;
}

size_t
utf8_fitting(const char *bytes, size_t length, size_t columns)
{
	size_t at = 0, used = 0;

	while (at < length) {
		unsigned size;

		used += first_columns(bytes + at, length - at, &size);
		if (used > columns)
			break;
		at += size;
	}
	return at;
}
