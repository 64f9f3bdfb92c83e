/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of C that form a type together (C11 6.7.2), in any order, and the
 * words that cannot be names. A set of words is a mask of bits. A table gives
 * the type of a set; a set that is not in the table is an error.
 */
#include "conf/parse/parser.h"

#include <errno.h>

/* C's words for types, which can be combined. */
enum basic {
	BASIC_CHAR = 1 << 0,
	BASIC_SHORT = 1 << 1,
	BASIC_INT = 1 << 2,
	BASIC_LONG = 1 << 3,
	BASIC_LONG_LONG = 1 << 4,
	BASIC_INT128 = 1 << 5,
	BASIC_SIGNED = 1 << 6,
	BASIC_UNSIGNED = 1 << 7,
	BASIC_FLOAT = 1 << 8,
	BASIC_DOUBLE = 1 << 9,
	BASIC_COMPLEX = 1 << 10,
	BASIC_QUAD = 1 << 11,
};

static const struct {
	const char *word;
	unsigned basic;
} basic_words[] = {
	{ "char", BASIC_CHAR },
	{ "short", BASIC_SHORT },
	{ "int", BASIC_INT },
	{ "long", BASIC_LONG },
	{ "__int128", BASIC_INT128 },
	{ "signed", BASIC_SIGNED },
	{ "__signed__", BASIC_SIGNED },
	{ "unsigned", BASIC_UNSIGNED },
	{ "float", BASIC_FLOAT },
	{ "double", BASIC_DOUBLE },
	{ "_Complex", BASIC_COMPLEX },
	{ "__complex__", BASIC_COMPLEX },
	{ "complex", BASIC_COMPLEX },
	{ "_Float128", BASIC_QUAD },
	{ "__float128", BASIC_QUAD },
	{ "__float80", BASIC_LONG | BASIC_DOUBLE },
	{ "_Float32", BASIC_FLOAT },
	{ "_Float64", BASIC_DOUBLE },
	{ "_Float32x", BASIC_DOUBLE },
	{ "_Float64x", BASIC_LONG | BASIC_DOUBLE },
};

/* The type for each set of words. INT and SIGNED are left out of a set if they
 * change nothing. */
static const struct {
	unsigned basic;
	const char *name;
} combinations[] = {
	{ BASIC_CHAR, "char" },
	{ BASIC_CHAR | BASIC_SIGNED, "signed char" },
	{ BASIC_CHAR | BASIC_UNSIGNED, "unsigned char" },
	{ BASIC_SHORT, "short" },
	{ BASIC_SHORT | BASIC_UNSIGNED, "unsigned short" },
	{ 0, "int" },
	{ BASIC_UNSIGNED, "unsigned int" },
	{ BASIC_LONG, "long" },
	{ BASIC_LONG | BASIC_UNSIGNED, "unsigned long" },
	{ BASIC_LONG_LONG, "long long" },
	{ BASIC_LONG_LONG | BASIC_UNSIGNED, "unsigned long long" },
	{ BASIC_INT128, "__int128" },
	{ BASIC_INT128 | BASIC_UNSIGNED, "unsigned __int128" },
	{ BASIC_FLOAT, "float" },
	{ BASIC_DOUBLE, "double" },
	{ BASIC_LONG | BASIC_DOUBLE, "long double" },
	{ BASIC_FLOAT | BASIC_COMPLEX, "float _Complex" },
	{ BASIC_DOUBLE | BASIC_COMPLEX, "double _Complex" },
	{ BASIC_COMPLEX, "double _Complex" },
	{ BASIC_LONG | BASIC_DOUBLE | BASIC_COMPLEX, "long double _Complex" },
	{ BASIC_QUAD, "_Float128" },
	{ BASIC_QUAD | BASIC_COMPLEX, "_Float128 _Complex" },
};

static const char *const other_keywords[] = {
	"void",	    "struct",	"union",  "enum",   "const",
	"volatile", "restrict", "static", "inline", "register",
	"extern",   "typedef",	"if",
};

static unsigned
basic_of(const struct token *token)
{
	if (token->kind != TOKEN_NAME)
		return 0;
	for (size_t i = 0; i < array_size(basic_words); i++) {
		if (same_word(token->name, basic_words[i].word))
			return basic_words[i].basic;
	}
	return 0;
}

bool
is_keyword(const char *word)
{
	for (size_t i = 0; i < array_size(other_keywords); i++) {
		if (same_word(word, other_keywords[i]))
			return true;
	}
	for (size_t i = 0; i < array_size(basic_words); i++) {
		/* "complex" is no keyword: <complex.h> defines it as a macro,
		 * and in other files it is a name. */
		if (same_word(word, basic_words[i].word))
			return strcmp(word, "complex") != 0;
	}
	return is_idle_word(word);
}

int
add_basic(struct parser *p, const struct token *token, unsigned *basic)
{
	unsigned more = basic_of(token);

	/* Only C combines words for a type, or has "signed" and "unsigned". */
	if (*basic || (more & (BASIC_SIGNED | BASIC_UNSIGNED)))
		p->item.is_c = true;
	if (more == BASIC_LONG && (*basic & BASIC_LONG)) {
		*basic &= ~(unsigned)BASIC_LONG;
		more = BASIC_LONG_LONG;
	}
	if (*basic & more)
		return complain(p, token, "'%s' is repeated", token->name);
	*basic |= more;
	return 0;
}

int
basic_type(struct parser *p, const struct token *token, unsigned basic,
	   const struct type **ret_type)
{
	unsigned key = basic;

	if (!(key & BASIC_CHAR))
		key &= ~(unsigned)BASIC_SIGNED;
	if (!(key & (BASIC_FLOAT | BASIC_DOUBLE | BASIC_CHAR | BASIC_QUAD)))
		key &= ~(unsigned)BASIC_INT;
	for (size_t i = 0; i < array_size(combinations); i++) {
		if (key != combinations[i].basic)
			continue;
		*ret_type =
			type_builtin_of(parser_word(p), combinations[i].name);
		return 0;
	}
	return complain(p, token, "these words do not make a type");
}

/* "complex" is a word for a type only beside a word with which it combines, as
 * in "double complex". */
bool
at_basic(const struct parser *p, unsigned basic)
{
	unsigned more = basic_of(peek(p));

	if (more != BASIC_COMPLEX || !at_word(p, "complex"))
		return more != 0;
	return (basic | basic_of(peek_at(p, 1))) &
	       (BASIC_FLOAT | BASIC_DOUBLE | BASIC_QUAD);
}
