/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarators (C11 6.7.6): the name, and around it the pointers, arrays and
 * functions between the name and the words in front.
 *
 *	declarator := { "*" } ( NAME | "(" declarator ")" | nothing )
 *		      { "[" length "]" | "(" parameters ")" }
 *
 * A declarator is read from the name outwards, but its type is built from the
 * outside in. Therefore the content of a bracket is skipped at first and parsed
 * when the type that it is applied to is known:
 *
 *	void (*signal(int sig, void (*func)(int)))(int)
 *	     2-------------------------------------1---
 *
 * Pointers and arrays are marked as undecided here (decide.c).
 */
#include "conf/parse/parser.h"

#include <errno.h>

struct params {
	vec_of(struct param) list;
	vec_of(enum follow) follow;
	vec_of(const struct token *) tokens;
	bool more;
	bool plus; /* a '+' was read */
};

int
make_pointer(struct parser *p, const struct type *to, struct type **ret_type)
{
	if (to->depth >= TYPE_DEPTH)
		return complain(p, peek(p), "the type is nested too deep");
	*ret_type = type_pointer_of(p->arena, parser_word(p), to);
	return 0;
}

int
make_array(struct parser *p, const struct type *of, const struct expr *length,
	   struct type **ret_type)
{
	if (of->depth >= TYPE_DEPTH)
		return complain(p, peek(p), "the type is nested too deep");
	if (of->kind == TYPE_FUNCTION || of->kind == TYPE_VOID)
		return complain(p, peek(p), "an array of %s is not possible",
				of->kind == TYPE_VOID ? "void" : "functions");
	*ret_type = type_array(p->arena, of, length);
	return 0;
}

/* After "in": true if a type follows, false if "in" is itself a type and a name
 * follows. */
static bool
type_follows(const struct parser *p)
{
	const struct token *next = peek_at(p, 1);
	const struct token *after = peek_at(p, 2);

	if (next->kind != TOKEN_NAME)
		return false;
	return begins_type(p, next) || after->kind == TOKEN_NAME ||
	       token_is(after, '*');
}

enum param_when
parse_direction(struct parser *p, enum follow *ret_follow)
{
	static const struct {
		const char *word;
		enum param_when when;
	} words[] = {
		{ "in", PARAM_AT_ENTRY },
		{ "out", PARAM_AT_RETURN },
		{ "inout", PARAM_AT_BOTH },
	};

	*ret_follow = FOLLOW_ASKED;
	if (accept_mark(p, '+'))
		return PARAM_AT_RETURN;
	for (size_t i = 0; i < array_size(words); i++) {
		if (!at_word(p, words[i].word) || !type_follows(p))
			continue;
		advance(p);
		return words[i].when;
	}
	*ret_follow = FOLLOW_PLAIN;
	return PARAM_AT_ENTRY;
}

enum follow
follow_of(enum follow asked, const struct specifier *spec)
{
	if (asked != FOLLOW_PLAIN)
		return asked;
	return spec->has_lens ? FOLLOW_LENS : FOLLOW_PLAIN;
}

static int
parse_param(struct parser *p, struct params *params)
{
	size_t first_pending = p->pending.count;
	const struct token *token = peek(p);
	struct param param = { 0 };
	struct declarator declarator;
	struct specifier spec;
	enum follow follow;
	int r;

	param.when = parse_direction(p, &follow);
	if (params->plus && follow == FOLLOW_PLAIN)
		param.when = PARAM_BEHIND_PLUS;
	params->plus |= token_is(token, '+');
	r = parse_specifier(p, &spec);
	if (r == 0)
		r = parse_declarator(p, spec.type, &declarator);
	if (r == 0)
		resolve_result_names(p, declarator.type, first_pending);
	if (r == 0)
		r = skip_attributes(p);
	if (r == 0 && accept_word(p, "if"))
		r = parse_expr(p, &param.condition);
	if (r < 0)
		return r;
	param.type = declarator.type;
	if (param.type->kind == TYPE_VOID)
		complain(p, token, "a parameter cannot be void");
	if (declarator.name) {
		param.name = bare_name(declarator.name);
		p->item.is_c = true;
	}
	vec_push(&params->list, param);
	vec_push(&params->follow, follow_of(follow, &spec));
	vec_push(&params->tokens, token);
	return 0;
}

/* Parses the parameters between the brackets. */
static int
parse_list_of_params(struct parser *p, struct params *params)
{
	if (at_mark(p, ')'))
		return 0;
	if (at_word(p, "void") && token_is(peek_at(p, 1), ')')) {
		p->item.is_c = true;
		advance(p);
		return 0;
	}
	do {
		int r;

		if (accept_mark(p, MARK3('.', '.', '.'))) {
			p->item.is_c = params->more = true;
			break;
		}
		r = parse_param(p, params);
		if (r < 0)
			return r;
	} while (accept_mark(p, ','));
	return at_mark(p, ')') ? 0 : expected(p, "',' or ')'");
}

static struct proto_draft *
make_draft(struct parser *p, const struct params *params,
	   const struct type *returns)
{
	struct proto_draft *draft = arena_zalloc(p->arena, sizeof(*draft));
	size_t count = params->list.count;

	draft->params = arena_copy(p->arena, params->list.at,
				   count * sizeof(*params->list.at));
	draft->follow = arena_copy(p->arena, params->follow.at,
				   count * sizeof(*params->follow.at));
	draft->tokens = arena_copy(p->arena, params->tokens.at,
				   count * sizeof(*params->tokens.at));
	draft->proto = (struct proto){ .returns = returns,
				       .params = draft->params,
				       .count = count,
				       .varargs = params->more,
				       .format = -1 };
	vec_push(&p->drafts, draft);
	return draft;
}

static void
resolve_param_names(struct parser *p, const struct proto_draft *draft,
		    size_t first_pending)
{
	size_t count = draft->proto.count;
	const char **names = arena_alloc(p->arena, count * sizeof(*names));
	bool more = draft->proto.varargs;

	for (size_t i = 0; i < count; i++) {
		const struct lens *lens = draft->params[i].type->lens;

		names[i] = draft->params[i].name;
		more |= lens_describes(lens);
	}
	resolve_names(p, first_pending, EXPR_ARG, names, count, more);
}

void
resolve_result_names(struct parser *p, const struct type *type,
		     size_t first_pending)
{
	while (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY)
		type = type->to;
	if (type->kind == TYPE_FUNCTION)
		resolve_param_names(p,
				    container_of(type->proto,
						 struct proto_draft, proto),
				    first_pending);
}

void
resolve_declared_names(struct parser *p, const struct declarator *declarator,
		       size_t first_pending, bool is_first)
{
	const struct type *type = declarator->type;
	bool is_alone = is_first && !at_mark(p, ',');

	while (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY)
		type = type->to;
	/* "string[n] f(int n), g(int m)": both would share the length. */
	if (type->kind == TYPE_FUNCTION && p->pending.count > first_pending &&
	    !is_alone)
		complain(p, declarator->token,
			 "with a length in the result, declare it alone");
	resolve_result_names(p, type, first_pending);
}

static int
parse_params(struct parser *p, const struct type *returns,
	     const struct type **ret_type)
{
	bool shown = p->item.shows_params, in_callback = p->in_callback;
	size_t first_pending = p->pending.count;
	struct params params = { 0 };
	struct proto_draft *draft;
	struct type *type;
	int r;

	if (returns->kind == TYPE_FUNCTION)
		return complain(p, peek(p),
				"a function cannot return a "
				"function, but a pointer to one");
	advance(p);
	p->item.shows_params = false;
	p->in_callback |= !shown;
	r = parse_list_of_params(p, &params);
	p->item.shows_params = shown;
	p->in_callback = in_callback;
	if (r == 0)
		r = expect_mark(p, ')');
	if (r == 0) {
		draft = make_draft(p, &params, returns);
		resolve_param_names(p, draft, first_pending);
		type = arena_zalloc(p->arena, sizeof(*type));
		type->kind = TYPE_FUNCTION;
		type->proto = &draft->proto;
		*ret_type = type;
	}
	vec_release(&params.list);
	vec_release(&params.follow);
	vec_release(&params.tokens);
	return r;
}

static int parse_suffixes(struct parser *p, const struct type *base,
			  const struct type **ret_type);

/* Parses [LENGTH], and what else C allows there (C11 6.7.6.2). */
static int
parse_dimension(struct parser *p, const struct type *base,
		const struct type **ret_type)
{
	const struct expr *length = NULL;
	struct type *array;
	int r;

	advance(p);
	p->item.is_c = true;
	r = skip_attributes(p);
	while (r == 0 && accept_word(p, "const"))
		r = skip_attributes(p);
	if (r == 0 && !at_mark(p, ']') &&
	    !(token_is(peek_at(p, 1), ']') && accept_mark(p, '*')))
		r = parse_length(p, &length);
	if (r == 0)
		r = expect_mark(p, ']');
	if (r == 0)
		r = parse_suffixes(p, base, &base);
	if (r == 0)
		r = make_array(p, base, length, &array);
	if (r < 0)
		return r;
	array->lens = &undecided;
	*ret_type = array;
	return 0;
}

/* True at OF((...)) in deflate OF((z_streamp strm, int flush)), a macro for
 * compilers before C89. */
static bool
at_wrapped_params(const struct parser *p)
{
	return looks_like_macro(peek(p)) && token_is(peek_at(p, 1), '(') &&
	       token_is(peek_at(p, 2), '(');
}

static int
parse_wrapped_params(struct parser *p, const struct type *base,
		     const struct type **ret_type)
{
	int r;

	advance(p);
	advance(p);
	r = parse_suffixes(p, base, ret_type);
	return r < 0 ? r : expect_mark(p, ')');
}

static int
parse_suffixes(struct parser *p, const struct type *base,
	       const struct type **ret_type)
{
	int r;

	if (at_wrapped_params(p))
		return parse_wrapped_params(p, base, ret_type);
	if (at_mark(p, '[') && token_is(peek_at(p, 1), '[')) {
		r = skip_attributes(p); /* name [[maybe_unused]] */
		if (r < 0)
			return r;
	}
	if (!at_mark(p, '[') && !at_mark(p, '(')) {
		*ret_type = base;
		return 0;
	}
	r = enter(p);
	if (r < 0)
		return r;
	if (at_mark(p, '['))
		r = parse_dimension(p, base, ret_type);
	else
		r = parse_params(p, base, ret_type);
	leave(p);
	return r;
}

static int
parse_pointers(struct parser *p, const struct type **type)
{
	for (;;) {
		struct type *pointer = NULL;
		int r = skip_attributes(p);

		if (r < 0)
			return r;
		if (accept_word(p, "const")) {
			p->item.is_c = true;
			continue;
		}
		if (at_trailing_macro(p)) {
			advance(p);
			continue;
		}
		if (!accept_mark(p, '*'))
			return 0;
		r = make_pointer(p, *type, &pointer);
		if (r < 0)
			return r;
		pointer->lens = &undecided;
		*type = pointer;
	}
}

/* True if this bracket groups a declarator, false if it holds parameters. */
static bool
at_group(const struct parser *p)
{
	const struct token *next = peek_at(p, 1);

	if (!at_mark(p, '('))
		return false;
	if (token_is(next, '*') || token_is(next, '('))
		return true;
	return next->kind == TOKEN_NAME && !begins_type(p, next);
}

static int
parse_group(struct parser *p, const struct type *base,
	    struct declarator *ret_declarator)
{
	size_t start = p->at, end;
	const struct type *type;
	int r = enter(p);

	if (r < 0)
		return r;
	p->item.is_c = true;
	r = skip_brackets(p);
	if (r == 0)
		r = parse_suffixes(p, base, &type);
	end = p->at;
	p->at = start + 1;
	if (r == 0)
		r = parse_declarator(p, type, ret_declarator);
	if (r == 0)
		r = expect_mark(p, ')');
	if (r == 0)
		p->at = end;
	leave(p);
	return r;
}

/* In "unknown *a, b", a may have an unknown type, but b may not. */
static bool
is_unknown(const struct parser *p, const struct type *type)
{
	return type->body && type->name && !type_complete(type) &&
	       !library_type(p->library, type->name);
}

int
parse_declarator(struct parser *p, const struct type *base,
		 struct declarator *ret_declarator)
{
	const struct token *token = peek(p);
	int r = parse_pointers(p, &base);

	if (r < 0)
		return r;
	if (is_unknown(p, base))
		complain(p, token, "unknown type '%s'", base->name);
	if (at_group(p))
		return parse_group(p, base, ret_declarator);
	token = peek(p);
	*ret_declarator = (struct declarator){ .token = token };
	if (token->kind == TOKEN_NAME && !is_keyword(token->name))
		ret_declarator->name = advance(p)->name;
	return parse_suffixes(p, base, &ret_declarator->type);
}
