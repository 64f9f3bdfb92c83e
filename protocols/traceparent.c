/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
 *	version, id of the trace, id of the parent, flags
 *
 * Digits are hexadecimal, with small letters. Ids of zeros and the version ff
 * are not valid. A value of a later version may continue behind a fourth
 * hyphen; of its flags, only the flags of version 00 are known.
 */
#include "protocols/traceparent.h"

#include <string.h>

enum { VERSION_DIGITS = 2, FLAGS_DIGITS = 2, KNOWN_FLAGS = 3 };

static int
digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Copies this many digits to `to`, and skips the hyphen behind them, which may
 * be missing at the end of the text. */
static bool
take_digits(const char **at, const char *end, char *to, size_t digits)
{
	for (size_t i = 0; i < digits; i++) {
		if (*at == end || digit_of(**at) < 0)
			return false;
		to[i] = *(*at)++;
	}
	to[digits] = '\0';
	if (*at == end)
		return true;
	return *(*at)++ == '-';
}

static bool
is_zero(const char *id)
{
	return id[strspn(id, "0")] == '\0';
}

bool
traceparent_read(const char *text, size_t length,
		 struct traceparent *ret_parent)
{
	char version[VERSION_DIGITS + 1], flags[FLAGS_DIGITS + 1];
	const char *at = text, *end = text + length;
	struct traceparent parent;

	if (!take_digits(&at, end, version, VERSION_DIGITS) ||
	    !take_digits(&at, end, parent.trace, TRACE_ID_DIGITS) ||
	    !take_digits(&at, end, parent.parent, SPAN_ID_DIGITS) ||
	    !take_digits(&at, end, flags, FLAGS_DIGITS))
		return false;
	if (!strcmp(version, "ff") || is_zero(parent.trace) ||
	    is_zero(parent.parent))
		return false;
	/* The first version ends behind the flags. */
	if (!strcmp(version, "00") && (at != end || end[-1] == '-'))
		return false;
	parent.flags = (unsigned char)(digit_of(flags[1]) & KNOWN_FLAGS);
	*ret_parent = parent;
	return true;
}
