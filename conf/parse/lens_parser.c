/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lenses, ltrace's and xtrace's:
 *
 *	hex(T) oct(T) bin(T) dec(T) chr(T) bool(T) hide(T) guess(T) bitvec(T)
 *	errno(T) errnum(T)	T shown in another way; without (T), an int
 *	net(T)			an integer, highest byte first
 *	inet(T)			an IP address; without (T), an IPv4 address
 *	addr, addr(T)		an address of a T that is not read
 *	ref(T)			a pointer that is followed to its T
 *	array(T, LENGTH)	in place, as in a struct; array(T): no length
 *	string, string[LENGTH], string(T), stringN
 *				for an integer T, string(T) is chr(T)
 *	bytes[LENGTH]		text that does not end at a NUL
 *	format, sql		like string, for text of a special kind
 *	postgres[LENGTH, OID]	a value in PostgreSQL's binary format
 *	enum(...), flags(...)	enum_body.c
 *
 * ltrace writes the length of a text, and whether a NUL ends it, in the array:
 * string(array(char, zero(8))*). Both are moved to the lens, so that there is
 * only one place for them.
 */
#include "conf/parse/parser.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* True if the bracket belongs to a lens, false for a declarator: "bool
 * (*f)(int)". */
static bool
opens_bracket(const struct token *token)
{
	return token_is(token, '(') && !token_is(token + 1, '*');
}

static bool
at_bracket(const struct parser *p)
{
	return opens_bracket(peek(p));
}

static struct lens *
new_lens(struct parser *p, enum lens_kind kind, const struct lens *under)
{
	struct lens *lens = arena_zalloc(p->arena, sizeof(*lens));

	lens->kind = kind;
	lens->under = under;
	return lens;
}

const struct type *
through_lens(struct parser *p, enum lens_kind kind, const struct type *type)
{
	struct type *copy = type_copy(p->arena, type);

	copy->lens = new_lens(p, kind, type->lens);
	return copy;
}

/* type with its lens replaced by the lens of a text. */
static const struct type *
as_text(struct parser *p, enum lens_kind kind, const struct type *type,
	const struct expr *length, bool stops_at_nul)
{
	struct type *copy = type_copy(p->arena, type);
	struct lens *lens = new_lens(p, kind, NULL);

	lens->length = length;
	lens->stops_at_nul = stops_at_nul;
	copy->lens = lens;
	return copy;
}

const struct type *
text_type(struct parser *p, enum lens_kind kind, const struct type *character,
	  const struct expr *length, bool stops_at_nul)
{
	return as_text(p, kind,
		       type_pointer_of(p->arena, parser_word(p), character),
		       length, stops_at_nul);
}

static bool
is_character(const struct type *type)
{
	return type->kind == TYPE_INT && type->bytes <= 4;
}

/* A pointer to the characters of an array, with the array's length and a lens
 * of this kind. */
static const struct type *
text_of_array(struct parser *p, enum lens_kind kind, const struct type *array)
{
	const struct expr *length = array->length;

	if (length && length->kind == EXPR_ZERO)
		return text_type(p, kind, array->to, length->left, true);
	return text_type(p, kind, array->to, length, !length);
}

static int
text_from(struct parser *p, enum lens_kind kind, const struct token *token,
	  const struct type *type, const struct type **ret_type)
{
	const struct type *to = type->to;

	if (type->kind == TYPE_ARRAY && is_character(to)) {
		*ret_type = as_text(p, kind, type, NULL,
				    !type->length ||
					    type->length->kind == EXPR_ZERO);
		return 0;
	}
	if (type->kind == TYPE_POINTER && to->kind == TYPE_ARRAY &&
	    is_character(to->to)) {
		*ret_type = text_of_array(p, kind, to);
		return 0;
	}
	if (type->kind == TYPE_POINTER && is_character(to)) {
		bool known = type->lens && lens_is_text(type->lens->kind);

		*ret_type = as_text(p, kind, type,
				    known ? type->lens->length : NULL,
				    known ? type->lens->stops_at_nul : true);
		return 0;
	}
	if (kind == LENS_STRING && is_character(type)) {
		*ret_type = through_lens(p, LENS_CHR, type);
		return 0;
	}
	return complain(p, token, "%s() is for characters", lens_word(kind));
}

/* Parses [LENGTH], if it is there. */
static int
parse_text_length(struct parser *p, const struct expr **ret_length)
{
	int r = expect_mark(p, '[');

	if (r == 0)
		r = parse_length(p, ret_length);
	return r < 0 ? r : expect_mark(p, ']');
}

/* Parses a type in brackets, as in "hex(int)". The next token is the opening
 * bracket. */
static int
parse_in_brackets(struct parser *p, const struct type **ret_type)
{
	struct type_field field;
	int r = expect_mark(p, '(');

	if (r == 0)
		r = parse_inner_type(p, &field);
	if (r < 0)
		return r;
	*ret_type = field.type;
	return expect_mark(p, ')');
}

static int
parse_text(struct parser *p, enum lens_kind kind, bool stops_at_nul,
	   const struct type **ret_type)
{
	const struct token *token = advance(p);
	const struct expr *length = NULL;
	const struct type *inner;
	int r = 0;

	if (at_bracket(p)) {
		r = parse_in_brackets(p, &inner);
		return r < 0 ? r : text_from(p, kind, token, inner, ret_type);
	}
	if (at_mark(p, '[') || !stops_at_nul)
		r = parse_text_length(p, &length);
	if (r == 0 && length && length->kind == EXPR_ZERO) {
		stops_at_nul = true;
		length = length->left;
	}
	if (r == 0)
		*ret_type = text_type(p, kind,
				      type_builtin_of(parser_word(p), "char"),
				      length, stops_at_nul);
	return r;
}

/* Parses postgres[LENGTH, OID]. */
static int
parse_postgres(struct parser *p, const struct type **ret_type)
{
	struct lens *lens = new_lens(p, LENS_POSTGRES, NULL);
	struct type *pointer =
		type_pointer_of(p->arena, parser_word(p),
				type_builtin_of(parser_word(p), "char"));
	int r;

	advance(p);
	r = expect_mark(p, '[');
	if (r == 0)
		r = parse_expr(p, &lens->length);
	if (r == 0)
		r = expect_mark(p, ',');
	if (r == 0)
		r = parse_expr(p, &lens->oid);
	if (r == 0)
		r = expect_mark(p, ']');
	pointer->lens = lens;
	if (r == 0)
		*ret_type = pointer;
	return r;
}

/* True for string3, which is string[arg3]. string0 is string[retval]. */
static bool
is_numbered_string(const char *name)
{
	return !strncmp(name, "string", 6) && name[6] &&
	       strspn(name + 6, "0123456789") == strlen(name + 6) &&
	       strlen(name) < 9;
}

static void
parse_numbered_string(struct parser *p, const struct type **ret_type)
{
	struct expr *length = arena_zalloc(p->arena, sizeof(*length));

	length->number = atoi(peek(p)->name + 6);
	length->kind = length->number ? EXPR_ARG : EXPR_RETVAL;
	if (length->number)
		add_pending(p, length, peek(p));
	advance(p);
	*ret_type = text_type(p, LENS_STRING,
			      type_builtin_of(parser_word(p), "char"), length,
			      true);
}

/* Parses array(T, LENGTH). */
static int
parse_array(struct parser *p, const struct type **ret_type)
{
	const struct expr *length = NULL;
	struct type_field field;
	struct type *array;
	int r;

	advance(p);
	r = expect_mark(p, '(');
	if (r == 0)
		r = parse_inner_type(p, &field);
	if (r == 0 && accept_mark(p, ','))
		r = parse_length(p, &length);
	if (r == 0)
		r = expect_mark(p, ')');
	if (r == 0)
		r = make_array(p, field.type, length, &array);
	if (r == 0)
		*ret_type = array;
	return r;
}

/* True at "(MYSQL)", an undeclared name. */
static bool
at_opaque(const struct parser *p)
{
	const struct token *name = peek_at(p, 1);

	return name->kind == TOKEN_NAME && token_is(peek_at(p, 2), ')') &&
	       !begins_type(p, name);
}

/* Parses the part of ref(T) or addr(T) after the name of the lens. */
static int
parse_pointer_to(struct parser *p, bool followed, const struct type **ret_type)
{
	const struct type *to;
	struct type *pointer;
	int r;

	advance(p);
	if (at_opaque(p)) {
		advance(p);
		to = unknown_struct(p, advance(p)->name);
		r = expect_mark(p, ')');
	} else {
		r = parse_in_brackets(p, &to);
	}
	if (r == 0)
		r = make_pointer(p, to, &pointer);
	if (r == 0)
		*ret_type = followed ? pointer
				     : through_lens(p, LENS_ADDRESS, pointer);
	return r;
}

/* Parses net(T). */
static int
parse_big_endian(struct parser *p, const struct type **ret_type)
{
	const struct token *token = advance(p);
	const struct type *inner;
	struct type *type;
	int r = parse_in_brackets(p, &inner);

	if (r < 0)
		return r;
	if ((inner->kind != TYPE_INT && inner->kind != TYPE_FLOAT) ||
	    type_size(inner) > 8)
		return complain(p, token,
				"net() is for integers, float and double");
	type = type_copy(p->arena, inner);
	type->is_big_endian = true;
	*ret_type = type;
	return 0;
}

/* Checks the type of inet(): an IP address may be an integer, or an array in
 * place. */
static int
check_inet(struct parser *p, const struct token *token, const struct type *type)
{
	size_t size = type_size(type);

	if ((type->kind == TYPE_INT && size == 4) ||
	    (type->kind == TYPE_ARRAY && (size == 4 || size == 16)))
		return 0;
	return complain(p, token, "inet() is for 4 bytes or 16");
}

static int
check_only(struct parser *p, const struct token *token, const struct type *type)
{
	if (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION)
		return 0;
	return complain(p, token, "only() is for structs and unions");
}

static int
check_vars(struct parser *p, const struct token *token, const struct type *type)
{
	if (type->kind == TYPE_POINTER && type->to->kind == TYPE_ARRAY)
		return 0;
	return complain(p, token, "vars() is for pointers to arrays");
}

static int
parse_simple_lens(struct parser *p, enum lens_kind kind,
		  const struct type **ret_type)
{
	const struct type *type = type_builtin_of(parser_word(p), "int");
	const struct token *token = advance(p);
	int r = 0;

	if (kind == LENS_INET)
		type = type_builtin_of(parser_word(p), "unsigned int");
	if (at_bracket(p))
		r = parse_in_brackets(p, &type);
	else if (kind == LENS_GUESS)
		type = type_builtin_of(parser_word(p), "long");
	if (r == 0 && kind == LENS_INET)
		r = check_inet(p, token, type);
	if (r == 0 && kind == LENS_ONLY)
		r = check_only(p, token, type);
	if (r == 0 && kind == LENS_VARS)
		r = check_vars(p, token, type);
	if (r == 0)
		*ret_type = through_lens(p, kind, type);
	return r;
}

bool
begins_lens(const struct token *token)
{
	bool square = token_is(token + 1, '[');
	bool bracket = opens_bracket(token + 1);
	enum lens_kind kind;

	if (token_is_word(token, "array") || token_is_word(token, "ref") ||
	    token_is_word(token, "net"))
		return bracket;
	if (token_is_word(token, "bytes"))
		return square;
	if (is_numbered_string(token->name))
		return true;
	if (!lens_find(token->name, &kind))
		return false;
	if (kind == LENS_FLAGS)
		return square || bracket;
	if (kind == LENS_POSTGRES)
		return square;
	/* Without brackets, words such as "addr" and "bool" are no lenses: they
	 * name types, or nothing. */
	if (kind == LENS_ADDRESS || kind == LENS_BOOL || kind == LENS_INET ||
	    kind == LENS_ONLY || kind == LENS_VARS)
		return bracket;
	return true;
}

bool
lens_takes_bracket(const struct token *token)
{
	return token_is(token + 1, '[') || opens_bracket(token + 1);
}

int
parse_lens(struct parser *p, const struct type **ret_type)
{
	struct specifier spec;
	enum lens_kind kind;
	int r;

	if (at_word(p, "array"))
		return parse_array(p, ret_type);
	if (at_word(p, "ref"))
		return parse_pointer_to(p, true, ret_type);
	if (at_word(p, "net"))
		return parse_big_endian(p, ret_type);
	if (at_word(p, "bytes"))
		return parse_text(p, LENS_STRING, false, ret_type);
	if (!lens_find(peek(p)->name, &kind)) {
		parse_numbered_string(p, ret_type);
		return 0;
	}
	if (kind == LENS_POSTGRES)
		return parse_postgres(p, ret_type);
	if (lens_is_text(kind))
		return parse_text(p, kind, true, ret_type);
	if (kind == LENS_ADDRESS)
		return parse_pointer_to(p, false, ret_type);
	if (kind != LENS_FLAGS)
		return parse_simple_lens(p, kind, ret_type);
	r = parse_enum(p, &spec);
	if (r == 0)
		*ret_type = spec.type;
	return r;
}
