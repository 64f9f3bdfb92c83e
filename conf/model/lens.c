/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words for lenses, on which the parser and values/ must agree. What a lens
 * does to a value is in a table in values/show. What a lens takes in prototype
 * files is in the parser.
 */
#include "conf/model/lens.h"

#include <string.h>

struct word {
	const char *text;
	enum lens_kind kind;
};

/* The words for each kind of lens. A dump writes the first of them. */
static const struct word words[] = {
	{ "hex", LENS_HEX },	   { "oct", LENS_OCT },
	{ "octal", LENS_OCT },	   { "bin", LENS_BIN },
	{ "dec", LENS_DEC },	   { "chr", LENS_CHR },
	{ "bool", LENS_BOOL },	   { "hide", LENS_HIDE },
	{ "guess", LENS_GUESS },   { "bitvec", LENS_BITVEC },
	{ "enum", LENS_ENUM },	   { "flags", LENS_FLAGS },
	{ "errno", LENS_ERRNO },   { "errnum", LENS_ERRNUM },
	{ "inet", LENS_INET },	   { "addr", LENS_ADDRESS },
	{ "string", LENS_STRING }, { "format", LENS_FORMAT },
	{ "scan", LENS_SCAN },	   { "sql", LENS_SQL },
	{ "plain", LENS_PLAIN },   { "only", LENS_ONLY },
	{ "vars", LENS_VARS },	   { "postgres", LENS_POSTGRES },
};

const struct lens lens_shown = { .kind = LENS_PLAIN };

bool
lens_is_text(enum lens_kind kind)
{
	return kind == LENS_STRING || kind == LENS_FORMAT ||
	       kind == LENS_SCAN || kind == LENS_SQL || kind == LENS_PLAIN ||
	       kind == LENS_POSTGRES;
}

const char *
lens_word(enum lens_kind kind)
{
	for (size_t i = 0; i < array_size(words); i++) {
		if (words[i].kind == kind)
			return words[i].text;
	}
	return "?";
}

bool
lens_find(const char *word, enum lens_kind *ret_kind)
{
	for (size_t i = 0; i < array_size(words); i++) {
		if (words[i].text[0] == word[0] &&
		    !strcmp(words[i].text, word)) {
			*ret_kind = words[i].kind;
			return true;
		}
	}
	return false;
}

const struct lens *
lens_of_kind(const struct lens *lens, enum lens_kind kind)
{
	while (lens && lens->kind != kind)
		lens = lens->under;
	return lens;
}

bool
lens_describes(const struct lens *lens)
{
	return lens_of_kind(lens, LENS_FORMAT) || lens_of_kind(lens, LENS_SCAN);
}
