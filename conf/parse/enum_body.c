/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names for numbers:
 *
 *	enum tag { A, B = 4 };
 *	enum(A, B=4)	enum[char](A, B)
 *	flags(int, RDWR=2/3, CREAT=0100)	flags[long](A, B)
 *
 * Flags without a value are single bits, in order. A value may be followed by a
 * slash and a mask if several bits hold one number: RDWR is shown if (value &
 * 3) == 2. Each name can be used as a constant in the values after it.
 */
#include "conf/parse/parser.h"

#include <errno.h>

struct constants {
	vec_of(struct constant) list;
};

/* The value of a name that is declared without one. It is one more than the
 * value of the name before it; of flags, it is the next bit. */
static int64_t
next_value(const struct constants *constants, bool is_flags)
{
	const struct constant *last;
	uint64_t bit = 1;

	if (constants->list.count == 0)
		return is_flags ? 1 : 0;
	last = &constants->list.at[constants->list.count - 1];
	if (!is_flags)
		return (int64_t)((uint64_t)last->value + 1);
	while (bit && bit <= (uint64_t)last->value)
		bit <<= 1;
	return (int64_t)bit;
}

/* Parses VALUE, or VALUE/MASK. */
static int
parse_value(struct parser *p, bool is_flags, struct constant *constant)
{
	const struct token *token = peek(p);
	bool slash_ends = p->slash_ends;
	int64_t mask;
	int r;

	p->slash_ends = is_flags;
	r = parse_constant(p, &constant->value);
	p->slash_ends = slash_ends;
	constant->mask =
		constant->value ? (uint64_t)constant->value : UINT64_MAX;
	if (r < 0 || !is_flags || !accept_mark(p, '/'))
		return r;
	r = parse_constant(p, &mask);
	if (r < 0)
		return r;
	if ((uint64_t)constant->value & ~(uint64_t)mask)
		complain(p, token, "the value has bits outside its mask");
	constant->mask = (uint64_t)mask;
	return 0;
}

static int
parse_one_constant(struct parser *p, bool is_flags, struct constants *constants)
{
	const struct token *token = peek(p);
	struct constant constant = { 0 };
	int r;

	if (token->kind != TOKEN_NAME)
		return expected(p, "a name");
	advance(p);
	r = skip_attributes(p);
	if (r < 0)
		return r;
	constant.name = token->name;
	constant.value = next_value(constants, is_flags);
	constant.mask = (uint64_t)constant.value;
	if (accept_mark(p, '='))
		r = parse_value(p, is_flags, &constant);
	vec_push(&constants->list, constant);
	library_add_constant(p->library, constant.name, constant.value);
	return r;
}

static int
parse_constants(struct parser *p, int close, bool is_flags,
		struct constants *constants)
{
	do {
		int r;

		if (constants->list.count > 0 && accept_mark(p, close))
			return 0;
		r = parse_one_constant(p, is_flags, constants);
		if (r < 0)
			return r;
	} while (accept_mark(p, ','));
	if (accept_mark(p, close))
		return 0;
	return expected(p, close == '}' ? "',' or '}'" : "',' or ')'");
}

/* Makes a copy of the type `base` whose values are shown by their names. */
static struct type *
named_values(struct parser *p, const struct type *base, bool is_flags,
	     const struct constants *constants)
{
	struct lens *lens = arena_zalloc(p->arena, sizeof(*lens));
	struct type *type = type_copy(p->arena, base);

	lens->kind = is_flags ? LENS_FLAGS : LENS_ENUM;
	lens->under = type->lens;
	lens->name_count = constants->list.count;
	lens->names =
		arena_copy(p->arena, constants->list.at,
			   constants->list.count * sizeof(*constants->list.at));
	type->lens = lens;
	return type;
}

/* Parses [T](...), (...), or for flags (T, ...). */
static int
parse_listed_enum(struct parser *p, bool is_flags, struct type_field *base,
		  struct constants *constants)
{
	int r = 0;

	if (accept_mark(p, '[')) {
		r = parse_inner_type(p, base);
		if (r == 0)
			r = expect_mark(p, ']');
	}
	if (r == 0)
		r = expect_mark(p, '(');
	if (r == 0 && is_flags && begins_type(p, peek(p)) &&
	    !token_is(peek_at(p, 1), '=')) {
		r = parse_inner_type(p, base);
		if (r == 0)
			r = expect_mark(p, ',');
	}
	if (r == 0)
		r = parse_constants(p, ')', is_flags, constants);
	return r;
}

/* Parses what follows "enum": a tag, ": T", and a body in braces. The tag or
 * the body may be missing. */
static int
parse_c_enum(struct parser *p, struct type_field *base,
	     struct constants *constants, char **ret_key)
{
	const struct token *token;
	int r = skip_attributes(p);

	token = peek(p);
	p->item.is_c = true;
	if (r == 0 && token->kind == TOKEN_NAME && !is_keyword(token->name))
		*ret_key = arena_printf(p->arena, "enum %s", advance(p)->name);
	if (r == 0 && token_is(peek(p), ':') && begins_type(p, peek_at(p, 1))) {
		advance(p);
		r = parse_inner_type(p, base);
	}
	if (r == 0 && accept_mark(p, '{'))
		r = parse_constants(p, '}', false, constants);
	else if (r == 0 && !*ret_key)
		return expected(p, "a name, '(' or '{'");
	return r;
}

/* The integer type of an enum. It is as wide as the values need (GCC manual,
 * "Structures unions enumerations and bit-fields implementation"). It is signed
 * unless a value needs an unsigned type, because -1 is usually an error and
 * should be shown as -1. */
static const struct type *
enum_base(const struct parser *p, const struct constants *constants)
{
	const char *name = "int";

	for (size_t i = 0; i < constants->list.count; i++) {
		int64_t value = constants->list.at[i].value;

		if (value < INT32_MIN || value > UINT32_MAX)
			return type_builtin_of(TYPE_WORD, "long");
		if (value > INT32_MAX)
			name = "unsigned int";
	}
	return type_builtin_of(parser_word(p), name);
}

static const struct type *
define_enum(struct parser *p, char *key, const struct type *base,
	    const struct constants *constants)
{
	struct type *type =
		named_values(p, base ? base : enum_base(p, constants), false,
			     constants);
	struct named_type named = { .name = key, .type = type, .is_c = true };

	type->name = key;
	if (key)
		library_add_type(p->library, &named);
	return type;
}

/* "enum tag". If the tag is unknown, the type is an int. */
static const struct type *
refer_to_enum(struct parser *p, const char *key)
{
	const struct named_type *known = library_named_type(p->library, key);
	struct type *type;

	if (known)
		return known->type;
	type = type_int(p->arena, 4, true);
	type->name = key;
	return type;
}

int
parse_enum(struct parser *p, struct specifier *ret_spec)
{
	bool is_flags = token_is_word(advance(p), "flags");
	struct constants constants = { 0 };
	struct type_field base = { 0 };
	char *key = NULL;
	int r;

	if (is_flags || at_mark(p, '(') || at_mark(p, '[')) {
		base.type = type_builtin_of(parser_word(p), "int");
		r = parse_listed_enum(p, is_flags, &base, &constants);
		ret_spec->has_lens = true;
		ret_spec->type = r < 0 ? NULL
				       : named_values(p, base.type, is_flags,
						      &constants);
	} else {
		r = parse_c_enum(p, &base, &constants, &key);
		ret_spec->declares = true;
		if (r == 0 && constants.list.count == 0)
			ret_spec->type = refer_to_enum(p, key);
		else if (r == 0)
			ret_spec->type =
				define_enum(p, key, base.type, &constants);
	}
	vec_release(&constants.list);
	return r;
}
