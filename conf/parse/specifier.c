/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words at the start of a declaration. C's declaration specifiers (C11 6.7)
 * and ltrace's lenses occur in the same place, so they share the grammar:
 *
 *	specifier := { qualifier | "extern" | MACRO | attribute }
 *		     ( basic words | struct | union | enum | lens | NAME )
 *
 * A NAME is the first of these that applies: a lens with a bracket, a type of
 * the file, a lens without a bracket, a built-in type, a macro without meaning
 * (CURL_EXTERN, STDCALL: no small letters, and the type was before it or
 * follows), or, before a '*', an unknown type, which needs no definition (MYSQL
 * *).
 *
 * Words that only C has set item.is_c; decide.c says why.
 */
#include "conf/parse/parser.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* Built-in names that ltrace has, too. They do not make a declaration C. */
static const char *const ltrace_words[] = {
	"addr", "bool",	  "file",  "itn",    "llong",
	"uint", "ullong", "ulong", "ushort", "void",
};

static const struct named_type *
own_type(const struct parser *p, const struct token *token)
{
	if (token->kind != TOKEN_NAME || !p->library)
		return NULL;
	return library_named_type(p->library, token->name);
}

bool
begins_type(const struct parser *p, const struct token *token)
{
	if (token->kind != TOKEN_NAME)
		return false;
	return is_keyword(token->name) || own_type(p, token) ||
	       type_builtin_of(parser_word(p), token->name) ||
	       begins_lens(token);
}

/* An undeclared name before '*' is an opaque struct. */
const struct type *
unknown_struct(struct parser *p, const char *name)
{
	const struct named_type *known;
	char *key = arena_printf(p->arena, "? %s", name);
	struct named_type fresh = { .name = key, .is_c = true };

	known = library_named_type(p->library, key);
	if (known)
		return known->type;
	fresh.type = type_struct(p->arena, TYPE_STRUCT, name);
	library_add_type(p->library, &fresh);
	return fresh.type;
}

static bool
star_follows(const struct parser *p)
{
	size_t n = 1;

	while (token_is_word(peek_at(p, n), "const") ||
	       token_is_word(peek_at(p, n), "volatile"))
		n++;
	return token_is(peek_at(p, n), '*');
}

/* True at a macro before the type. */
static bool
at_leading_macro(const struct parser *p)
{
	const struct token *next = peek_at(p, 1);

	if (next->kind != TOKEN_NAME || star_follows(p))
		return false;
	/* glibc's macros have small letters, but the type follows directly */
	if (!looks_like_macro(peek(p)))
		return !strncmp(peek(p)->name, "__", 2) && begins_type(p, next);
	return begins_type(p, next) || peek_at(p, 2)->kind == TOKEN_NAME ||
	       token_is(peek_at(p, 2), '*');
}

/* True at a macro after the type: "int STDCALL f(", "char *ZEXPORT f(". */
bool
at_trailing_macro(const struct parser *p)
{
	const struct token *next = peek_at(p, 1);

	if (next->kind != TOKEN_NAME)
		return looks_like_macro(peek(p)) && token_is(next, '*');
	return looks_like_macro(peek(p)) && !is_attribute(next) &&
	       !token_is_word(next, "if");
}

/* PyAPI_FUNC(int) f(...): the type is in the macro's brackets. */
static bool
at_wrapping_macro(const struct parser *p)
{
	const char *name = peek(p)->name;

	if (!token_is(peek_at(p, 1), '(') || !p->item.shows_params)
		return false;
	return name[strcspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] &&
	       (begins_type(p, peek_at(p, 2)) || token_is(peek_at(p, 3), '*'));
}

static int
parse_wrapped(struct parser *p, struct specifier *spec)
{
	struct type_field field;
	int r;

	advance(p);
	advance(p);
	r = parse_inner_type(p, &field);
	if (r < 0)
		return r;
	p->item.is_c = spec->is_extern = true;
	spec->type = field.type;
	return expect_mark(p, ')');
}

static int
parse_unknown(struct parser *p, struct specifier *spec)
{
	const struct token *token = peek(p);

	if (is_keyword(token->name))
		return expected(p, "a type");
	p->item.is_c = true;
	if (at_wrapping_macro(p))
		return parse_wrapped(p, spec);
	if (star_follows(p)) {
		spec->type = unknown_struct(p, token->name);
	} else {
		if (!p->in_callback)
			complain(p, token, "unknown type '%s'", token->name);
		if (token_is(peek_at(p, 1), '(') && token == p->item.start)
			return -EINVAL;
		spec->type = type_builtin_of(parser_word(p), "int");
	}
	advance(p);
	return 0;
}

static bool
is_ltrace_word(const char *word)
{
	for (size_t i = 0; i < array_size(ltrace_words); i++) {
		if (same_word(word, ltrace_words[i]))
			return true;
	}
	return false;
}

static bool
take_named(struct parser *p, struct specifier *spec)
{
	const struct named_type *named = own_type(p, peek(p));
	const char *name = peek(p)->name;

	if (named) {
		spec->type = named->type;
		spec->has_lens |= named->has_lens;
		p->item.is_c |= named->is_c;
	} else {
		spec->type = type_builtin_of(parser_word(p), name);
		p->item.is_c |= spec->type && !is_ltrace_word(name);
	}
	if (spec->type)
		advance(p);
	return spec->type != NULL;
}

/* Parses the word for the type, if no earlier word gave the type. */
static int
parse_type_word(struct parser *p, struct specifier *spec)
{
	if (at_word(p, "struct") || at_word(p, "union"))
		return parse_struct(p, spec);
	if (at_word(p, "enum"))
		return parse_enum(p, spec);
	if (begins_lens(peek(p)) &&
	    (!own_type(p, peek(p)) || lens_takes_bracket(peek(p)))) {
		spec->has_lens = true;
		return parse_lens(p, &spec->type);
	}
	if (take_named(p, spec))
		return 0;
	if (!at_leading_macro(p))
		return parse_unknown(p, spec);
	/* most such macros expand to extern */
	p->item.is_c = spec->is_extern = true;
	advance(p);
	return 0;
}

/*
 * True within brackets at a line that begins as far left as the item, or
 * further left. Such a line is probably the next item, and a closing bracket is
 * missing.
 */
static bool
begins_other_item(const struct parser *p)
{
	return p->depth > 1 && peek(p)->first_on_line &&
	       peek(p)->indent <= p->item.start->column;
}

/* Parses one more word of a specifier. Returns 1, or 0 if the next word is not
 * a part of it. */
static int
parse_word(struct parser *p, struct specifier *spec, unsigned *basic)
{
	size_t at = p->at;
	int r = skip_attributes(p);

	if (r < 0 || p->at > at)
		return r < 0 ? r : 1;
	if (peek(p)->kind != TOKEN_NAME ||
	    ((spec->type || *basic) && begins_other_item(p)))
		return 0;
	if (accept_word(p, "const")) {
		spec->is_const = p->item.is_c = true;
	} else if (accept_word(p, "extern")) {
		spec->is_extern = p->item.is_c = true;
	} else if (!spec->type && at_basic(p, *basic)) {
		r = add_basic(p, advance(p), basic);
	} else if (!spec->type && !*basic) {
		r = parse_type_word(p, spec);
	} else if (at_trailing_macro(p)) {
		p->item.is_c = true;
		advance(p);
	} else {
		return 0;
	}
	return r < 0 ? r : 1;
}

int
parse_specifier(struct parser *p, struct specifier *ret_spec)
{
	const struct token *start = peek(p);
	struct specifier spec = { 0 };
	unsigned basic = 0;
	int r = enter(p);

	if (r < 0)
		return r;
	while ((r = parse_word(p, &spec, &basic)) > 0)
		;
	leave(p);
	if (r == 0 && basic)
		r = basic_type(p, start, basic, &spec.type);
	if (r < 0)
		return r;
	if (!spec.type)
		return expected(p, "a type");
	if (spec.is_const && spec.type->is_char) {
		struct type *copy = type_copy(p->arena, spec.type);

		copy->is_const = true;
		spec.type = copy;
	}
	*ret_spec = spec;
	return 0;
}

/* Parses "name : bits". */
static int
parse_bits(struct parser *p, struct type_field *field)
{
	const struct token *token = peek(p);
	int64_t bits;
	int r;

	if (!accept_mark(p, ':'))
		return 0;
	r = parse_constant(p, &bits);
	if (r < 0)
		return r;
	if (field->type->kind != TYPE_INT || bits < 0 ||
	    (uint64_t)bits > 8 * type_size(field->type) ||
	    (bits == 0 && field->name))
		return complain(p, token, "no such bit-field");
	field->bits = (unsigned)bits;
	if (bits == 0)
		field->first_bit = TYPE_FIELD_CLOSES;
	return 0;
}

int
parse_field(struct parser *p, const struct specifier *spec, bool is_c,
	    enum follow asked, struct type_field *ret_field)
{
	struct declarator declarator;
	int r = parse_declarator(p, spec->type, &declarator);

	if (r < 0)
		return r;
	*ret_field = (struct type_field){
		.name = declarator.name,
		.type = decide_type(p, declarator.type, DECIDE_VALUE,
				    is_c || p->item.is_c,
				    follow_of(asked, spec)),
	};
	return parse_bits(p, ret_field);
}

int
parse_inner_type(struct parser *p, struct type_field *ret_field)
{
	size_t first_pending = p->pending.count;
	bool was_c = p->item.is_c;
	struct specifier spec;
	int r;

	p->item.is_c = false;
	r = parse_specifier(p, &spec);
	if (r == 0)
		r = parse_field(p, &spec, false, FOLLOW_PLAIN, ret_field);
	if (r == 0)
		resolve_result_names(p, ret_field->type, first_pending);
	p->item.is_c = was_c;
	return r;
}
