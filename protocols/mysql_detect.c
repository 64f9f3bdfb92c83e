/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Detects MySQL by the first bytes that we see of a connection. If the
 * connection is older than our attach, they are from its middle. A piece is
 * recognized if it consists of one or more whole commands that make sense, or
 * of the beginning of a long command. The test is strict because a program has
 * many kinds of sockets: a wrong guess would show nonsense.
 */
#include "protocols/mysql_parts.h"

#include <string.h>

/* The least length of a piece that may be only the beginning of a packet. */
enum { LONG_PIECE = 512 };

/* True if the bytes can be text: no control characters. */
static bool
is_text(const unsigned char *bytes, size_t count)
{
	size_t looked = count < 64 ? count : 64;

	/* With CLIENT_QUERY_ATTRIBUTES the number of attributes and the byte 1
	 * come before the text, even if there are none. */
	if (looked >= 2 && bytes[0] < '\t' && bytes[1] == 1)
		return true;
	for (size_t i = 0; i < looked; i++) {
		if (bytes[i] < '\t' || bytes[i] == 0x7f ||
		    (bytes[i] > '\r' && bytes[i] < ' '))
			return false;
	}
	return looked > 0;
}

static bool
is_login(const unsigned char *bytes, size_t count, uint64_t length)
{
	static const unsigned char filler[19];

	return length >= MYSQL_LOGIN_FIXED && count >= 4 + MYSQL_LOGIN_FIXED &&
	       (bytes[3] == 1 || bytes[3] == 2) &&
	       mysql_u32(bytes + 4) & MYSQL_CAN_PROTOCOL_41 &&
	       memcmp(bytes + 13, filler, sizeof(filler)) == 0;
}

/* True if a command whose body has `length` bytes makes sense. The first
 * `count` bytes of the body are given. */
static bool
is_command(const unsigned char *body, size_t count, uint64_t length)
{
	switch (body[0]) {
	case MYSQL_QUERY:
	case MYSQL_STMT_PREPARE:
		return length > 1 && is_text(body + 1, count - 1);
	case MYSQL_STMT_EXECUTE:
	case MYSQL_STMT_BULK_EXECUTE:
		return length >= 7;
	case MYSQL_STMT_SEND_LONG_DATA:
		return length >= 7;
	case MYSQL_STMT_CLOSE:
	case 0x1a: /* COM_STMT_RESET */
		return length == 5;
	case MYSQL_STMT_FETCH:
		return length == 9;
	case 0x0e: /* COM_PING */
	case MYSQL_RESET_CONNECTION:
	case MYSQL_STATISTICS:
		return length == 1;
	case MYSQL_INIT_DB:
		return length > 1 && is_text(body + 1, count - 1);
	default:
		return false;
	}
}

bool
mysql_detect_client(const unsigned char *bytes, size_t have, uint64_t whole)
{
	uint64_t at = 0;
	bool any = false;

	while (at + 4 < have) {
		uint64_t length = mysql_u24(bytes + at);
		size_t here = have - at - 4;

		if (length == 0)
			return false;
		if (here > length)
			here = length;
		if (is_login(bytes + at, have - at, length))
			return at == 0 && whole == length + 4;
		if (bytes[at + 3] != 0 ||
		    !is_command(bytes + at + 4, here, length))
			return false;
		any = true;
		at += 4 + length;
	}
	if (!any)
		return false;
	/* The whole piece was checked. It must end with a packet, or within a
	 * long one. */
	return at == whole || (at > whole && whole >= LONG_PIECE) ||
	       (at < whole && at >= have);
}

bool
mysql_detect_server(const unsigned char *bytes, size_t have, uint64_t whole)
{
	const unsigned char *end;

	/* Protocol::HandshakeV10: 10, the version and a zero byte. */
	if (have < 16 || bytes[3] != 0 || bytes[4] != 10 ||
	    mysql_u24(bytes) + UINT64_C(4) != whole)
		return false;
	end = memchr(bytes + 5, '\0', have - 5);
	return end && end > bytes + 5 &&
	       is_text(bytes + 5, (size_t)(end - bytes - 5));
}
