/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nothing here knows the grammar of SQL: the end of a piece depends on its own
 * characters only. The dialects of all servers are accepted at once, and two
 * tables have the words that matter.
 */
#include "values/sql_pieces.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Words before "(" that are no function names. */
static const char *const keywords[] = {
	"all",	  "and",       "any",	  "as",	      "between",    "by",
	"case",	  "cross",     "delete",  "distinct", "else",	    "except",
	"exists", "from",      "having",  "inner",    "insert",	    "intersect",
	"into",	  "is",	       "join",	  "key",      "left",	    "like",
	"limit",  "not",       "offset",  "on",	      "or",	    "outer",
	"over",	  "right",     "select",  "set",      "some",	    "table",
	"then",	  "union",     "update",  "using",    "when",	    "where",
	"with",	  "add",       "primary", "unique",   "references", "default",
	"check",  "returning", "order",	  "group",
};

/* The words after which double quotes enclose a string. */
static const char *const before_text[] = { "like",  "ilike",   "regexp",
					   "rlike", "between", "then",
					   "else",  "escape",  "against",
					   "limit" };

static bool
is_one_of(const char *word, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(word, words[i]))
			return true;
	}
	return false;
}

bool
sql_is_keyword(const char *word)
{
	return is_one_of(word, keywords, array_size(keywords));
}

bool
sql_precedes_text(const char *word)
{
	return is_one_of(word, before_text, array_size(before_text));
}

bool
sql_in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

const char *
sql_quoted_end(const char *at, const char *end, bool escapes)
{
	char quote = *at++;

	while (at < end) {
		if (*at == '\\' && escapes && at + 1 < end) {
			at += 2;
		} else if (*at++ == quote) {
			if (at == end || *at != quote)
				return at;
			at++;
		}
	}
	return end;
}

const char *
sql_dollars_end(const char *at, const char *end)
{
	const char *close = at + 1;
	size_t length;

	while (close < end && *close != '$' && sql_in_name(*close))
		close++;
	if (close >= end || *close != '$' ||
	    (close > at + 1 && isdigit((unsigned char)at[1])))
		return NULL;
	length = (size_t)(close - at) + 1;
	close = memmem(close + 1, (size_t)(end - close - 1), at, length);
	return close ? close + length : end;
}

/* Is this the exponent of a number: e5, e-5? */
static bool
at_exponent(const char *at, const char *end)
{
	if ((*at | 0x20) != 'e' || ++at == end)
		return false;
	if ((*at == '-' || *at == '+') && ++at == end)
		return false;
	return isdigit((unsigned char)*at);
}

const char *
sql_number_end(const char *at, const char *end)
{
	if (at + 2 < end && *at == '0' && (at[1] | 0x20) == 'x' &&
	    isxdigit((unsigned char)at[2])) {
		at += 2;
		while (at < end && isxdigit((unsigned char)*at))
			at++;
		return at;
	}
	while (at < end && (isdigit((unsigned char)*at) || *at == '.'))
		at++;
	if (at < end && at_exponent(at, end)) {
		at += 2;
		while (at < end && isdigit((unsigned char)*at))
			at++;
	}
	return at;
}
