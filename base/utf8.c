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

bool
utf8_harmless(uint32_t character)
{
	static const struct {
		uint32_t first, last;
	} harmful[] = {
		{ 0x80, 0x9f },	    { 0x61c, 0x61c },	{ 0x200e, 0x200f },
		{ 0x2028, 0x202e }, { 0x2066, 0x2069 }, { 0xfeff, 0xfeff },
		{ 0xfff9, 0xfffb },
	};

	for (size_t i = 0; i < array_size(harmful); i++) {
		if (character >= harmful[i].first &&
		    character <= harmful[i].last)
			return false;
	}
	return true;
}
