/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names in expressions and their meanings; expr_parser.c explains the
 * steps. Each function reads the list of pending names from a place on, and
 * removes the names that it resolves.
 */
#include "conf/parse/parser.h"

#include <ctype.h>
#include <string.h>

void
add_pending(struct parser *p, struct expr *expr, const struct token *token)
{
	struct pending pending = { expr, token };

	if (p->library)
		vec_push(&p->pending, pending);
}

const char *
bare_name(const char *name)
{
	const char *bare = name + strspn(name, "_");

	if (!isalpha((unsigned char)*bare) || is_keyword(bare))
		return name;
	return bare;
}

static bool
give_meaning(struct expr *expr, enum expr_kind kind, const char *const *names,
	     size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!names[i] ||
		    strcmp(bare_name(names[i]), bare_name(expr->name)) != 0)
			continue;
		expr->kind = kind;
		expr->name = bare_name(expr->name);
		expr->number = (int64_t)i + 1;
		return true;
	}
	return false;
}

/* "arg3" is an error if there are two parameters. */
static void
check_number(struct parser *p, const struct pending *pending, size_t count,
	     bool more_may_follow)
{
	if (!more_may_follow && (uint64_t)pending->expr->number > count)
		complain(p, pending->token, "there is no %s",
			 pending->token->name);
}

void
resolve_names(struct parser *p, size_t first, enum expr_kind kind,
	      const char *const *names, size_t count, bool more_may_follow)
{
	size_t kept = first;

	for (size_t i = first; i < p->pending.count; i++) {
		struct pending pending = p->pending.at[i];

		if (pending.expr->kind == kind)
			check_number(p, &pending, count, more_may_follow);
		else if (pending.expr->kind != EXPR_NAME ||
			 !give_meaning(pending.expr, kind, names, count))
			p->pending.at[kept++] = pending;
	}
	p->pending.count = kept;
}

void
resolve_constants(struct parser *p, size_t first)
{
	size_t kept = first;

	for (size_t i = first; i < p->pending.count; i++) {
		struct pending pending = p->pending.at[i];
		struct expr *expr = pending.expr;
		struct named_constant *own;
		int64_t value;

		if (expr->kind != EXPR_NAME ||
		    !library_constant(p->library, expr->name, &value)) {
			p->pending.at[kept++] = pending;
			continue;
		}
		expr->kind = EXPR_NUMBER;
		expr->number = value;
		own = strmap_get(&p->library->constants, expr->name);
		if (own)
			own->used = true;
	}
	p->pending.count = kept;
}

void
complain_about_names(struct parser *p, size_t first)
{
	for (size_t i = first; i < p->pending.count; i++) {
		const struct token *token = p->pending.at[i].token;

		if (p->pending.at[i].expr->kind == EXPR_NAME)
			complain(p, token,
				 "'%s' is no parameter, field or constant",
				 token->name);
	}
	p->pending.count = first;
}

static bool
contains(const struct expr *expr, const struct expr *part)
{
	return expr && (expr == part || contains(expr->left, part) ||
			contains(expr->right, part));
}

void
forget_names(struct parser *p, const struct expr *expr)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->pending.count; i++) {
		if (!contains(expr, p->pending.at[i].expr))
			p->pending.at[kept++] = p->pending.at[i];
	}
	p->pending.count = kept;
}
