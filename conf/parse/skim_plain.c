/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Most items are aliases, or functions whose parameters define nothing:
 *
 *	alias creat64 = creat;
 *	errno(int) open(const char *path, open_flags flags, mode_t mode);
 *
 * Only their characters are classified, without looking at each word, because a
 * large file is skimmed as a whole before one name of it is used.
 */
#include "conf/parse/skim_parts.h"

#include <string.h>

/* The characters of a function whose parameters define nothing. */
enum { PLAIN = 1, PLAIN_MARK = 2 };

static const unsigned char plain_kinds[256] = {
	['a' ... 'z'] = PLAIN, ['A' ... 'Z'] = PLAIN, ['0' ... '9'] = PLAIN,
	['_'] = PLAIN,	       [' '] = PLAIN,	      ['\t'] = PLAIN,
	[','] = PLAIN,	       ['*'] = PLAIN,	      ['+'] = PLAIN,
	['.'] = PLAIN,	       ['('] = PLAIN_MARK,    [')'] = PLAIN_MARK,
	['\n'] = PLAIN_MARK,
};

/* What was seen of an item that may be plain: `TYPE NAME(...);`. */
struct plain {
	const char *line_start;
	const char *bracket; /* of the function */
	unsigned depth, lines;
	bool has_lens; /* a lens is before the function */
};

static const char *
word_before(const struct skimmer *s, const char *end)
{
	while (end > s->text && skim_is_name(end[-1]))
		end--;
	return end;
}

/* True if "enum" or "flags" may be before the bracket. */
static bool
may_open_list(const char *bracket)
{
	return bracket[-1] == 'm' || bracket[-1] == 's';
}

/* Takes a bracket that is in no other bracket. It belongs to the function or to
 * a lens before the function. */
static bool
take_plain_bracket(const struct skimmer *s, struct plain *plain, const char *at)
{
	const char *word = word_before(s, at);

	if (plain->bracket || at - word > SKIM_NAME_MOST || *word <= '9')
		return false;
	if (!skim_is_lens(word, (size_t)(at - word), '('))
		plain->bracket = at;
	else if (plain->has_lens || may_open_list(at))
		return false;
	else
		plain->has_lens = true;
	return true;
}

/* Takes a bracket, a newline, or a character that a plain item does not have.
 * False if the item is not plain. */
static bool
take_plain_mark(const struct skimmer *s, struct plain *plain, const char *at)
{
	const char next = at + 1 < s->end ? at[1] : '\0';

	if (*at == '\n') {
		plain->lines++;
		plain->line_start = at + 1;
		return next == ' ' || next == '\t';
	}
	if (*at == ')')
		return plain->depth > 0 &&
		       (--plain->depth > 0 || !plain->bracket || next == ';');
	if (!skim_is_name(at[-1]))
		return false;
	if (plain->depth++ == 0)
		return next != '*' && take_plain_bracket(s, plain, at);
	return !may_open_list(at);
}

/* Takes the name of the function. False if the item may be of another kind. */
static bool
take_plain_name(struct skimmer *s, const char *bracket)
{
	static const char *const other[] = { "typedef", "alias", "import" };
	const char *start = word_before(s, bracket);
	size_t first = (size_t)(skim_word_end(s, s->text) - s->text);

	if (start == s->text || skim_is_parsed(s->text, first) ||
	    skim_is_tag(s->text, first) ||
	    skim_is_word(s->text, first, other, array_size(other)))
		return false;
	skim_add_name(s, start, (size_t)(bracket - start), true);
	return true;
}

/*
 * Skims `TYPE NAME(...);` if there is no character in it but those of names,
 * blanks, asterisks, commas, dots, pluses, and brackets that open no list of
 * constants. Such an item defines NAME, and nothing else. Its lines have at
 * most SKIM_NAME_MOST characters, so that no word is too long.
 */
static bool
skim_function(struct skimmer *s)
{
	struct plain plain = { .line_start = s->text };
	const char *at = s->text;

	if (at == s->end || !skim_is_name(*at))
		return false;
	for (; at < s->end; at++) {
		const unsigned char kind = plain_kinds[(unsigned char)*at];

		if (kind == PLAIN)
			continue;
		if (at - plain.line_start > SKIM_NAME_MOST ||
		    kind != PLAIN_MARK || !take_plain_mark(s, &plain, at))
			break;
	}
	if (at == s->end || *at != ';' || at[-1] != ')' || !plain.bracket ||
	    plain.depth || at - plain.line_start > SKIM_NAME_MOST ||
	    !take_plain_name(s, plain.bracket))
		return false;
	s->at = at;
	s->skim->lines = plain.lines;
	s->skim->line_start = plain.line_start;
	return true;
}

/* Skims `alias NAME = NAME;` if it is written with these blanks. */
static bool
skim_alias(struct skimmer *s)
{
	const char *name = s->text + 6, *name_end, *end;

	if (s->end - s->text < 6 || memcmp(s->text, "alias ", 6) != 0)
		return false;
	name_end = skim_word_end(s, name);
	if (name_end == name || *name <= '9' || s->end - name_end < 3 ||
	    memcmp(name_end, " = ", 3) != 0)
		return false;
	end = skim_word_end(s, name_end + 3);
	if (end == s->end || *end != ';' || end - name > SKIM_NAME_MOST)
		return false;
	skim_add_name(s, name, (size_t)(name_end - name), true);
	s->at = end;
	return true;
}

bool
skim_plain(struct skimmer *s)
{
	return skim_alias(s) || skim_function(s);
}
