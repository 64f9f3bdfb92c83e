/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An expression alone, as in --if. The functions for prototype files parse it,
 * but without a library: the names stay in the expression, and its user gives
 * them a meaning. Only the first complaint is kept, because the command line
 * has room for one.
 */
#include "conf/parse/condition.h"

#include "conf/parse/parser.h"

#include <errno.h>
#include <string.h>

struct condition {
	struct arena arena;
	struct patterns patterns;
	const struct expr *expr;
};

void
condition_free(struct condition *condition)
{
	if (!condition)
		return;
	patterns_release(&condition->patterns);
	arena_release(&condition->arena);
	free(condition);
}

const struct expr *
condition_expr(const struct condition *condition)
{
	return condition->expr;
}

static int
parse_whole(struct parser *p, const struct expr **ret_expr)
{
	int r = parse_expr(p, ret_expr);

	if (r < 0)
		return r;
	if (peek(p)->kind != TOKEN_END)
		return expected(p, "an operator");
	return 0;
}

static int
first_complaint(const struct complaints *complaints, size_t *ret_column,
		struct err *err)
{
	const struct complaint *first = &complaints->list.at[0];

	if (ret_column)
		*ret_column = first->column - 1;
	return err_set(err, -EINVAL, "%s", first->text);
}

int
condition_parse(const char *text, struct condition **ret_condition,
		size_t *ret_column, struct err *err)
{
	struct condition *condition = xcalloc(1, sizeof(*condition));
	struct lex_source source = { .file = "",
				     .text = text,
				     .length = strlen(text),
				     .is_expression = true };
	struct complaints complaints;
	struct parser p = { .arena = &condition->arena,
			    .patterns = &condition->patterns,
			    .complaints = &complaints,
			    .file = source.file };
	struct tokens tokens;
	int r;

	arena_init(&condition->arena);
	complaints_init(&complaints);
	lex(&source, p.arena, &complaints, &tokens);
	p.tokens = p.item.start = tokens.list.at;
	r = parse_whole(&p, &condition->expr);
	if (complaints.list.count > 0)
		r = first_complaint(&complaints, ret_column, err);
	complaints_release(&complaints);
	tokens_release(&tokens);
	if (r < 0)
		condition_free(condition);
	else
		*ret_condition = condition;
	return r;
}
