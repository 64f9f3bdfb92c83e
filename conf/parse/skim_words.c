/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the words of an item mean. The parser decides which words are lenses and
 * keywords: it is asked with the word as a token.
 */
#include "conf/parse/skim_parts.h"

#include "conf/parse/parser.h"

#include <string.h>

/* The first words of the items that are parsed at once. */
static const char *const parsed[] = {
	"set",	  "probe",  "wire",	      "extern",	       "connects",
	"static", "inline", "_Static_assert", "static_assert",
};

const unsigned char skim_kinds[256] = {
	[' '] = SKIM_BLANK,	   ['\t' ... '\r'] = SKIM_BLANK,
	['a' ... 'z'] = SKIM_NAME, ['A' ... 'Z'] = SKIM_NAME,
	['0' ... '9'] = SKIM_NAME, ['_'] = SKIM_NAME,
	['$'] = SKIM_NAME,	   [';'] = SKIM_MARK,
	[','] = SKIM_MARK,	   ['='] = SKIM_MARK,
	['*'] = SKIM_MARK,	   ['&'] = SKIM_MARK,
	['|'] = SKIM_MARK,	   ['^'] = SKIM_MARK,
	['~'] = SKIM_MARK,	   ['!'] = SKIM_MARK,
	['<'] = SKIM_MARK,	   ['>'] = SKIM_MARK,
	['+'] = SKIM_MARK,	   ['-'] = SKIM_MARK,
	['%'] = SKIM_MARK,	   [':'] = SKIM_MARK,
	['.'] = SKIM_MARK,	   ['?'] = SKIM_MARK,
};

bool
skim_is_word(const char *start, size_t length, const char *const *words,
	     size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (words[i][0] == *start &&
		    strncmp(words[i], start, length) == 0 && !words[i][length])
			return true;
	return false;
}

bool
skim_is_parsed(const char *start, size_t length)
{
	return skim_is_word(start, length, parsed, array_size(parsed));
}

bool
skim_is_tag(const char *start, size_t length)
{
	static const char *const tags[] = { "struct", "union", "enum" };

	return skim_is_word(start, length, tags, array_size(tags));
}

bool
skim_is_lens(const char *start, size_t length, char next)
{
	char word[SKIM_NAME_MOST + 1];
	const struct token tokens[] = {
		{ .kind = TOKEN_NAME, .name = word },
		{ .kind = TOKEN_MARK, .mark = next },
		/* a sentinel: begins_lens() looks one token further */
		{ .kind = TOKEN_END },
	};

	memcpy(word, start, length);
	word[length] = '\0';
	return begins_lens(tokens);
}

bool
skim_is_type(const char *start, size_t length)
{
	char word[SKIM_NAME_MOST + 1];

	memcpy(word, start, length);
	word[length] = '\0';
	return is_keyword(word) || type_builtin(word);
}
