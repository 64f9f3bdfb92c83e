/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The place in the list of tokens. The last token, TOKEN_END, is never passed,
 * so that looking ahead is always safe.
 *
 * A complaint points at the place where the user has to correct the file:
 * "expected ')'" points at the token that was found instead. If that token is
 * on a later line, it belongs to something else, and the complaint points
 * directly after the previous token:
 *
 *	int f(int
 *	         ^ expected ',' or ')' after 'int'
 *	int g(int);
 */
#include "conf/parse/parser.h"

#include <errno.h>
#include <string.h>

#define TOKEN_SHOWN 40

const struct token *
peek_at(const struct parser *p, size_t n)
{
	const struct token *token = &p->tokens[p->at];

	while (n-- > 0 && token->kind != TOKEN_END)
		token++;
	return token;
}

const struct token *
peek(const struct parser *p)
{
	return &p->tokens[p->at];
}

const struct token *
advance(struct parser *p)
{
	const struct token *token = peek(p);

	if (token->kind != TOKEN_END)
		p->at++;
	return token;
}

bool
token_is(const struct token *token, int mark)
{
	return token->kind == TOKEN_MARK && token->mark == mark;
}

bool
token_is_word(const struct token *token, const char *word)
{
	return token->kind == TOKEN_NAME && same_word(token->name, word);
}

bool
at_mark(const struct parser *p, int mark)
{
	return token_is(peek(p), mark);
}

bool
at_word(const struct parser *p, const char *word)
{
	return token_is_word(peek(p), word);
}

bool
accept_mark(struct parser *p, int mark)
{
	if (!at_mark(p, mark))
		return false;
	advance(p);
	return true;
}

bool
accept_word(struct parser *p, const char *word)
{
	if (!at_word(p, word))
		return false;
	advance(p);
	return true;
}

int
expect_mark(struct parser *p, int mark)
{
	char what[] = { '\'', (char)mark, '\'', '\0' };

	if (accept_mark(p, mark))
		return 0;
	return expected(p, what);
}

static int complain_place(struct parser *p, unsigned line, unsigned column,
			  const char *format, ...) printf_like(4, 5);

static int
complain_place(struct parser *p, unsigned line, unsigned column,
	       const char *format, ...)
{
	va_list arguments;

	p->item.bad = true;
	va_start(arguments, format);
	complaints_addv(p->complaints, p->file, line, column, format,
			arguments);
	va_end(arguments);
	return -EINVAL;
}

int
complain(struct parser *p, const struct token *token, const char *format, ...)
{
	va_list arguments;

	p->item.bad = true;
	va_start(arguments, format);
	complaints_addv(p->complaints, p->file, token->line, token->column,
			format, arguments);
	va_end(arguments);
	return -EINVAL;
}

static int
shown_length(const struct token *token)
{
	return token->length < TOKEN_SHOWN ? (int)token->length : TOKEN_SHOWN;
}

int
expected(struct parser *p, const char *what)
{
	const struct token *token = peek(p);
	const struct token *last = p->at > 0 ? token - 1 : NULL;

	p->item.bad = true;
	if (token->kind == TOKEN_BAD)
		return -EINVAL;
	if (last && last->kind != TOKEN_BAD &&
	    (token->first_on_line || token->kind == TOKEN_END))
		return complain_place(p, last->line,
				      last->column + (unsigned)last->length,
				      "expected %s after '%.*s'", what,
				      shown_length(last), last->start);
	if (token->kind == TOKEN_END)
		return complain(p, token, "expected %s", what);
	return complain(p, token, "expected %s before '%.*s'", what,
			shown_length(token), token->start);
}

int
enter(struct parser *p)
{
	if (p->depth >= PARSER_DEPTH)
		return complain(p, peek(p), "nested too deep");
	p->depth++;
	return 0;
}

void
leave(struct parser *p)
{
	p->depth--;
}

static bool
opens(const struct token *token)
{
	return token_is(token, '(') || token_is(token, '[') ||
	       token_is(token, '{');
}

static bool
closes(const struct token *token)
{
	return token_is(token, ')') || token_is(token, ']') ||
	       token_is(token, '}');
}

int
skip_brackets(struct parser *p)
{
	const struct token *open = peek(p);
	size_t depth = 0;

	do {
		const struct token *token = advance(p);

		if (token->kind == TOKEN_END)
			return complain(p, open, "this '%c' is not closed",
					open->mark);
		depth += opens(token);
		depth -= closes(token);
	} while (depth > 0);
	return 0;
}
