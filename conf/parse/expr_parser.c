/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions, by precedence climbing, with C's precedences (C11 6.5); ~ and !~
 * have the precedence of ==, and ?: the lowest.
 *
 * A name may be the name of a later parameter,
 *
 *	ssize_t write(int fd, string[n] buf, size_t n);
 *
 * so it is an EXPR_NAME at first and added to the pending names. When the
 * parameters (or the fields of a struct) are complete, resolve_names() changes
 * the names that it knows to ARG (or ELEMENT). The other names belong to an
 * enclosing struct or function, or are constants. A name that is unknown at the
 * end of the item is an error. In --if all names stay EXPR_NAME, because the
 * user of the expression knows them. So does "n" in "arg.n", which a typedef
 * may use for a parameter of the functions that use the type.
 */
#include "conf/parse/parser.h"

#include "base/pattern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MOST 99

struct operator
{
	int mark;
	enum expr_kind kind;
	int binds;
};

static const struct operator operators[] = {
	{ '*', EXPR_MULTIPLY, 10 },
	{ '/', EXPR_DIVIDE, 10 },
	{ '%', EXPR_REMAINDER, 10 },
	{ '+', EXPR_ADD, 9 },
	{ '-', EXPR_SUBTRACT, 9 },
	{ MARK2('<', '<'), EXPR_SHIFT_LEFT, 8 },
	{ MARK2('>', '>'), EXPR_SHIFT_RIGHT, 8 },
	{ '<', EXPR_LESS, 7 },
	{ MARK2('<', '='), EXPR_LESS_EQUAL, 7 },
	{ '>', EXPR_GREATER, 7 },
	{ MARK2('>', '='), EXPR_GREATER_EQUAL, 7 },
	{ MARK2('=', '='), EXPR_EQUAL, 6 },
	{ MARK2('!', '='), EXPR_UNEQUAL, 6 },
	{ '~', EXPR_MATCH, 6 },
	{ MARK2('!', '~'), EXPR_MISMATCH, 6 },
	{ '&', EXPR_BIT_AND, 5 },
	{ '^', EXPR_BIT_XOR, 4 },
	{ '|', EXPR_BIT_OR, 3 },
	{ MARK2('&', '&'), EXPR_AND, 2 },
	{ MARK2('|', '|'), EXPR_OR, 1 },
};

static struct expr *
new_expr(struct parser *p, enum expr_kind kind)
{
	struct expr *expr = arena_zalloc(p->arena, sizeof(*expr));

	expr->kind = kind;
	return expr;
}

/*
 * Makes an expression of one or two operands. The depth is limited, because
 * walks over expressions recurse.
 */
static int
join(struct parser *p, enum expr_kind kind, const struct expr *left,
     const struct expr *right, const struct expr **ret_expr)
{
	struct expr *expr = new_expr(p, kind);
	unsigned depth = left->depth;

	if (right && right->depth > depth)
		depth = right->depth;
	if (depth >= PARSER_DEPTH)
		return complain(p, peek(p), "the expression is too long");
	expr->depth = (unsigned char)(depth + 1);
	expr->left = left;
	expr->right = right;
	*ret_expr = expr;
	return 0;
}

/* The number after prefix, as in "arg3", or -1 if the word has another form. */
static int
numbered(const char *word, const char *prefix)
{
	size_t length = strlen(prefix);
	const char *digits = word + length;

	if (strncmp(word, prefix, length) != 0 || !digits[0] ||
	    strspn(digits, "0123456789") != strlen(digits))
		return -1;
	return strlen(digits) > 4 ? ARGUMENTS_MOST + 1 : atoi(digits);
}

static int
parse_numbered(struct parser *p, const struct token *token, enum expr_kind kind,
	       int number, const struct expr **ret_expr)
{
	struct expr *expr = new_expr(p, kind);

	if (number > ARGUMENTS_MOST || (kind == EXPR_ELEMENT && number == 0))
		return complain(p, token, "'%s' is out of range", token->name);
	if (kind == EXPR_ARG && number == 0)
		expr->kind = EXPR_RETVAL;
	else
		add_pending(p, expr, token);
	expr->number = number;
	*ret_expr = expr;
	return 0;
}

/* Parses arg.NAME. */
static const struct expr *
parse_argument_name(struct parser *p)
{
	struct expr *expr = new_expr(p, EXPR_NAME);

	advance(p);
	advance(p);
	expr->name = advance(p)->name;
	return expr;
}

/* In --if, nil and NULL are the null pointer. */
static bool
is_nil(const struct expr *expr)
{
	return expr->kind == EXPR_NUMBER && expr->name &&
	       (!strcmp(expr->name, "nil") || !strcmp(expr->name, "NULL"));
}

static int
parse_name(struct parser *p, const struct expr **ret_expr)
{
	const struct token *token = advance(p);
	int number = numbered(token->name, "arg");
	struct expr *expr = new_expr(p, EXPR_NUMBER);

	if (number >= 0)
		return parse_numbered(p, token, EXPR_ARG, number, ret_expr);
	number = numbered(token->name, "elt");
	if (number >= 0 && p->library)
		return parse_numbered(p, token, EXPR_ELEMENT, number, ret_expr);
	expr->name = token->name;
	*ret_expr = expr;
	if (!p->library && is_nil(expr))
		return 0;
	expr->kind = EXPR_NAME;
	if (!strcmp(token->name, "retval"))
		expr->kind = EXPR_RETVAL;
	else
		add_pending(p, expr, token);
	return 0;
}

static int
parse_sizeof(struct parser *p, const struct expr **ret_expr)
{
	const struct token *token = advance(p);
	struct type_field field;
	struct expr *expr;
	int r = expect_mark(p, '(');

	if (r < 0)
		return r;
	expr = new_expr(p, EXPR_NUMBER);
	if (peek(p)->kind == TOKEN_TEXT) {
		expr->number = (int64_t)strlen(advance(p)->name) + 1;
	} else {
		r = parse_inner_type(p, &field);
		if (r < 0)
			return r;
		if (!type_complete(field.type))
			return complain(p, token, "the size is not known");
		expr->number = (int64_t)type_size(field.type);
	}
	r = expect_mark(p, ')');
	if (r < 0)
		return r;
	*ret_expr = expr;
	return 0;
}

/* True if an operand, or a sign before one, begins with this token. */
static bool
begins_operand(const struct token *token)
{
	return token->kind != TOKEN_MARK || token_is(token, '(') ||
	       token_is(token, '-') || token_is(token, '~') ||
	       token_is(token, '!');
}

/*
 * True at "(int)" or "(const unsigned char *)" before an operand. "(file) + 1"
 * is no cast, because a parameter may have that name. A type of the file is not
 * recognized here for the same reason.
 */
static bool
at_cast(const struct parser *p)
{
	const struct token *token = peek_at(p, 1);

	if (!p->library || !at_mark(p, '(') || token->kind != TOKEN_NAME ||
	    (!is_keyword(token->name) &&
	     !type_builtin_of(parser_word(p), token->name)))
		return false;
	while (token->kind == TOKEN_NAME || token_is(token, '*'))
		token++;
	return token_is(token, ')') && token[1].kind != TOKEN_END &&
	       begins_operand(token + 1);
}

static int parse_binary(struct parser *p, int binds,
			const struct expr **ret_expr);

static int
parse_group(struct parser *p, const struct expr **ret_expr)
{
	bool slash_ends = p->slash_ends;
	int r = enter(p);

	if (r < 0)
		return r;
	advance(p);
	p->slash_ends = false;
	r = parse_expr(p, ret_expr);
	p->slash_ends = slash_ends;
	leave(p);
	return r < 0 ? r : expect_mark(p, ')');
}

static int
parse_literal(struct parser *p, const struct expr **ret_expr)
{
	const struct token *token = advance(p);
	struct expr *expr = new_expr(p, EXPR_NUMBER);

	if (token->kind == TOKEN_REAL)
		expr->kind = EXPR_REAL;
	if (token->kind == TOKEN_TEXT)
		expr->kind = EXPR_TEXT;
	expr->number = token->number;
	expr->is_unsigned = token->is_unsigned;
	expr->has_unit = token->has_unit;
	expr->real = token->real;
	expr->name = token->name;
	*ret_expr = expr;
	return 0;
}

/* Parses FUNCTION(EXPR) or FUNCTION(EXPR, EXPR), only in probes. */
static int
parse_call(struct parser *p, const struct expr **ret_expr)
{
	const struct token *token = advance(p);
	const struct expr *left, *right = NULL;
	int r = enter(p);

	if (r < 0)
		return r;
	advance(p); /* the '(' */
	if (!library_proto(p->library, token->name))
		return complain(p, token, "'%s' has no prototype", token->name);
	r = parse_expr(p, &left);
	if (r == 0 && accept_mark(p, ','))
		r = parse_expr(p, &right);
	leave(p);
	if (r == 0)
		r = expect_mark(p, ')');
	if (r == 0)
		r = join(p, EXPR_CALL, left, right, ret_expr);
	if (r == 0)
		((struct expr *)*ret_expr)->name = token->name;
	return r;
}

/* Parses before(FIELD). */
static int
parse_before(struct parser *p, const struct expr **ret_expr)
{
	const struct expr *field;
	int r;

	advance(p);
	advance(p); /* the '(' */
	if (peek(p)->kind != TOKEN_NAME)
		return expected(p, "the name of a field");
	r = parse_name(p, &field);
	if (r == 0)
		r = expect_mark(p, ')');
	return r < 0 ? r : join(p, EXPR_BEFORE, field, NULL, ret_expr);
}

static int
parse_primary(struct parser *p, const struct expr **ret_expr)
{
	const struct token *token = peek(p);

	switch (token->kind) {
	case TOKEN_NUMBER:
	case TOKEN_REAL:
	case TOKEN_TEXT:
		return parse_literal(p, ret_expr);
	case TOKEN_NAME:
		if (p->library && at_word(p, "sizeof"))
			return parse_sizeof(p, ret_expr);
		if (p->library && at_word(p, "arg") &&
		    token_is(peek_at(p, 1), '.') &&
		    peek_at(p, 2)->kind == TOKEN_NAME) {
			*ret_expr = parse_argument_name(p);
			return 0;
		}
		if (p->library && !p->in_probe && at_word(p, "before") &&
		    token_is(peek_at(p, 1), '('))
			return parse_before(p, ret_expr);
		if (p->in_probe && token_is(peek_at(p, 1), '('))
			return parse_call(p, ret_expr);
		return parse_name(p, ret_expr);
	default:
		if (at_mark(p, '('))
			return parse_group(p, ret_expr);
		return expected(p, "a number or a name");
	}
}

/* True at arg.lengths[]. */
static bool
at_beside(const struct parser *p)
{
	return p->library && at_mark(p, '[') && token_is(peek_at(p, 1), ']');
}

/* Parses arg1->length, name.part. */
static int
parse_postfix(struct parser *p, const struct expr **ret_expr)
{
	const struct expr *expr;
	int r = parse_primary(p, &expr);

	while (r == 0) {
		struct expr *field;

		if (at_beside(p)) {
			advance(p);
			advance(p);
			r = join(p, EXPR_BESIDE, expr, NULL, &expr);
			continue;
		}
		if (!accept_mark(p, '.') && !accept_mark(p, MARK2('-', '>')))
			break;
		if (peek(p)->kind != TOKEN_NAME)
			return expected(p, "the name of a field");
		r = join(p, EXPR_FIELD, expr, NULL, &expr);
		if (r < 0)
			return r;
		field = (struct expr *)expr;
		field->name = advance(p)->name;
	}
	if (r == 0)
		*ret_expr = expr;
	return r;
}

static int
parse_unary(struct parser *p, const struct expr **ret_expr)
{
	static const struct operator unary[] = {
		{ '!', EXPR_NOT, 0 },
		{ '-', EXPR_NEGATE, 0 },
		{ '~', EXPR_COMPLEMENT, 0 },
	};
	const struct expr *operand;
	int r;

	for (size_t i = 0; i < array_size(unary); i++) {
		if (!at_mark(p, unary[i].mark))
			continue;
		r = enter(p);
		if (r < 0)
			return r;
		advance(p);
		r = parse_unary(p, &operand);
		leave(p);
		if (r < 0)
			return r;
		return join(p, unary[i].kind, operand, NULL, ret_expr);
	}
	/* A cast is ignored, because it would not change the constants that
	 * prototype files contain. */
	r = at_cast(p) ? skip_brackets(p) : 0;
	return r < 0 ? r : parse_postfix(p, ret_expr);
}

static const struct operator* find_operator(const struct parser *p)
{
	if (peek(p)->kind != TOKEN_MARK || (p->slash_ends && at_mark(p, '/')))
		return NULL;
	for (size_t i = 0; i < array_size(operators); i++) {
		if (at_mark(p, operators[i].mark))
			return &operators[i];
	}
	return NULL;
}

/* Parses the right side of ~: /expression/ or "expression". */
static int
parse_regex(struct parser *p, const struct expr **ret_expr)
{
	const struct token *token = peek(p);
	struct expr *expr = new_expr(p, EXPR_REGEX);
	struct err err;

	if (token->kind != TOKEN_REGEX && token->kind != TOKEN_TEXT)
		return expected(p, "/a regular expression/");
	if (!p->patterns)
		return complain(p, token,
				"text is matched in --if and in probes only");
	if (pattern_regex(token->name, &expr->pattern, &err) < 0)
		return complain(p, token, "%s", err.text);
	vec_push(&p->patterns->list, expr->pattern);
	expr->name = token->name;
	advance(p);
	*ret_expr = expr;
	return 0;
}

/* Refuses "duration > 10": without a unit it would mean ten nanoseconds, which
 * no user wants. */
static int
check_unit(struct parser *p, const struct token *token,
	   const struct operator* operator, const struct expr * left,
	   const struct expr *right)
{
	if (operator->kind<EXPR_LESS || operator->kind> EXPR_UNEQUAL)
		return 0;
	if (left->kind != EXPR_NAME || strcmp(left->name, "duration") != 0)
		return 0;
	if (right->kind != EXPR_REAL && (right->kind != EXPR_NUMBER ||
					 right->has_unit || right->number == 0))
		return 0;
	return complain(p, token, "a duration needs a unit, as in 10ms");
}

/* In "retval == nil", the address of a pointer is compared, not the number to
 * which it may point. */
static void
compare_addresses(const struct operator* operator, const struct expr * left,
		  const struct expr *right)
{
	if (operator->kind != EXPR_EQUAL && operator->kind != EXPR_UNEQUAL)
		return;
	if (is_nil(right))
		((struct expr *)left)->as_address = true;
	if (is_nil(left))
		((struct expr *)right)->as_address = true;
}

static int
parse_binary(struct parser *p, int binds, const struct expr **ret_expr)
{
	const struct expr *left, *right;
	const struct operator* operator;
	int r = parse_unary(p, &left);

	while (r == 0 &&
	       (operator= find_operator(p)) && operator->binds> binds) {
		const struct token *token = advance(p) + 1;

		if (operator->kind == EXPR_MATCH || operator->kind ==
		    EXPR_MISMATCH)
			r = parse_regex(p, &right);
		else
			r = parse_binary(p, operator->binds, &right);
		if (r == 0)
			r = check_unit(p, token, operator, left, right);
		if (r < 0)
			break;
		compare_addresses(operator, left, right);
		r = join(p, operator->kind, left, right, &left);
	}
	if (r == 0)
		*ret_expr = left;
	return r;
}

/* Parses the two results of a ?: behind its condition and the '?'. */
static int
parse_choice(struct parser *p, const struct expr *condition,
	     const struct expr **ret_expr)
{
	const struct expr *yes, *no, *either;
	int r = enter(p);

	if (r < 0)
		return r;
	r = parse_expr(p, &yes);
	if (r == 0)
		r = expect_mark(p, ':');
	if (r == 0)
		r = parse_expr(p, &no);
	leave(p);
	if (r == 0)
		r = join(p, EXPR_EITHER, yes, no, &either);
	if (r == 0)
		r = join(p, EXPR_CHOOSE, condition, either, ret_expr);
	return r;
}

int
parse_expr(struct parser *p, const struct expr **ret_expr)
{
	const struct expr *expr;
	int r = parse_binary(p, 0, &expr);

	if (r == 0 && accept_mark(p, '?'))
		return parse_choice(p, expr, ret_expr);
	if (r == 0)
		*ret_expr = expr;
	return r;
}

int
parse_length(struct parser *p, const struct expr **ret_expr)
{
	struct expr *zero;
	int r = 0;

	if (!at_word(p, "zero"))
		return parse_expr(p, ret_expr);
	advance(p);
	zero = new_expr(p, EXPR_ZERO);
	if (at_mark(p, '(')) {
		r = parse_group(p, &zero->left);
		if (r < 0)
			return r;
		zero->depth = (unsigned char)(zero->left->depth + 1);
	}
	*ret_expr = zero;
	return 0;
}

int
parse_constant(struct parser *p, int64_t *ret_value)
{
	const struct token *token = peek(p);
	size_t first = p->pending.count;
	const struct expr *expr;
	int r = parse_expr(p, &expr);

	if (r < 0)
		return r;
	resolve_constants(p, first);
	if (p->pending.count > first) {
		complain_about_names(p, first);
		*ret_value = 0;
		return 0;
	}
	if (!expr_constant(expr, ret_value))
		return complain(p, token, "this has no value");
	return 0;
}
