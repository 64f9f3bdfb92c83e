/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The items of a prototype file; their grammar is in parser.c. The names of an
 * item are added to the library after all of it was parsed without a mistake,
 * and before the next item is parsed.
 */
#include "conf/parse/parser.h"

#include <errno.h>
#include <string.h>

/* Expects ';', or the end of the line instead. */
static int
expect_end(struct parser *p)
{
	if (accept_mark(p, ';')) {
		skip_note(p);
		return 0;
	}
	if (peek(p)->first_on_line || peek(p)->kind == TOKEN_END)
		return 0;
	return expected(p, "';'");
}

/* Names in expressions that are no parameters and no fields must be
 * constants. */
static void
finish_names(struct parser *p)
{
	resolve_constants(p, 0);
	complain_about_names(p, 0);
}

static int
parse_import(struct parser *p)
{
	const struct library *library;
	const struct token *token;
	struct err err;
	int r;

	advance(p);
	token = peek(p);
	if (token->kind != TOKEN_TEXT)
		return expected(p, "\"a file\"");
	advance(p);
	if (!p->importer)
		return complain(p, token, "a file cannot be imported here");
	r = p->importer->import(p->importer, token->name, p->file, &library,
				&err);
	if (r < 0)
		complain(p, token, "%s", err.text);
	else
		vec_push(&p->library->imports, library);
	return expect_end(p);
}

/* If a type is defined twice, the first definition counts, because other types
 * may use it already. Two definitions may differ within #if, where one may be
 * for another system. A struct that is declared and later defined is one type.
 */
static void
add_named_type(struct parser *p, const struct token *token,
	       struct named_type *named)
{
	const struct named_type *known =
		strmap_get(&p->library->types, named->name);

	if (known && known->type != named->type && !named->is_c &&
	    p->complaints->repeated)
		complain(p, token, "'%s' is already defined", named->name);
	else if (known && !type_same(known->type, named->type) &&
		 !token->conditional)
		complain(p, token, "'%s' is already defined, differently",
			 named->name);
	else if (!known && !p->item.bad)
		library_add_type(p->library, named);
}

/* True at "typedef NAME = struct;", a struct that is defined later. */
static bool
at_forward_struct(const struct parser *p)
{
	const struct token *next = peek_at(p, 1);

	return (at_word(p, "struct") || at_word(p, "union")) &&
	       (token_is(next, ';') || next->first_on_line);
}

/* Completes the struct that NAME was declared as. NULL: it was not declared. */
static const struct type *
fill_forward(struct parser *p, const char *name, const struct type *type)
{
	const struct named_type *known = strmap_get(&p->library->types, name);

	if (!known || !known->defines || !type->body || type->name ||
	    known->type->kind != type->kind || type_complete(known->type))
		return NULL;
	*(struct type_body *)known->type->body = *type->body;
	((struct type *)known->type)->depth = type->depth;
	library_defined_type(p->library, name);
	return known->type;
}

static const struct type_body *
opaque_file(void)
{
	return type_builtin("FILE")->body;
}

static void
add_typedef(struct parser *p, const struct token *token, const char *name,
	    const struct type_field *field, struct named_type *named)
{
	struct type *copy;

	finish_names(p);
	named->name = name;
	named->defines =
		field->type->body && !field->type->name && !field->type->lens;
	named->type = fill_forward(p, name, field->type);
	if (!named->type) {
		copy = type_copy(p->arena, field->type);
		/* A typedef of FILE or DIR keeps this name in the type, because
		 * nothing else is known of these opaque structs. */
		if (!copy->body || copy->body != opaque_file())
			copy->name = name;
		named->type = copy;
	}
	add_named_type(p, token, named);
}

/* Parses "struct;": a type without a name that is defined later. */
static int
parse_forward_struct(struct parser *p, struct type_field *field)
{
	enum type_kind kind = at_word(p, "union") ? TYPE_UNION : TYPE_STRUCT;

	advance(p);
	field->type = type_struct(p->arena, kind, NULL);
	return 0;
}

static int
parse_ltrace_typedef(struct parser *p)
{
	const struct token *token = advance(p);
	struct type_field field = { 0 };
	struct specifier spec = { 0 };
	struct named_type named = { 0 };
	int r;

	advance(p); /* the '=' */
	/* A type may be called typedef, as in ltrace. */
	if (is_keyword(token->name) && !same_word(token->name, "typedef"))
		return complain(p, token, "'%s' cannot be redefined",
				token->name);
	if (at_forward_struct(p)) {
		r = parse_forward_struct(p, &field);
	} else {
		r = parse_specifier(p, &spec);
		if (r == 0)
			r = parse_field(p, &spec, false, FOLLOW_PLAIN, &field);
	}
	if (r < 0)
		return r;
	named.has_lens = spec.has_lens || field.type->kind == TYPE_POINTER;
	add_typedef(p, token, token->name, &field, &named);
	return expect_end(p);
}

/* For a union that is passed as its first member (GCC manual, "Common Type
 * Attributes", transparent_union): the member's type. */
static const struct type *
first_member(const struct type *type)
{
	if (type->kind != TYPE_UNION || type->body->count == 0)
		return type;
	return type->body->fields[0].type;
}

static int
parse_c_typedef(struct parser *p)
{
	struct specifier spec;
	bool is_first = true;
	int r = parse_specifier(p, &spec);

	if (r < 0)
		return r;
	do {
		const struct token *token = peek(p);
		struct type_field field;
		struct named_type named = { .is_c = true,
					    .has_lens = spec.has_lens };

		r = parse_field(p, &spec, true, FOLLOW_PLAIN, &field);
		if (r == 0)
			r = skip_attributes(p);
		if (r < 0)
			return r;
		if (!field.name)
			return expected(p, "a name");
		if (p->item.transparent)
			field.type = first_member(field.type);
		resolve_declared_names(p,
				       &(struct declarator){ field.type, NULL,
							     token },
				       0, is_first);
		is_first = false;
		add_typedef(p, token, field.name, &field, &named);
	} while (accept_mark(p, ','));
	return expect_end(p);
}

static int
parse_typedef(struct parser *p)
{
	/* ltrace accepts "typedef" more than once. */
	do
		advance(p);
	while (at_word(p, "typedef") && !token_is(peek_at(p, 1), '='));
	if (peek(p)->kind == TOKEN_NAME && token_is(peek_at(p, 1), '='))
		return parse_ltrace_typedef(p);
	return parse_c_typedef(p);
}

/* Parses alias NAME = NAME: two names for one prototype. */
static int
parse_alias(struct parser *p)
{
	const struct token *name, *of;
	const struct proto *known;
	struct proto proto;

	advance(p);
	name = advance(p);
	advance(p); /* the '=' */
	if (peek(p)->kind != TOKEN_NAME)
		return expected(p, "the name of a function");
	of = advance(p);
	known = library_proto(p->library, of->name);
	if (is_keyword(name->name) || is_attribute(name))
		return complain(p, name, "'%s' cannot be a function",
				name->name);
	if (!known)
		return complain(p, of, "'%s' has no prototype", of->name);
	proto = *known;
	proto.name = name->name;
	proto.file = p->file;
	proto.line = name->line;
	proto.column = name->column;
	library_add_proto(p->library, &proto);
	return expect_end(p);
}

/* Copies a draft. The original belongs to a typedef, perhaps of another file,
 * and must not change. */
static struct proto_draft *
copy_draft(struct parser *p, const struct proto_draft *draft)
{
	struct proto_draft *copy = arena_copy(p->arena, draft, sizeof(*draft));

	copy->params = arena_copy(p->arena, draft->params,
				  draft->proto.count * sizeof(*draft->params));
	copy->proto.params = copy->params;
	return copy;
}

/* Adds the prototype that a declarator declares. */
static void
add_function(struct parser *p, const struct declarator *declarator,
	     enum follow follow, bool is_first)
{
	struct proto_draft *draft = container_of(declarator->type->proto,
						 struct proto_draft, proto);
	bool by_typedef = draft->decided;

	if (by_typedef)
		draft = copy_draft(p, draft);
	draft->proto.name = declarator->name;
	draft->proto.file = p->file;
	draft->proto.line = declarator->token->line;
	draft->proto.column = declarator->token->column;
	draft->follow_return = follow;
	resolve_declared_names(p, declarator, 0, is_first);
	decide_proto(p, draft, p->item.is_c);
	check_function(p, draft, by_typedef ? declarator->token : NULL);
	decide_drafts(p);
	finish_names(p);
	if (!p->item.bad)
		library_add_proto(p->library, &draft->proto);
}

/* Skips the value in static const char digits[] = "0123"; */
static int
skip_initializer(struct parser *p)
{
	int r = 0;

	while (r == 0 && !at_mark(p, ';') && !at_mark(p, ',') &&
	       peek(p)->kind != TOKEN_END) {
		if (at_mark(p, '(') || at_mark(p, '{') || at_mark(p, '['))
			r = skip_brackets(p);
		else
			advance(p);
	}
	return r;
}

/* Checks a declarator that is no function: a variable, or a mistake. */
static int
check_variable(struct parser *p, const struct specifier *spec,
	       const struct declarator *declarator)
{
	if (!declarator->name)
		return expected(p, "the name of a function");
	if (spec->is_extern)
		return 0;
	if (peek(p)->kind == TOKEN_NAME)
		return expected(p, "'('");
	if (p->item.is_c && at_mark(p, '='))
		return skip_initializer(p);
	return complain(p, declarator->token, "'%s' is not a function",
			declarator->name);
}

static int
parse_declarators(struct parser *p, const struct specifier *spec,
		  enum follow follow)
{
	bool is_first = true;
	bool body;
	int r;

	do {
		struct declarator declarator;

		r = parse_declarator(p, spec->type, &declarator);
		if (r < 0)
			return r;
		if (declarator.type->kind != TYPE_FUNCTION || !declarator.name)
			r = check_variable(p, spec, &declarator);
		if (r == 0)
			r = skip_trailer(p, &body);
		if (r < 0)
			return r;
		if (declarator.type->kind == TYPE_FUNCTION && declarator.name)
			add_function(p, &declarator, follow, is_first);
		is_first = false;
	} while (!body && accept_mark(p, ','));
	return body ? 0 : expect_end(p);
}

/* True if "static struct point" is on a line and "middle(void)" on the next. */
static bool
at_function(const struct parser *p)
{
	return peek(p)->kind == TOKEN_NAME && token_is(peek_at(p, 1), '(');
}

/* Parses _Static_assert(sizeof(int) == 4, "..."); */
static int
parse_assertion(struct parser *p)
{
	int r;

	advance(p);
	r = at_mark(p, '(') ? skip_brackets(p) : expected(p, "'('");
	return r < 0 ? r : expect_end(p);
}

static int
parse_declaration(struct parser *p)
{
	struct specifier spec;
	enum follow follow;
	int r;

	if (at_word(p, "function") && peek_at(p, 1)->kind == TOKEN_NAME)
		advance(p);
	parse_direction(p, &follow);
	p->item.shows_params = true;
	r = parse_specifier(p, &spec);
	if (r < 0)
		return r;
	if (spec.declares && !at_mark(p, '*') &&
	    (at_mark(p, ';') || (ends_item(p) && !at_function(p)))) {
		finish_names(p);
		return expect_end(p);
	}
	return parse_declarators(p, &spec, follow_of(follow, &spec));
}

/* Skips extern "C" {, or the brace that closes it. */
static bool
skip_extern_c(struct parser *p)
{
	if (at_word(p, "extern") && peek_at(p, 1)->kind == TOKEN_TEXT) {
		advance(p);
		advance(p);
		if (!accept_mark(p, '{'))
			return false;
		p->extern_c++;
		return true;
	}
	if (p->extern_c == 0 || !accept_mark(p, '}'))
		return false;
	p->extern_c--;
	return true;
}

/* Skips a macro alone on its line, as __BEGIN_DECLS. */
static bool
skip_lone_macro(struct parser *p)
{
	const struct token *next = peek_at(p, 1);

	if (!looks_like_macro(peek(p)) ||
	    !(next->first_on_line || token_is(next, ';')) ||
	    (next->kind == TOKEN_MARK && !token_is(next, ';')))
		return false;
	advance(p);
	return true;
}

int
parse_item(struct parser *p)
{
	const struct token *next;

	if (accept_mark(p, ';') || skip_extern_c(p) || skip_lone_macro(p))
		return 0;
	next = peek_at(p, 1);
	if (at_word(p, "import") &&
	    (next->kind == TOKEN_TEXT || next->kind == TOKEN_NAME))
		return parse_import(p);
	if (at_word(p, "set") && next->kind == TOKEN_TEXT)
		return parse_set(p);
	if (((at_word(p, "wire") || at_word(p, "connects")) &&
	     token_is(next, ';')) ||
	    (at_word(p, "wire") && p->library->about &&
	     next->kind == TOKEN_NAME))
		return parse_set_word(p);
	if (at_word(p, "probe") && next->kind == TOKEN_NAME &&
	    (token_is(peek_at(p, 2), '{') || token_is(peek_at(p, 2), ',') ||
	     token_is_word(peek_at(p, 2), "in") ||
	     token_is_word(peek_at(p, 2), "for") ||
	     token_is_word(peek_at(p, 2), "at")))
		return parse_probe(p);
	if (is_attribute(peek(p))) {
		int r = skip_attributes(p);

		if (r < 0)
			return r;
	}
	if (at_word(p, "_Static_assert") || at_word(p, "static_assert"))
		return parse_assertion(p);
	if (at_word(p, "typedef"))
		return parse_typedef(p);
	if (at_word(p, "alias") && next->kind == TOKEN_NAME &&
	    token_is(peek_at(p, 2), '='))
		return parse_alias(p);
	return parse_declaration(p);
}
