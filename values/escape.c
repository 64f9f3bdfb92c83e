/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Escaping. Valid UTF-8 is shown as it is, since text in any language should
 * be readable; anything else above ASCII byte by byte in octal, as ltrace has
 * it. A few characters are valid and still not shown: the C1 controls, which
 * terminals obey, and those that turn the direction of the text around them,
 * which would make a line of the trace say what it does not.
 *
 * An octal escape is as short as it can be: "\0", but "\0001" where a digit
 * follows.
 */
#include "values/escape.h"

#include "base/attr.h"

#include <string.h>

/* Bytes that a character takes; 0: this is no valid UTF-8 (RFC 3629, 4). */
static unsigned
decode(const unsigned char *bytes, size_t length, uint32_t *ret_character)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = bytes[0];
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
		if (bytes[i] >> 6 != 2)
			return 0;
		character = character << 6 | (bytes[i] & 0x3f);
	}
	if (character < smallest[size] || character > 0x10ffff ||
	    character >> 11 == 0xd800 >> 11)
		return 0;
	*ret_character = character;
	return size;
}

/* Beyond ASCII: not a control, and not one that moves its neighbours. */
static bool
harmless(uint32_t character)
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

static void
add_octal(struct str *to, unsigned char byte, bool digit_follows)
{
	char escape[4] = { '\\', (char)('0' + byte / 64),
			   (char)('0' + byte / 8 % 8), (char)('0' + byte % 8) };

	if (byte == 0 && !digit_follows)
		str_add_bytes(to, "\\0", 2);
	else
		str_add_bytes(to, escape, sizeof(escape));
}

static bool
is_digit(const unsigned char *bytes, size_t length)
{
	return length > 0 && bytes[0] >= '0' && bytes[0] <= '9';
}

/* The one at the front; how many bytes it took. */
static size_t
escape_one(struct str *to, const unsigned char *bytes, size_t length,
	   bool ascii)
{
	static const char special[] = "\a\b\t\n\v\f\r\"'\\";
	static const char letters[] = "abtnvfr\"'\\";
	const char *found = bytes[0] ? strchr(special, bytes[0]) : NULL;
	uint32_t character;
	unsigned size;

	if (found) {
		str_add_char(to, '\\');
		str_add_char(to, letters[found - special]);
		return 1;
	}
	size = ascii ? 0 : decode(bytes, length, &character);
	if (size > 0 && harmless(character)) {
		str_add_bytes(to, (const char *)bytes, size);
		return size;
	}
	add_octal(to, bytes[0], is_digit(bytes + 1, length - 1));
	return 1;
}

static bool
plain(unsigned char byte, char quote)
{
	if (byte < ' ' || byte > '~' || byte == '\\')
		return false;
	return (byte != '"' && byte != '\'') || byte != (unsigned char)quote;
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (uint8_t)(byte))

/* Is one of the word's bytes 0? (Warren, "Hacker's Delight", 6-1) */
static bool
has_zero(uint64_t word)
{
	return (word - EACH(1)) & ~word & EACH(0x80);
}

/* Are eight of them plain? It may say no where they are. */
static bool
plain_eight(const unsigned char *bytes, char quote)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return !((word | (word - EACH(' '))) & EACH(0x80)) &&
	       !has_zero(word ^ EACH(0x7f)) && !has_zero(word ^ EACH('\\')) &&
	       !(quote && has_zero(word ^ EACH(quote)));
}

void
escape_text(struct str *to, const char *bytes, size_t length, char quote,
	    bool ascii)
{
	const unsigned char *at = (const unsigned char *)bytes;
	const unsigned char *end = at + length;

	while (at < end) {
		const unsigned char *from = at;

		while (end - at >= 8 && plain_eight(at, quote))
			at += 8;
		while (at < end && plain(*at, quote))
			at++;
		str_add_bytes(to, (const char *)from, (size_t)(at - from));
		if (at < end)
			at += escape_one(to, at, (size_t)(end - at), ascii);
	}
}

/* harmless() ones only, which have up to four bytes. */
static void
add_character(struct str *to, uint32_t character)
{
	unsigned more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;

	str_add_char(to,
		     (char)(0xff00 >> (more + 1) | character >> (6 * more)));
	while (more-- > 0)
		str_add_char(to,
			     (char)(0x80 | (character >> (6 * more) & 0x3f)));
}

void
escape_character(struct str *to, uint32_t character, bool wide)
{
	char byte = (char)character;

	str_add_char(to, '\'');
	if (!wide || character < 0x80) {
		escape_text(to, &byte, 1, '\'', true);
	} else if (character <= 0x10ffff && character >> 11 != 0xd800 >> 11 &&
		   harmless(character)) {
		add_character(to, character);
	} else {
		str_add(to, "\\x");
		str_addf(to, "%x", character);
	}
	str_add_char(to, '\'');
}
