/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Detects a PostgreSQL client. A piece is recognized if it is the start of a
 * connection, or a chain of client messages that make sense, at least one of
 * them with content. The chain must end at the end of the piece or within a
 * long last message.
 */
#include "protocols/postgres_parts.h"

#include <string.h>

/* The least length of a piece that may be only the beginning of a message. */
enum { LONG_PIECE = 512 };

bool
postgres_detect_start(const unsigned char *bytes, size_t have, uint64_t whole)
{
	uint32_t length, word;

	if (have < 8)
		return false;
	length = postgres_u32(bytes);
	word = postgres_u32(bytes + 4);
	if (length != whole)
		return false;
	if (word == POSTGRES_SSL || word == POSTGRES_GSS)
		return length == 8;
	if (word == POSTGRES_CANCEL)
		return length == 16;
	/* The start of a connection: any minor version is accepted, and the
	 * parameters end with an empty name. */
	return word >> 16 == POSTGRES_VERSION_3 >> 16 && length > 8;
}

/* True if the given part of a string has no control characters except white
 * space. */
static bool
is_string(const unsigned char *bytes, size_t count)
{
	size_t looked = count < 64 ? count : 64;

	for (size_t i = 0; i < looked && bytes[i]; i++) {
		if (bytes[i] < '\t' || bytes[i] == 0x7f ||
		    (bytes[i] > '\r' && bytes[i] < ' '))
			return false;
	}
	return true;
}

/* True if a message whose body has `length` bytes makes sense. The first
 * `count` bytes of the body are given. */
static bool
is_message(unsigned char letter, const unsigned char *body, size_t count,
	   uint64_t length, bool *ret_speaks)
{
	*ret_speaks = true;
	switch (letter) {
	case 'Q':
		return length >= 1 && is_string(body, count) &&
		       (count < length || body[count - 1] == '\0');
	case 'P':
		return length >= 4 && is_string(body, count) &&
		       (count < length || memchr(body, '\0', count));
	case 'B':
		return length >= 8 && is_string(body, count);
	case 'E':
		return length >= 5 && is_string(body, count);
	case 'C':
	case 'D':
		return length >= 2 && count >= 1 &&
		       (body[0] == 'S' || body[0] == 'P');
	case 'S':
		return length == 0;
	case 'H':
		*ret_speaks = false;
		return length == 0;
	default:
		return false;
	}
}

bool
postgres_detect_client(const unsigned char *bytes, size_t have, uint64_t whole)
{
	uint64_t at = 0;
	bool any = false, speaks;

	while (at + 5 <= have) {
		uint64_t length = (uint64_t)postgres_u32(bytes + at + 1) - 4;
		size_t here = have - at - 5;

		if (length > POSTGRES_MESSAGE_MOST)
			return false;
		if (here > length)
			here = length;
		if (!is_message(bytes[at], bytes + at + 5, here, length,
				&speaks))
			return false;
		any = any || speaks;
		at += 5 + length;
	}
	if (!any)
		return false;
	return at == whole || (at > whole && whole >= LONG_PIECE) ||
	       (at < whole && (at >= have || have < whole));
}
