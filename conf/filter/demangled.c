/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A demangled name is read from left to right. One counter counts open brackets
 * of all kinds. Outside of brackets,
 *
 *	void std::vector<int, A>::insert(int const&) const
 *	    ^                           ^
 *	    the last space before       the last ( without :: after it
 *
 * The names of C++ operators contain brackets and spaces and are skipped:
 * operator(), operator<<, operator unsigned long. A symbol that the compiler
 * made for a function is not that function: in "vtable for X" and "non-virtual
 * thunk to X::f()" the whole text is the name. (Itanium C++ ABI, 5.1;
 * libiberty's cp-demangle for the spelling.)
 */
#include "conf/filter/demangled.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define OPERATOR "operator"
#define OPERATOR_LENGTH (sizeof(OPERATOR) - 1)

struct outline {
	size_t word;	   /* the place after the last space not in brackets */
	size_t parameters; /* the last parenthesis opened outside of brackets */
	size_t name;	   /* the place of the word before `parameters` */
	bool has_parameters;
};

static bool
is_name_character(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The length of the longest sign of an operator at the start of text. In the
 * table, long signs come first. */
static size_t
sign_length(const char *text)
{
	static const char *const signs[] = {
		"<<=", ">>=", "<=>", "->*", "()", "[]", "+=", "-=", "*=", "/=",
		"%=",  "^=",  "&=",  "|=",  "<<", ">>", "==", "!=", "<=", ">=",
		"&&",  "||",  "++",  "--",  "->", "+",	"-",  "*",  "/",  "%",
		"^",   "&",   "|",   "~",   "!",  "=",	"<",  ">",
	};

	for (size_t i = 0; i < array_size(signs); i++) {
		size_t length = strlen(signs[i]);

		if (!strncmp(text, signs[i], length))
			return length;
	}
	return 0;
}

size_t
demangled_operator(const char *text, size_t start, size_t at)
{
	const char *sign = text + at + OPERATOR_LENGTH;

	if (strncmp(text + at, OPERATOR, OPERATOR_LENGTH) != 0 ||
	    (at > start && is_name_character(text[at - 1])) ||
	    is_name_character(*sign))
		return 0;
	return OPERATOR_LENGTH + sign_length(sign);
}

/* Like demangled_operator(), but the length includes a type or a word that is a
 * part of the operator's name: "operator unsigned long". */
static size_t
whole_operator(const char *text, size_t at)
{
	size_t length = demangled_operator(text, 0, at);

	if (length == OPERATOR_LENGTH && text[at + length] == ' ')
		return length + strcspn(text + at + length, "(");
	/* In "operator< <int>(...)" the space does not end the name. */
	if (length > 0 && !strncmp(text + at + length, " <", 2))
		return length + 1;
	return length;
}

/* True if the text before the position `name` says that the compiler made the
 * symbol for something else, as in "vtable for X". */
static bool
made_for(const char *text, size_t name)
{
	return (name > 5 && !strncmp(text + name - 5, " for ", 5)) ||
	       (name > 4 && !strncmp(text + name - 4, " to ", 4));
}

static void
open_bracket(const char *text, size_t at, int depth, struct outline *outline)
{
	if (depth == 0 && text[at] == '(') {
		outline->parameters = at;
		outline->name = outline->word;
		outline->has_parameters = true;
	}
}

static void
close_bracket(const char *text, size_t at, int depth, struct outline *outline)
{
	if (depth == 0 && text[at] == ')' && text[at + 1] == ':')
		outline->has_parameters = false;
}

static void
trace_outline(const char *text, struct outline *outline)
{
	int depth = 0;

	for (size_t at = 0; text[at]; at++) {
		size_t skip = whole_operator(text, at);

		if (skip > 0)
			at += skip - 1;
		else if (strchr("<({[", text[at]))
			open_bracket(text, at, depth++, outline);
		else if (strchr(">)}]", text[at]))
			close_bracket(text, at, --depth, outline);
		else if (text[at] == ' ' && depth == 0)
			outline->word = at + 1;
	}
}

void
demangled_name(const char *text, size_t *ret_start, size_t *ret_end)
{
	struct outline outline = { 0 };

	trace_outline(text, &outline);
	if (!outline.has_parameters || made_for(text, outline.name)) {
		outline.name = 0;
		outline.parameters = strlen(text);
	}
	*ret_start = outline.name;
	*ret_end = outline.parameters;
}
