/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a pasted header that we do not need: qualifiers, storage
 * classes, attributes of GCC, C23 and C++, assembler names, bodies of inline
 * functions, and macros, which are not expanded here and so appear as stray
 * names. Two attributes matter: packed, and format(printf, N, M), also of
 * scanf.
 *
 * ltrace ignores the rest of the line after a prototype, and users write notes
 * there ("; 3rd argument may not be there"). We ignore it if it looks like a
 * note, that is, has no bracket. Otherwise g would be silently lost in "int
 * f(int) int g(int);".
 */
#include "conf/parse/parser.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

static const char *const idle_words[] = {
	"volatile",	"restrict",   "__restrict",    "__restrict__",
	"__volatile__", "__volatile", "__const",       "inline",
	"__inline",	"__inline__", "static",	       "register",
	"auto",		"_Noreturn",  "__extension__", "_Thread_local",
	"__thread",	"constexpr",  "_Nonnull",      "_Nullable",
	"noexcept",
};

/* Words without meaning here that are followed by brackets. */
static const char *const idle_calls[] = {
	"__attribute__", "__attribute", "__declspec", "_Alignas", "alignas",
	"asm",		 "__asm",	"__asm__",    "throw",
};

static bool
is_one_of(const struct token *token, const char *const *words, size_t count)
{
	if (token->kind != TOKEN_NAME)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (same_word(token->name, words[i]))
			return true;
	}
	return false;
}

bool
is_idle_word(const char *word)
{
	for (size_t i = 0; i < array_size(idle_words); i++) {
		if (same_word(word, idle_words[i]))
			return true;
	}
	return false;
}

bool
is_attribute(const struct token *token)
{
	return token->kind == TOKEN_NAME &&
	       (is_idle_word(token->name) ||
		is_one_of(token, idle_calls, array_size(idle_calls)));
}

bool
looks_like_macro(const struct token *token)
{
	bool letters = false;

	if (token->kind != TOKEN_NAME || token->length < 2)
		return false;
	for (const char *c = token->name; *c; c++) {
		if (islower((unsigned char)*c))
			return false;
		letters |= isupper((unsigned char)*c) != 0;
	}
	return letters;
}

/* i386 has three registers for arguments. */
#define REGPARM_MOST 3

/* Reads format ( printf , N , M at token. M is 0 for a va_list. */
static void
read_format(struct parser *p, const struct token *token)
{
	static const char *const archetypes[] = {
		"printf", "__printf__", "gnu_printf", "__gnu_printf__",
		"scanf",  "__scanf__",	"gnu_scanf",  "__gnu_scanf__"
	};

	if (!token_is(token, '(') ||
	    !is_one_of(token + 1, archetypes, array_size(archetypes)) ||
	    !token_is(token + 2, ',') || token[3].kind != TOKEN_NUMBER ||
	    token[3].number <= 0 || token[3].number >= 100 ||
	    !token_is(token + 4, ',') || token[5].number == 0)
		return;
	p->item.format = (unsigned)token[3].number;
	p->item.scans = strstr(token[1].name, "scanf") != NULL;
}

/* Reads the attributes from `from` to end. The last token is not one of
 * them. */
static void
read_attributes(struct parser *p, const struct token *from,
		const struct token *end)
{
	for (const struct token *token = from; token < end; token++) {
		if (token_is_word(token, "packed") ||
		    token_is_word(token, "__packed__"))
			p->item.packed = true;
		if (token_is_word(token, "transparent_union") ||
		    token_is_word(token, "__transparent_union__"))
			p->item.transparent = true;
		if (token_is_word(token, "format") ||
		    token_is_word(token, "__format__"))
			read_format(p, token + 1);
		if (token_is_word(token, "fastcall") ||
		    token_is_word(token, "__fastcall__") ||
		    token_is_word(token, "__fastcall"))
			p->item.fastcall = true;
		if ((token_is_word(token, "regparm") ||
		     token_is_word(token, "__regparm__")) &&
		    token_is(token + 1, '(') && token[2].kind == TOKEN_NUMBER &&
		    token[2].number >= 0 && token[2].number <= REGPARM_MOST)
			p->item.regparm = (unsigned char)token[2].number;
	}
}

/* Skips a word without meaning here, with its brackets. Returns 1, or 0 if
 * there is none. */
static int
skip_call(struct parser *p)
{
	const struct token *from = peek(p);
	int r;

	if (!is_one_of(from, idle_calls, array_size(idle_calls)) ||
	    !token_is(peek_at(p, 1), '('))
		return 0;
	advance(p);
	r = skip_brackets(p);
	if (r < 0)
		return r;
	read_attributes(p, from, peek(p));
	return 1;
}

int
skip_attributes(struct parser *p)
{
	for (;;) {
		int r = skip_call(p);

		if (r == 0 && peek(p)->kind == TOKEN_NAME &&
		    is_idle_word(peek(p)->name)) {
			p->item.is_c = true;
			advance(p);
			r = 1;
		}
		if (r == 0 && at_mark(p, '[') && token_is(peek_at(p, 1), '['))
			r = skip_brackets(p) < 0 ? -EINVAL : 1;
		if (r <= 0)
			return r;
	}
}

bool
ends_item(const struct parser *p)
{
	const struct token *token = peek(p);

	return token->kind == TOKEN_END ||
	       (token->first_on_line && token->indent <= p->item.start->column);
}

/* True at a macro: __THROW, __nonnull ((1)), DEPRECATED. */
static bool
at_macro(const struct parser *p)
{
	const struct token *token = peek(p);

	return looks_like_macro(token) ||
	       (token->kind == TOKEN_NAME && !strncmp(token->name, "__", 2));
}

/* True if the rest of the line contains a bracket. */
static bool
line_has_bracket(const struct parser *p)
{
	for (const struct token *token = peek(p); token->kind != TOKEN_END;
	     token++) {
		if (token->first_on_line && token != peek(p))
			break;
		if (token_is(token, '(') || token_is(token, '{'))
			return true;
	}
	return false;
}

static void
skip_to_next_line(struct parser *p)
{
	do
		advance(p);
	while (!peek(p)->first_on_line && peek(p)->kind != TOKEN_END);
}

/* Skips one word of what may follow a function. Returns 1, or 0 if the next
 * word is none. */
static int
skip_trailing_word(struct parser *p)
{
	size_t at = p->at;
	int r = skip_attributes(p);

	if (r < 0 || p->at > at)
		return r < 0 ? r : 1;
	if (!at_macro(p))
		return 0;
	advance(p);
	if (at_mark(p, '('))
		r = skip_brackets(p);
	return r < 0 ? r : 1;
}

/* True if an attribute of this item follows at the start of a line, as far left
 * as the item. */
static bool
ends_in_attributes(struct parser *p)
{
	size_t at = p->at;
	bool ends = is_attribute(peek(p)) && skip_attributes(p) == 0 &&
		    at_mark(p, ';');

	if (!ends)
		p->at = at;
	return ends;
}

int
skip_trailer(struct parser *p, bool *ret_body)
{
	*ret_body = false;
	for (;;) {
		int r;

		if (at_mark(p, '{')) {
			*ret_body = true;
			return skip_brackets(p);
		}
		if (ends_item(p) || at_mark(p, ';') || at_mark(p, ',')) {
			ends_in_attributes(p);
			return 0;
		}
		r = skip_trailing_word(p);
		if (r < 0)
			return r;
		if (r > 0)
			continue;
		if (peek(p)->first_on_line)
			return 0;
		if (line_has_bracket(p))
			return expected(p, "';'");
		skip_to_next_line(p);
	}
}

void
skip_note(struct parser *p)
{
	static const char *const beginnings[] = { "typedef", "struct", "union",
						  "enum",    "import", "alias",
						  "extern" };
	const struct token *token = peek(p);

	if (token->first_on_line || token->kind == TOKEN_END ||
	    token_is(token, '}') || line_has_bracket(p) ||
	    is_one_of(token, beginnings, array_size(beginnings)))
		return;
	skip_to_next_line(p);
}
