/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of conf/parse/skim share; for them only. */
#ifndef CONF_PARSE_SKIM_PARTS_H
#define CONF_PARSE_SKIM_PARTS_H

#include "conf/parse/skim.h"

#include <stdint.h>

struct skimmer {
	struct skim *skim;
	const char *text;
	const char *at;
	const char *end;
	unsigned depth; /* how many brackets are open */
	/* a bit for each depth: 1 within a list of constants */
	uint32_t lists;
	const char *list; /* the bracket that opens a list of constants */
	char before;	  /* the last character that is not blank */
	/* the item is `alias NAME = NAME;`, whose name follows */
	bool is_alias;
	bool is_typedef;
	bool defines_type;
	bool grouped; /* the declarator is in brackets */
	bool tag_follows;
	bool has_function;
	const char *lens; /* a lens that might be a function's name */
	size_t lens_length;
};

enum { SKIM_BLANK = 1, SKIM_NAME = 2, SKIM_MARK = 4 };

/* What each character is; 0 if it is none of these. */
extern const unsigned char skim_kinds[256];

static inline bool
skim_is_name(char c)
{
	return skim_kinds[(unsigned char)c] == SKIM_NAME;
}

static inline bool
skim_is_blank(char c)
{
	return skim_kinds[(unsigned char)c] == SKIM_BLANK;
}

/* The end of the name that begins at `at`. */
static inline const char *
skim_word_end(const struct skimmer *s, const char *at)
{
	while (at < s->end && skim_is_name(*at))
		at++;
	return at;
}

/* The item defines this name. */
static inline void
skim_add_name(struct skimmer *s, const char *start, size_t length,
	      bool is_function)
{
	const struct skim_name name = { start, length, is_function };

	vec_push(&s->skim->names, name);
	s->has_function |= is_function;
}

/* True if the text is one of the words, of which none is empty. */
bool skim_is_word(const char *start, size_t length, const char *const *words,
		  size_t count);
/* True for the first word of an item that is parsed at once. */
bool skim_is_parsed(const char *start, size_t length);
/* True for "struct", "union" and "enum". */
bool skim_is_tag(const char *start, size_t length);

/* True for the name of a lens, if `next` follows it. length is at most
 * SKIM_NAME_MOST. */
bool skim_is_lens(const char *start, size_t length, char next);
/* True for a keyword, and for a type that is built in. Likewise. */
bool skim_is_type(const char *start, size_t length);

/*
 * Skims an item of one of the two common forms, `TYPE NAME(...);` and
 * `alias NAME = NAME;`. If it has another form, returns false, and the skimmer
 * is as before. s->at is then at the ';'.
 */
bool skim_plain(struct skimmer *s);

#endif
