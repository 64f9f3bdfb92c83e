/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Escaping. Valid UTF-8 stays as it is, because text in any language should be
 * readable. All other bytes above ASCII are written in octal, as in ltrace. A
 * few valid characters are escaped as well: the C1 controls, which terminals
 * obey, and the characters that change the direction of the text around them,
 * because with them a line of the trace could appear to say something else.
 *
 * An octal escape is as short as possible: "\0", but "\0001" if a digit
 * follows.
 */
#include "base/escape.h"

#include "base/utf8.h"

#include <string.h>

/* What is written for the first bytes of a text, and how many bytes these
 * are. */
struct escape_piece {
	char text[4];
	unsigned length;
	unsigned taken;
};

static bool
is_digit(const char *bytes, size_t length)
{
	return length > 0 && bytes[0] >= '0' && bytes[0] <= '9';
}

static struct escape_piece
octal(const char *bytes, size_t length)
{
	unsigned char byte = (unsigned char)bytes[0];

	if (byte == 0 && !is_digit(bytes + 1, length - 1))
		return (struct escape_piece){ { '\\', '0' }, 2, 1 };
	return (struct escape_piece){ { '\\', (char)('0' + byte / 64),
					(char)('0' + byte / 8 % 8),
					(char)('0' + byte % 8) },
				      4,
				      1 };
}

/* How bytes that are not plain are written. */
static struct escape_piece
piece_of(const char *bytes, size_t length, bool ascii)
{
	static const char special[] = "\a\b\t\n\v\f\r\"'\\";
	static const char letters[] = "abtnvfr\"'\\";
	const char *found = bytes[0] ? strchr(special, bytes[0]) : NULL;
	struct escape_piece piece = { .length = 0 };
	uint32_t character;
	unsigned size;

	if (found)
		return (struct escape_piece){
			{ '\\', letters[found - special] }, 2, 1
		};
	size = ascii ? 0 : utf8_decode(bytes, length, &character);
	if (size == 0 || !utf8_harmless(character))
		return octal(bytes, length);
	memcpy(piece.text, bytes, size);
	piece.length = piece.taken = size;
	return piece;
}

static bool
plain(char byte, char quote)
{
	return byte >= ' ' && byte <= '~' && byte != '\\' &&
	       (!quote || byte != quote);
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (uint8_t)(byte))

/* True if one of the word's bytes is 0 (Warren, "Hacker's Delight", 6-1). */
static bool
has_zero(uint64_t word)
{
	return (word - EACH(1)) & ~word & EACH(0x80);
}

/* True only if all eight bytes are plain; it may be false although they are. */
static bool
plain_eight(const char *bytes, char quote)
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
	const char *at = bytes, *end = at + length;

	while (at < end) {
		const char *from = at;
		struct escape_piece piece;

		while (end - at >= 8 && plain_eight(at, quote))
			at += 8;
		while (at < end && plain(*at, quote))
			at++;
		str_add_bytes(to, from, (size_t)(at - from));
		if (at == end)
			return;
		piece = piece_of(at, (size_t)(end - at), ascii);
		str_add_bytes(to, piece.text, piece.length);
		at += piece.taken;
	}
}

/* Adds a character in UTF-8. It must be utf8_harmless(), and has then at most
 * four bytes. */
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
		   utf8_harmless(character)) {
		add_character(to, character);
	} else {
		str_add(to, "\\x");
		str_addf(to, "%x", character);
	}
	str_add_char(to, '\'');
}

/* ---- names --------------------------------------------------------------- */

void
escape_name_bytes(struct str *to, const char *name, size_t length)
{
	const char *end = name + length;

	for (;;) {
		const char *back = memchr(name, '\\', (size_t)(end - name));

		escape_text(to, name, (size_t)((back ? back : end) - name),
			    '\0', false);
		if (!back)
			return;
		str_add_char(to, '\\');
		name = back + 1;
	}
}

void
escape_name(struct str *to, const char *name)
{
	escape_name_bytes(to, name, strlen(name));
}

size_t
escape_name_into(char *to, size_t room, const char *name)
{
	size_t length = strlen(name), done = 0;

	while (length > 0) {
		struct escape_piece piece = { { *name }, 1, 1 };

		if (!plain(*name, '\0') && *name != '\\')
			piece = piece_of(name, length, false);
		if (piece.length >= room - done)
			break;
		memcpy(to + done, piece.text, piece.length);
		done += piece.length;
		name += piece.taken;
		length -= piece.taken;
	}
	to[done] = '\0';
	return done;
}

bool
escape_spares(const char *name, size_t length)
{
	const char *end = name + length;

	while (end - name >= 8 && plain_eight(name, '\0'))
		name += 8;
	while (name < end && (plain(*name, '\0') || *name == '\\'))
		name++;
	return name == end;
}
