/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers and text in the notation of C (C11 6.4.4), and two extensions: binary
 * integers (0b101), and durations (10ms), which are integers in nanoseconds. A
 * real number needs a point or an exponent, as in C; "1.5s" is a duration
 * nevertheless.
 */
#include "conf/parse/literal.h"

#include "base/parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Parses an integer of C, with its suffixes. */
static int
parse_integer(const char *text, struct token *token)
{
	bool binary = text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(binary ? text + 2 : text, &end, binary ? 2 : 0);
	if (errno == ERANGE)
		return -ERANGE;
	if (end[strspn(end, "uUlL")] || (binary && end == text + 2))
		return -EINVAL;
	token->number = (int64_t)value;
	token->is_unsigned = value > INT64_MAX;
	return 0;
}

static int
parse_real(const char *text, double *ret_real)
{
	char *end;

	*ret_real = strtod(text, &end);
	if (*end && strchr("fFlL", *end))
		end++;
	return *end ? -EINVAL : 0;
}

int
literal_number(const char *text, struct token *token)
{
	size_t length = strlen(text);
	uint64_t duration;
	int r = parse_integer(text, token);

	if (r != -EINVAL)
		return r;
	if (isalpha((unsigned char)text[length - 1]) &&
	    parse_duration(text, &duration) == 0) {
		token->number = (int64_t)duration;
		token->has_unit = true;
		return 0;
	}
	token->kind = TOKEN_REAL;
	return parse_real(text, &token->real);
}

static char
hex_escape(const char **at)
{
	int value = 0;

	for (; isxdigit((unsigned char)**at); (*at)++) {
		int c = tolower((unsigned char)**at);

		value = value % 16 * 16 + (isdigit(c) ? c - '0' : c - 'a' + 10);
	}
	return (char)value;
}

static char
octal_escape(const char **at)
{
	int value = 0;

	for (int i = 0; i < 3 && **at >= '0' && **at <= '7'; i++)
		value = value * 8 + *(*at)++ - '0';
	return (char)value;
}

/* The character at *at, which may be an escape. Moves *at behind it. */
static char
unescape(const char **at)
{
	static const char from[] = "abefnrtv";
	static const char to[] = "\a\b\033\f\n\r\t\v";
	const char *place;
	char c = *(*at)++;

	if (c != '\\' || !**at)
		return c;
	if (**at >= '0' && **at <= '7')
		return octal_escape(at);
	c = *(*at)++;
	if (c == 'x')
		return hex_escape(at);
	place = strchr(from, c);
	return place ? to[place - from] : c;
}

const char *
literal_text(struct arena *arena, const char *text)
{
	char *copy = arena_strdup(arena, text);
	size_t n = 0;

	while (*text)
		copy[n++] = unescape(&text);
	copy[n] = '\0';
	return copy;
}
