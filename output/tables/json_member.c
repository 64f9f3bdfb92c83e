/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar is RFC 8259's, of objects whose values are texts and numbers: the
 * rows of a table have no others. A NUL in a text (\u0000) becomes U+FFFD,
 * because names end at a NUL.
 */
#include "output/tables/json_member.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void
json_member_init(struct json_member *member)
{
	*member = (struct json_member){ 0 };
	str_init(&member->key);
	str_init(&member->text);
}

void
json_member_release(struct json_member *member)
{
	str_release(&member->key);
	str_release(&member->text);
}

static const char *
skip_blanks(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

static void
add_character(struct str *to, uint32_t c)
{
	if (c == 0)
		c = 0xfffd;
	if (c < 0x80) {
		str_add_char(to, (char)c);
		return;
	}
	if (c < 0x800) {
		str_add_char(to, (char)(0xc0 | c >> 6));
	} else if (c < 0x10000) {
		str_add_char(to, (char)(0xe0 | c >> 12));
		str_add_char(to, (char)(0x80 | (c >> 6 & 0x3f)));
	} else {
		str_add_char(to, (char)(0xf0 | c >> 18));
		str_add_char(to, (char)(0x80 | (c >> 12 & 0x3f)));
		str_add_char(to, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	str_add_char(to, (char)(0x80 | (c & 0x3f)));
}

/* Reads four hexadecimal digits. */
static int
read_unit(const char *at, uint32_t *ret_unit)
{
	char digits[5] = { 0 };

	for (int i = 0; i < 4; i++) {
		if (!isxdigit((unsigned char)at[i]))
			return -EINVAL;
		digits[i] = at[i];
	}
	*ret_unit = (uint32_t)strtoul(digits, NULL, 16);
	return 0;
}

/* Reads an escaped character, whose "\u" was read already: four digits, or two
 * halves of a surrogate pair. */
static int
read_unicode(const char **at, struct str *to)
{
	uint32_t high, low;

	if (read_unit(*at, &high) < 0)
		return -EINVAL;
	*at += 4;
	if (high >= 0xd800 && high < 0xdc00 && (*at)[0] == '\\' &&
	    (*at)[1] == 'u' && read_unit(*at + 2, &low) == 0 && low >= 0xdc00 &&
	    low < 0xe000) {
		*at += 6;
		high = 0x10000 + ((high - 0xd800) << 10 | (low - 0xdc00));
	} else if (high >= 0xd800 && high < 0xe000) {
		high = 0xfffd;
	}
	add_character(to, high);
	return 0;
}

static int
read_escape(const char **at, struct str *to)
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	const char *name = **at ? strchr(names, **at) : NULL;

	if (name) {
		str_add_char(to, values[name - names]);
		++*at;
		return 0;
	}
	if (**at != 'u')
		return -EINVAL;
	++*at;
	return read_unicode(at, to);
}

static int
read_text(const char **at, struct str *to)
{
	str_clear(to);
	if (**at != '"')
		return -EINVAL;
	for (++*at; **at != '"';) {
		if ((unsigned char)**at < ' ')
			return -EINVAL;
		if (**at != '\\') {
			str_add_char(to, *(*at)++);
			continue;
		}
		++*at;
		if (read_escape(at, to) < 0)
			return -EINVAL;
	}
	++*at;
	return 0;
}

/* Reads {"$bytes": "..."}, the form of a text that is not UTF-8. */
static int
read_bytes(struct json_member *member, const char **at)
{
	struct str key = { 0 };
	int r;

	*at = skip_blanks(*at + 1);
	r = read_text(at, &key);
	if (r == 0 && strcmp(str_text(&key), "$bytes") != 0)
		r = -EINVAL;
	str_release(&key);
	*at = skip_blanks(*at);
	if (r < 0 || **at != ':')
		return -EINVAL;
	*at = skip_blanks(*at + 1);
	r = read_text(at, &member->text);
	*at = skip_blanks(*at);
	if (r < 0 || **at != '}')
		return -EINVAL;
	++*at;
	return 0;
}

/* Returns 1 for a truth value, 0 for any other value, or -EINVAL. */
static int
read_value(struct json_member *member, const char **at)
{
	char *end;

	str_clear(&member->text);
	member->is_number = false;
	if (**at == '"')
		return read_text(at, &member->text);
	if (**at == '{')
		return read_bytes(member, at);
	if (!strncmp(*at, "true", 4) || !strncmp(*at, "false", 5)) {
		*at += **at == 't' ? 4 : 5;
		return 1;
	}
	/* strtod() also takes what JSON does not: inf, nan, 0x1. */
	if (**at != '-' && !isdigit((unsigned char)**at))
		return -EINVAL;
	member->is_number = true;
	member->number = strtod(*at, &end);
	if (end == *at)
		return -EINVAL;
	*at = end;
	return 0;
}

#define SKIPPED 2

/* Reads a member like json_member_next(), but returns SKIPPED for a truth
 * value. */
static int
read_member(struct json_member *member, const char **at)
{
	const char *here = skip_blanks(*at);
	bool first = *here == '{';
	int r;

	if (!first && *here != ',' && *here != '}')
		return -EINVAL;
	if (first || *here == ',')
		here = skip_blanks(here + 1);
	else
		return *skip_blanks(here + 1) ? -EINVAL : 0;
	if (first && *here == '}')
		return *skip_blanks(here + 1) ? -EINVAL : 0;
	if (read_text(&here, &member->key) < 0)
		return -EINVAL;
	here = skip_blanks(here);
	if (*here != ':')
		return -EINVAL;
	here = skip_blanks(here + 1);
	r = read_value(member, &here);
	if (r < 0)
		return -EINVAL;
	*at = here;
	return r == 1 ? SKIPPED : 1;
}

int
json_member_next(struct json_member *member, const char **at)
{
	int r;

	do {
		r = read_member(member, at);
	} while (r == SKIPPED);
	return r;
}
