/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lexical part of filters: which characters are protected. Names of C
 * consist of letters, but demangled names do not:
 *
 *	std::map<int, char>::at(int const&)	commas, in brackets
 *	vec::operator+=, vec::operator->	signs
 *	[a-z]*					a glob's class
 *
 * A bracket protects only if it is closed, so that `f<*` is an ordinary glob.
 * Quotes and backslashes protect any character. The characters of a glob keep
 * their meaning within quotes, because quotes are meant for + - , and @.
 */
#include "conf/filter/filter_scan.h"

#include "base/str.h"
#include "conf/filter/demangled.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define GLOB_CHARACTERS "*?[]\\"

/* The length of a quoted piece with its quotes; 0 if the second quote is
 * missing. */
static size_t
quoted_length(const char *at)
{
	char quote = at[0];
	size_t length = 1;

	while (at[length] && at[length] != quote)
		length += at[length] == '\\' && at[length + 1] ? 2 : 1;
	return at[length] ? length + 1 : 0;
}

static bool
opens(char c)
{
	return c == '<' || c == '(';
}

static bool
closes(char c)
{
	return c == '>' || c == ')';
}

/* The length from the bracket at `at` to its partner, or 0. */
static size_t
bracketed_length(const char *at)
{
	size_t length = 0, depth = 0;
	const char *end;

	if (at[0] == '[') {
		end = at[1] ? strchr(at + 2, ']') : NULL;
		return end ? (size_t)(end - at) + 1 : 0;
	}
	for (; at[length]; length++) {
		if (at[length] == '\\' && at[length + 1]) {
			length++;
			continue;
		}
		depth += opens(at[length]);
		depth -= closes(at[length]);
		if (depth == 0)
			return length + 1;
	}
	return 0;
}

/* How many characters from `at` on are protected together; 0 is an error. */
static size_t
piece_length(const char *text, size_t start, size_t at)
{
	size_t length = 0;

	switch (text[at]) {
	case '"':
	case '\'':
		return quoted_length(text + at);
	case '\\':
		return text[at + 1] ? 2 : 0;
	case '<':
	case '(':
	case '[':
		length = bracketed_length(text + at);
		break;
	case 'o':
		length = demangled_operator(text, start, at);
		break;
	default:
		break;
	}
	return length ? length : 1;
}

int
filter_scan_word(const char *text, size_t at, const char *stops,
		 size_t *ret_end)
{
	size_t start = at;

	while (text[at] && !strchr(stops, text[at])) {
		size_t length = piece_length(text, start, at);

		if (length == 0) {
			*ret_end = at;
			return -EINVAL;
		}
		at += length;
	}
	*ret_end = at;
	return 0;
}

size_t
filter_scan_regex(const char *text, size_t at, const char *stops)
{
	for (at++; text[at]; at++) {
		if (text[at] == '\\' && text[at + 1])
			at++;
		else if (text[at] == '/' &&
			 (!text[at + 1] || strchr(stops, text[at + 1])))
			return at;
	}
	return 0;
}

/* Adds a character after a backslash, so that a glob takes it literally. */
static void
add_escaped(struct str *to, char c)
{
	if (strchr(GLOB_CHARACTERS, c))
		str_add_char(to, '\\');
	str_add_char(to, c);
}

char *
filter_unprotect(const char *text, size_t start, size_t end)
{
	struct str to;
	char quote = '\0';

	str_init(&to);
	while (start < end && isspace((unsigned char)text[start]))
		start++;
	while (end > start && isspace((unsigned char)text[end - 1]))
		end--;
	for (size_t at = start; at < end; at++) {
		char c = text[at];

		if (c == '\\' && at + 1 < end)
			add_escaped(&to, text[++at]);
		else if (quote ? c == quote : c == '"' || c == '\'')
			quote = quote ? '\0' : c;
		else
			str_add_char(&to, c);
	}
	return str_take(&to);
}

char *
filter_unprotect_regex(const char *text, size_t start, size_t end)
{
	struct str to;

	str_init(&to);
	for (size_t at = start; at < end; at++) {
		if (text[at] == '\\' && at + 1 < end) {
			if (text[at + 1] != '/')
				str_add_char(&to, '\\');
			at++;
		}
		str_add_char(&to, text[at]);
	}
	return str_take(&to);
}
