/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Structs and unions, in the braces of C or in the brackets of ltrace:
 *
 *	struct tag { int n; char name[16]; unsigned flag : 1; };
 *	struct(int n, array(char, 16), uint flag : 1)
 *
 * A field may have a condition, which may use fields of the same struct and of
 * enclosing structs:
 *
 *	struct x { int kind; union { int n if kind == 1; string s if kind; }; }
 *
 * A tag is known from its first use on, with an empty body that the definition
 * fills in, so that pointers to it may come earlier. A second definition is an
 * error unless it is equivalent, as when a header is pasted twice.
 */
#include "conf/parse/parser.h"

#include <errno.h>
#include <limits.h>

struct fields {
	vec_of(struct type_field) list;
};

static void
resolve_field_names(struct parser *p, const struct fields *fields,
		    size_t first_pending)
{
	size_t count = fields->list.count;
	const char **names = arena_alloc(p->arena, count * sizeof(*names));

	for (size_t i = 0; i < count; i++)
		names[i] = fields->list.at[i].name;
	resolve_names(p, first_pending, EXPR_ELEMENT, names, count, false);
	resolve_constants(p, first_pending);
}

/* Parses the condition of a field: "if EXPR". */
static int
parse_field_condition(struct parser *p, struct type_field *field)
{
	field->condition = NULL;
	return accept_word(p, "if") ? parse_expr(p, &field->condition) : 0;
}

static int
complete_struct(struct parser *p, struct type *type, const struct token *token,
		const struct fields *fields)
{
	if (type_complete_struct(p->arena, type, fields->list.at,
				 fields->list.count, p->item.packed) < 0)
		return complain(p, token, "this is too large");
	if (type->depth > TYPE_DEPTH)
		return complain(p, token, "structs are nested too deep");
	return 0;
}

/* Parses the declarators of one line between braces. */
static int
parse_line_of_fields(struct parser *p, struct fields *fields)
{
	size_t first_pending = p->pending.count;
	struct type_field field = { 0 };
	struct specifier spec;
	bool is_first = true;
	enum follow follow;
	int r;

	parse_direction(p, &follow);
	r = parse_specifier(p, &spec);
	if (r < 0)
		return r;
	if (at_mark(p, ';') || at_word(p, "if")) {
		/* struct { ... }; its fields belong to the enclosing struct */
		field.type = spec.type;
		r = parse_field_condition(p, &field);
		if (r == 0 && spec.type->body && !spec.type->name)
			vec_push(&fields->list, field);
		return r < 0 ? r : expect_mark(p, ';');
	}
	do {
		const struct token *token = peek(p);

		r = parse_field(p, &spec, true, follow, &field);
		if (r == 0)
			r = skip_attributes(p);
		if (r == 0)
			r = parse_field_condition(p, &field);
		if (r < 0)
			return r;
		if (!field.name && !field.bits && !field.first_bit)
			return expected(p, "a name");
		resolve_declared_names(p,
				       &(struct declarator){ field.type, NULL,
							     token },
				       first_pending, is_first);
		is_first = false;
		check_complete(p, field.type, token, "a field");
		vec_push(&fields->list, field);
	} while (accept_mark(p, ','));
	return expect_mark(p, ';');
}

/* True at the start of a line that begins as far left as the struct itself. */
static bool
stands_outside(const struct parser *p)
{
	return ends_item(p) && !at_mark(p, '}');
}

static int
parse_lines_of_fields(struct parser *p, struct fields *fields)
{
	bool in_callback = p->in_callback;
	bool shows_params = p->item.shows_params;
	int r = expect_mark(p, '{');
	bool indented = !stands_outside(p) && peek(p)->indent < UINT_MAX;

	p->in_callback = p->item.shows_params = false;
	while (r == 0 && !accept_mark(p, '}')) {
		if (accept_mark(p, ';'))
			continue;
		if (indented && stands_outside(p))
			r = expected(p, "'}'");
		else
			r = parse_line_of_fields(p, fields);
	}
	p->in_callback = in_callback;
	p->item.shows_params = shows_params;
	return r;
}

/* Parses (T, T, ...). */
static int
parse_listed_fields(struct parser *p, struct fields *fields)
{
	int r = expect_mark(p, '(');

	if (r < 0 || accept_mark(p, ')'))
		return r;
	do {
		const struct token *token = peek(p);
		struct type_field field;

		r = parse_inner_type(p, &field);
		if (r == 0)
			r = parse_field_condition(p, &field);
		if (r < 0)
			return r;
		check_complete(p, field.type, token, "a field");
		vec_push(&fields->list, field);
	} while (accept_mark(p, ','));
	return at_mark(p, ')') ? expect_mark(p, ')')
			       : expected(p, "',' or ')'");
}

/* Parses the body of type, which is incomplete. */
static int
parse_body(struct parser *p, struct type *type, const struct token *token)
{
	size_t first_pending = p->pending.count;
	struct fields fields = { 0 };
	bool braces = at_mark(p, '{');
	int r = enter(p);

	if (r < 0)
		return r;
	p->bodies++;
	r = braces ? parse_lines_of_fields(p, &fields)
		   : parse_listed_fields(p, &fields);
	p->bodies--;
	if (r == 0 && braces)
		r = skip_attributes(p);
	if (r == 0)
		resolve_field_names(p, &fields, first_pending);
	/* A name that is no field of this struct may be a parameter if the
	 * fields are in parentheses, and a field of the enclosing struct if
	 * this struct has no tag. Otherwise the name is an error. */
	if (r == 0 && braces && (type->name || p->bodies == 0))
		complain_about_names(p, first_pending);
	/* After a field with a wrong type, all later fields would be
	 * misplaced. */
	if (r == 0 && !p->item.bad)
		r = complete_struct(p, type, token, &fields);
	vec_release(&fields.list);
	leave(p);
	return r;
}

static struct type *
add_tag(struct parser *p, enum type_kind kind, const char *key)
{
	struct type *type = type_struct(p->arena, kind, key);
	struct named_type named = {
		.name = key, .type = type, .is_c = true, .defines = true
	};

	library_add_type(p->library, &named);
	return type;
}

/* Parses the body of a struct with a tag, which may have a body already. */
static int
define_tag(struct parser *p, enum type_kind kind, const char *key,
	   const struct token *token, const struct type **ret_type)
{
	const struct named_type *known = strmap_get(&p->library->types, key);
	struct type *type;
	int r;

	*ret_type = known ? known->type : add_tag(p, kind, key);
	/* the cast is right: add_tag() made the type, not const */
	if (!type_complete(*ret_type)) {
		r = parse_body(p, (struct type *)*ret_type, token);
		if (type_complete(*ret_type))
			library_defined_type(p->library, key);
		return r;
	}
	type = type_struct(p->arena, kind, key);
	r = parse_body(p, type, token);
	if (r == 0 && !type_same(type, *ret_type) && !token->conditional)
		complain(p, token, "'%s' is already defined, differently", key);
	return r;
}

static const struct type *
refer_to_tag(struct parser *p, enum type_kind kind, const char *key)
{
	const struct named_type *known = library_named_type(p->library, key);

	return known ? known->type : add_tag(p, kind, key);
}

/* Parses what follows the word struct and its attributes. */
static int
parse_tagged(struct parser *p, enum type_kind kind,
	     const struct type **ret_type)
{
	const char *word = kind == TYPE_UNION ? "union" : "struct";
	const struct token *token = peek(p);
	struct type *type;
	char *key;

	p->item.is_c = true;
	if (at_mark(p, '{')) {
		type = type_struct(p->arena, kind, NULL);
		*ret_type = type;
		return parse_body(p, type, token);
	}
	if (token->kind != TOKEN_NAME || is_keyword(token->name))
		return expected(p, "a name, '(' or '{'");
	advance(p);
	key = arena_printf(p->arena, "%s %s", word, token->name);
	if (at_mark(p, '{'))
		return define_tag(p, kind, key, token, ret_type);
	*ret_type = refer_to_tag(p, kind, key);
	return 0;
}

int
parse_struct(struct parser *p, struct specifier *ret_spec)
{
	enum type_kind kind = at_word(p, "union") ? TYPE_UNION : TYPE_STRUCT;
	const struct token *token = advance(p);
	bool packed = p->item.packed;
	struct type *type;
	int r;

	p->item.packed = false;
	r = skip_attributes(p);
	if (r == 0 && at_mark(p, '(')) {
		type = type_struct(p->arena, kind, NULL);
		ret_spec->type = type;
		ret_spec->has_lens = true;
		r = parse_body(p, type, token);
	} else if (r == 0) {
		r = parse_tagged(p, kind, &ret_spec->type);
		ret_spec->declares = true;
	}
	p->item.packed = packed;
	return r;
}
