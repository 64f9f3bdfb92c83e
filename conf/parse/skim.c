/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the characters of an item once, without tokens. These are the forms in
 * which an item defines a name:
 *
 *	errno(addr) malloc(size_t);	a function: before '(', outside of
 *					brackets, and no lens
 *	void (*signal(...))(int);	or in brackets that begin with "(*"
 *	typedef hex(int) name;		in a typedef outside of brackets, before
 *	typedef name = int;		"; = , [ (", or in brackets after a '*'
 *	struct name { ... };		a tag with a body
 *	flags(int, NAME = 1, NAME)	a constant: each element of a list
 *
 * Attributes may be between a name and what follows it. An item with a form
 * that is not known here is left to the parser.
 *
 * Most items are aliases, or functions whose parameters define nothing. They
 * are skimmed without looking at each word, see skim_plain.c.
 */
#include "conf/parse/skim.h"

#include "conf/parse/skim_parts.h"

#include <stdint.h>
#include <string.h>

#define DEPTH_MOST 30

static const char *
after_blanks(const struct skimmer *s, const char *at)
{
	while (at < s->end && skim_is_blank(*at))
		at++;
	return at;
}

/* Takes a name that is followed by '(', or the name of an alias. */
static void
take_called(struct skimmer *s, const char *start, size_t length)
{
	if (s->is_typedef) {
		if (s->depth ? s->grouped : !skim_is_lens(start, length, '('))
			skim_add_name(s, start, length, false);
		return;
	}
	if (s->depth && !s->grouped)
		return;
	if (!s->depth && !s->is_alias && skim_is_lens(start, length, '(')) {
		s->lens = start;
		s->lens_length = length;
		return;
	}
	skim_add_name(s, start, length, true);
}

/* After "enum" or "flags": finds the bracket of the list, if there is one. */
static void
find_list(struct skimmer *s)
{
	const char *at = after_blanks(s, s->at);

	if (at < s->end && *at == '[') {
		while (at < s->end && *at != ']')
			at++;
		at = after_blanks(s, at < s->end ? at + 1 : at);
	}
	/* Reads the tag of an enum, and the type after its ':'. */
	while (at < s->end &&
	       (skim_is_name(*at) || *at == ':' || skim_is_blank(*at)))
		at++;
	if (at < s->end && (*at == '(' || *at == '{'))
		s->list = at;
}

static bool
is_defined(const struct skimmer *s, const char *start, size_t length, char next)
{
	const bool in_list = s->lists >> s->depth & 1;

	if (in_list && strchr("({,", s->before))
		/* The type at the list's start is no constant. */
		return strchr("=,)}", next) && !skim_is_type(start, length);
	if (s->tag_follows)
		return next == '{' || next == ':';
	if (!s->is_typedef)
		return false;
	if (!s->depth)
		return strchr("=;,[", next) &&
		       !skim_is_lens(start, length, next);
	return s->grouped && s->before == '*';
}

/* True for the word that begins import "FILE". */
static bool
is_import(const struct skimmer *s, const char *start, size_t length)
{
	static const char *const import[] = { "import" };
	const char *follows = after_blanks(s, s->at);

	return skim_is_word(start, length, import, 1) && follows < s->end &&
	       *follows == '"';
}

static bool
skim_word(struct skimmer *s)
{
	static const char *const numbers[] = { "enum", "flags" };
	static const char *const alias[] = { "alias" };
	static const char *const typedefs[] = { "typedef" };
	const char *start = s->at, *follows;
	const bool first = start == s->text;
	size_t length;
	char next;

	s->at = skim_word_end(s, s->at);
	length = (size_t)(s->at - start);
	if (*start <= '9' && *start != '$')
		return true;
	if (length > SKIM_NAME_MOST || (first && skim_is_parsed(start, length)))
		return false;
	follows = after_blanks(s, s->at);
	next = follows < s->end ? *follows : '\0';
	if (s->is_alias || next == '(')
		take_called(s, start, length);
	else if (next && is_defined(s, start, length, next))
		skim_add_name(s, start, length, false);
	s->tag_follows = skim_is_tag(start, length);
	s->is_alias = first && skim_is_word(start, length, alias, 1);
	if (first) {
		s->skim->is_import = is_import(s, start, length);
		s->is_typedef = skim_is_word(start, length, typedefs, 1);
		s->defines_type = s->is_typedef || s->tag_follows;
	}
	if (skim_is_word(start, length, numbers, array_size(numbers)))
		find_list(s);
	return true;
}

/* True if the text of the next line begins an item without indentation. */
static bool
begins_item(const struct skimmer *s)
{
	return s->at < s->end && !strchr("\n\r \t#/(){}", *s->at);
}

static bool
skim_newline(struct skimmer *s)
{
	s->at++;
	s->skim->lines++;
	s->skim->line_start = s->at;
	return !begins_item(s);
}

static void
skip_line(struct skimmer *s)
{
	const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));

	s->at = newline ? newline : s->end;
}

static bool
only_blanks_before(const struct skimmer *s)
{
	const char *at = s->at;

	while (at > s->skim->line_start && skim_is_blank(at[-1]))
		at--;
	return at == s->skim->line_start;
}

/* Skips the comment that a '#' begins. A directive is left to the parser. */
static bool
skim_hash(struct skimmer *s)
{
	const char *word = s->at + 1;

	if (only_blanks_before(s)) {
		while (word < s->end && (*word == ' ' || *word == '\t'))
			word++;
		if (word < s->end && strchr("ied0123456789", *word))
			return false;
	}
	skip_line(s);
	return true;
}

static bool
skim_slash(struct skimmer *s)
{
	const char second = s->at + 1 < s->end ? s->at[1] : '\0';

	if (second == '/') {
		skip_line(s);
		return true;
	}
	s->at++;
	if (second != '*')
		return true;
	for (s->at++; s->at + 1 < s->end; s->at++) {
		if (s->at[0] == '*' && s->at[1] == '/') {
			s->at += 2;
			return true;
		}
		if (*s->at == '\n') {
			s->skim->lines++;
			s->skim->line_start = s->at + 1;
		}
	}
	return false;
}

static bool
skim_quoted(struct skimmer *s)
{
	const char quote = *s->at++;

	for (; s->at < s->end && *s->at != '\n'; s->at++) {
		if (*s->at == '\\')
			return false;
		if (*s->at == quote) {
			s->at++;
			return true;
		}
	}
	return false;
}

static bool
skim_bracket(struct skimmer *s)
{
	const bool is_list = s->at == s->list;
	const char c = *s->at++;
	const char next = s->at < s->end ? *s->at : '\0';

	if (strchr(")]}", c))
		return s->depth-- > 0;
	/*
	 * The parser must read the item if it has an attribute, a macro with
	 * brackets, or a body.
	 */
	if ((c == '(' && next == '(') ||
	    (c == '{' && !s->defines_type && !is_list) ||
	    s->depth >= DEPTH_MOST)
		return false;
	s->grouped |= c == '(' && !s->depth && next == '*';
	s->depth++;
	s->lists &= ~(UINT32_C(1) << s->depth);
	s->lists |= (uint32_t)is_list << s->depth;
	return true;
}

static bool
skim_one(struct skimmer *s)
{
	const char c = *s->at;

	if (skim_is_name(c))
		return skim_word(s);
	if (c == ' ') {
		s->at++;
		return true;
	}
	switch (c) {
	case '\n':
		return skim_newline(s);
	case '#':
		return skim_hash(s);
	case '/':
		return skim_slash(s);
	case '"':
	case '\'':
		return skim_quoted(s);
	case '(':
	case '[':
	case '{':
	case ')':
	case ']':
	case '}':
		return skim_bracket(s);
	}
	s->at++;
	return skim_kinds[(unsigned char)c] & (SKIM_BLANK | SKIM_MARK);
}

/* True if only blanks or a comment follow in the line: there is no note. */
static bool
ends_line(const struct skimmer *s)
{
	const char *at = s->at;

	while (at < s->end && (*at == ' ' || *at == '\t' || *at == '\r'))
		at++;
	return at == s->end || *at == '\n' || *at == '#' ||
	       (*at == '/' && at + 1 < s->end &&
		(at[1] == '/' || at[1] == '*'));
}

bool
skim_item(struct skim *skim, const char *text, const char *end)
{
	struct skimmer s = {
		.skim = skim, .text = text, .at = text, .end = end
	};

	vec_clear(&skim->names);
	skim->line_start = text;
	skim->lines = 0;
	skim->is_import = false;
	if (skim_plain(&s)) {
		skim->end = ++s.at;
		return ends_line(&s);
	}
	while (s.at < end && (s.depth || *s.at != ';')) {
		const char *from = s.at;

		if (!skim_one(&s))
			return false;
		if (skim->is_import && *from == '"')
			break;
		if (!skim_is_blank(*from) && *from != '#' &&
		    /* the '/' does not begin a comment */
		    !(*from == '/' && s.at - from > 1))
			s.before = skim_is_name(*from) ? 'a' : *from;
	}
	if (skim->is_import) {
		skim->end = s.at += s.at < end && *s.at == ';';
		return ends_line(&s);
	}
	if (s.at == end)
		return false;
	if (!s.has_function && s.lens)
		skim_add_name(&s, s.lens, s.lens_length, true);
	skim->end = ++s.at;
	return skim->names.count && ends_line(&s);
}

void
skim_release(struct skim *skim)
{
	vec_release(&skim->names);
}
