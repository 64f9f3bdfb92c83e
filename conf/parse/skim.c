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
 * Most items are aliases, or functions whose parameters define nothing. Only
 * their characters are classified, without looking at words:
 *
 *	errno(int) open(const char *path, open_flags flags, mode_t mode);
 */
#include "conf/parse/skim.h"

#include "conf/parse/parser.h"

#include <stdint.h>
#include <string.h>

/* The first words of the items that are parsed at once. */
static const char *const other_items[] = {
	"set",	  "probe",  "wire",	      "extern",	       "connects",
	"static", "inline", "_Static_assert", "static_assert",
};

static const char *const type_items[] = { "typedef", "struct", "union",
					  "enum" };
static const char *const other_words[] = { "alias", "import" };

#define DEPTH_MOST 30

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

enum { BLANK = 1, NAME = 2, MARK = 4 };

static const unsigned char kinds[256] = {
	[' '] = BLANK,	      ['\t' ... '\r'] = BLANK,
	['a' ... 'z'] = NAME, ['A' ... 'Z'] = NAME,
	['0' ... '9'] = NAME, ['_'] = NAME,
	['$'] = NAME,	      [';'] = MARK,
	[','] = MARK,	      ['='] = MARK,
	['*'] = MARK,	      ['&'] = MARK,
	['|'] = MARK,	      ['^'] = MARK,
	['~'] = MARK,	      ['!'] = MARK,
	['<'] = MARK,	      ['>'] = MARK,
	['+'] = MARK,	      ['-'] = MARK,
	['%'] = MARK,	      [':'] = MARK,
	['.'] = MARK,	      ['?'] = MARK,
};

/* The characters of a function whose parameters define nothing. */
enum { PLAIN = 1, PLAIN_MARK = 2 };

static const unsigned char plain_kinds[256] = {
	['a' ... 'z'] = PLAIN, ['A' ... 'Z'] = PLAIN, ['0' ... '9'] = PLAIN,
	['_'] = PLAIN,	       [' '] = PLAIN,	      ['\t'] = PLAIN,
	[','] = PLAIN,	       ['*'] = PLAIN,	      ['+'] = PLAIN,
	['.'] = PLAIN,	       ['('] = PLAIN_MARK,    [')'] = PLAIN_MARK,
	['\n'] = PLAIN_MARK,
};

static inline bool
is_name_char(char c)
{
	return kinds[(unsigned char)c] == NAME;
}

static inline bool
is_blank(char c)
{
	return kinds[(unsigned char)c] == BLANK;
}

static const char *
word_end(const struct skimmer *s, const char *at)
{
	while (at < s->end && is_name_char(*at))
		at++;
	return at;
}

static bool
is_word(const char *at, size_t length, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (words[i][0] == *at && strncmp(words[i], at, length) == 0 &&
		    !words[i][length])
			return true;
	return false;
}

static const char *
after_blanks(const struct skimmer *s, const char *at)
{
	while (at < s->end && is_blank(*at))
		at++;
	return at;
}

static void
add_name(struct skimmer *s, const char *start, size_t length, bool is_function)
{
	const struct skim_name name = { start, length, is_function };

	vec_push(&s->skim->names, name);
	s->has_function |= is_function;
}

static bool
is_lens(const char *start, size_t length, char next)
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

/* True for a word in a list of constants that is no constant: the type at its
 * start. */
static bool
is_type(const char *start, size_t length)
{
	char word[SKIM_NAME_MOST + 1];

	memcpy(word, start, length);
	word[length] = '\0';
	return is_keyword(word) || type_builtin(word);
}

/* Takes a name that is followed by '(', or the name of an alias. */
static void
take_called(struct skimmer *s, const char *start, size_t length)
{
	if (s->is_typedef) {
		if (s->depth ? s->grouped : !is_lens(start, length, '('))
			add_name(s, start, length, false);
		return;
	}
	if (s->depth && !s->grouped)
		return;
	if (!s->depth && !s->is_alias && is_lens(start, length, '(')) {
		s->lens = start;
		s->lens_length = length;
		return;
	}
	add_name(s, start, length, true);
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
	       (is_name_char(*at) || *at == ':' || is_blank(*at)))
		at++;
	if (at < s->end && (*at == '(' || *at == '{'))
		s->list = at;
}

static bool
is_defined(const struct skimmer *s, const char *start, size_t length, char next)
{
	const bool in_list = s->lists >> s->depth & 1;

	if (in_list && strchr("({,", s->before))
		return strchr("=,)}", next) && !is_type(start, length);
	if (s->tag_follows)
		return next == '{' || next == ':';
	if (!s->is_typedef)
		return false;
	if (!s->depth)
		return strchr("=;,[", next) && !is_lens(start, length, next);
	return s->grouped && s->before == '*';
}

/* True for the word that begins import "FILE". */
static bool
is_import(const struct skimmer *s, const char *start, size_t length)
{
	static const char *const import[] = { "import" };
	const char *follows = after_blanks(s, s->at);

	return is_word(start, length, import, 1) && follows < s->end &&
	       *follows == '"';
}

static bool
skim_word(struct skimmer *s)
{
	static const char *const numbers[] = { "enum", "flags" };
	static const char *const alias[] = { "alias" };
	const char *start = s->at, *follows;
	const bool first = start == s->text;
	size_t length;
	char next;

	s->at = word_end(s, s->at);
	length = (size_t)(s->at - start);
	if (*start <= '9' && *start != '$')
		return true;
	if (length > SKIM_NAME_MOST ||
	    (first &&
	     is_word(start, length, other_items, array_size(other_items))))
		return false;
	follows = after_blanks(s, s->at);
	next = follows < s->end ? *follows : '\0';
	if (s->is_alias || next == '(')
		take_called(s, start, length);
	else if (next && is_defined(s, start, length, next))
		add_name(s, start, length, false);
	s->tag_follows = is_word(start, length, type_items + 1,
				 array_size(type_items) - 1);
	s->is_alias = first && is_word(start, length, alias, 1);
	if (first) {
		s->skim->is_import = is_import(s, start, length);
		s->is_typedef = is_word(start, length, type_items, 1);
		s->defines_type = s->is_typedef || s->tag_follows;
	}
	if (is_word(start, length, numbers, array_size(numbers)))
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

	while (at > s->skim->line_start && is_blank(at[-1]))
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

	if (is_name_char(c))
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
	return kinds[(unsigned char)c] & (BLANK | MARK);
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
	while (end > s->text && is_name_char(end[-1]))
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
	if (!is_lens(word, (size_t)(at - word), '('))
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
	if (!is_name_char(at[-1]))
		return false;
	if (plain->depth++ == 0)
		return next != '*' && take_plain_bracket(s, plain, at);
	return !may_open_list(at);
}

/* Takes the name of the function. False if the item may be of another kind. */
static bool
take_plain_name(struct skimmer *s, const char *bracket)
{
	const char *start = word_before(s, bracket);
	size_t first = (size_t)(word_end(s, s->text) - s->text);

	if (start == s->text ||
	    is_word(s->text, first, other_items, array_size(other_items)) ||
	    is_word(s->text, first, type_items, array_size(type_items)) ||
	    is_word(s->text, first, other_words, array_size(other_words)))
		return false;
	add_name(s, start, (size_t)(bracket - start), true);
	return true;
}

/*
 * Skims `TYPE NAME(...);` if there is no character in it but those of names,
 * blanks, asterisks, commas, dots, pluses, and brackets that open no list of
 * constants. Such an item defines NAME, and nothing else. Its lines have at
 * most SKIM_NAME_MOST characters, so that no word is too long.
 */
static bool
skim_plain(struct skimmer *s)
{
	struct plain plain = { .line_start = s->text };
	const char *at = s->text;

	if (at == s->end || !is_name_char(*at))
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
	name_end = word_end(s, name);
	if (name_end == name || *name <= '9' || s->end - name_end < 3 ||
	    memcmp(name_end, " = ", 3) != 0)
		return false;
	end = word_end(s, name_end + 3);
	if (end == s->end || *end != ';' || end - name > SKIM_NAME_MOST)
		return false;
	add_name(s, name, (size_t)(name_end - name), true);
	s->at = end;
	return true;
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
	if (skim_alias(&s) || skim_plain(&s)) {
		skim->end = ++s.at;
		return ends_line(&s);
	}
	while (s.at < end && (s.depth || *s.at != ';')) {
		const char *from = s.at;

		if (!skim_one(&s))
			return false;
		if (skim->is_import && *from == '"')
			break;
		if (!is_blank(*from) && *from != '#' &&
		    /* the '/' does not begin a comment */
		    !(*from == '/' && s.at - from > 1))
			s.before = is_name_char(*from) ? 'a' : *from;
	}
	if (skim->is_import) {
		skim->end = s.at += s.at < end && *s.at == ';';
		return ends_line(&s);
	}
	if (s.at == end)
		return false;
	if (!s.has_function && s.lens)
		add_name(&s, s.lens, s.lens_length, true);
	skim->end = ++s.at;
	return skim->names.count && ends_line(&s);
}

void
skim_release(struct skim *skim)
{
	vec_release(&skim->names);
}
