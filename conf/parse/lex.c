/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a prototype file into tokens: the tokens of C (C11 6.4), and durations
 * (10ms), which are numbers. An expression alone also has /regex/ after ~ and
 * !~. lexer.c skips what is between tokens.
 */
#include "conf/parse/lex.h"

#include "conf/parse/lexer.h"
#include "conf/parse/literal.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

static const char *const long_marks[] = { "...", "<<", ">>", "<=", ">=", "==",
					  "!=",	 "&&", "||", "->", "!~", "::" };

void
tokens_release(struct tokens *tokens)
{
	vec_release(&tokens->list);
}

static bool
is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void
lex_name(struct lexer *lexer)
{
	const char *start = lexer->at;
	struct token *token;

	while (is_name_char(lexer_ahead(lexer, 0)))
		lexer->at++;
	token = lexer_add(lexer, TOKEN_NAME, start);
	token->name = arena_strndup(lexer->arena, start, token->length);
}

/* Skips all characters that can be part of a number (C11 6.4.8). */
static void
skip_number(struct lexer *lexer)
{
	bool is_hex =
		lexer_ahead(lexer, 0) == '0' &&
		(lexer_ahead(lexer, 1) == 'x' || lexer_ahead(lexer, 1) == 'X');

	for (;;) {
		char c = lexer_ahead(lexer, 0);
		char next = lexer_ahead(lexer, 1);

		if (!is_name_char(c) && c != '.')
			return;
		lexer->at++;
		if (!is_hex && (c == 'e' || c == 'E') &&
		    (next == '+' || next == '-'))
			lexer->at++;
	}
}

static void
lex_number(struct lexer *lexer)
{
	const char *start = lexer->at;
	struct token *token;
	int r;

	skip_number(lexer);
	token = lexer_add(lexer, TOKEN_NUMBER, start);
	token->name = arena_strndup(lexer->arena, start, token->length);
	r = literal_number(token->name, token);
	if (r == 0)
		return;
	token->kind = TOKEN_BAD;
	lexer_complain(lexer, token->line, token->column,
		       r == -ERANGE ? "the number %s is too large"
				    : "'%s' is not a number",
		       token->name);
}

/* Skips to after the closing quote; false if there is none on this line. */
static bool
skip_quoted(struct lexer *lexer, char quote)
{
	lexer->at++;
	while (lexer->at < lexer->end && *lexer->at != '\n') {
		if (*lexer->at == quote) {
			lexer->at++;
			return true;
		}
		lexer->at += *lexer->at == '\\' &&
					     lexer_ahead(lexer, 1) != '\n' &&
					     lexer_ahead(lexer, 1) != '\0'
				     ? 2
				     : 1;
	}
	return false;
}

/* A token for the text between two quotes; TOKEN_BAD if the second one is
 * missing. */
static struct token *
lex_between(struct lexer *lexer, enum token_kind kind, char quote)
{
	const char *start = lexer->at;
	struct token *token;

	if (!skip_quoted(lexer, quote)) {
		lexer_complain(lexer, lexer->line, lexer_column(lexer, start),
			       "the closing %c is missing", quote);
		kind = TOKEN_BAD;
	}
	token = lexer_add(lexer, kind, start);
	token->name =
		arena_strndup(lexer->arena, start + 1,
			      token->length - (kind == TOKEN_BAD ? 1 : 2));
	return token;
}

static void
lex_quoted(struct lexer *lexer, char quote)
{
	struct token *token = lex_between(lexer, TOKEN_TEXT, quote);

	if (token->kind == TOKEN_BAD)
		return;
	token->name = literal_text(lexer->arena, token->name);
	if (quote == '"')
		return;
	token->kind = TOKEN_NUMBER;
	token->number = token->name[0];
	if (strlen(token->name) > 1)
		lexer_complain(lexer, token->line, token->column,
			       "expected one character between quotes");
	token->name = NULL;
}

/* Text between slashes. "\/" is a slash; everything else stays as it is. */
static void
lex_regex(struct lexer *lexer)
{
	struct token *token = lex_between(lexer, TOKEN_REGEX, '/');
	char *text = arena_strdup(lexer->arena, token->name);
	size_t n = 0;

	for (const char *at = token->name; *at; at++) {
		if (at[0] == '\\' && at[1] == '/')
			at++;
		text[n++] = *at;
	}
	text[n] = '\0';
	token->name = text;
}

static bool
lex_mark(struct lexer *lexer)
{
	const char *start = lexer->at;
	int mark = 0;

	for (size_t i = 0; i < array_size(long_marks) && !mark; i++) {
		if (!lexer_at(lexer, long_marks[i]))
			continue;
		for (const char *c = long_marks[i]; *c; c++, lexer->at++)
			mark = mark << 8 | *c;
	}
	if (!mark && *start && strchr("()[]{},;=*&|^~!<>+-/%:.?", *start)) {
		mark = *start;
		lexer->at++;
	}
	if (mark)
		lexer_add(lexer, TOKEN_MARK, start)->mark = mark;
	lexer->braces += mark == '{';
	lexer->braces -= mark == '}' && lexer->braces > 0;
	return mark != 0;
}

static bool
regex_may_follow(const struct lexer *lexer)
{
	const struct token *last = lexer_last(lexer);

	return lexer->source->is_expression && last &&
	       last->kind == TOKEN_MARK &&
	       (last->mark == '~' || last->mark == MARK2('!', '~'));
}

static void
lex_stray(struct lexer *lexer)
{
	const char *start = lexer->at++;
	unsigned char c = (unsigned char)*start;
	const struct token *token;

	/* Makes one complaint for several bytes that are no characters of C. */
	while ((unsigned char)lexer_ahead(lexer, 0) >= 0x80)
		lexer->at++;
	token = lexer_add(lexer, TOKEN_BAD, start);
	if (isprint(c))
		lexer_complain(lexer, token->line, token->column,
			       "unexpected '%c'", c);
	else
		lexer_complain(lexer, token->line, token->column,
			       "unexpected byte 0x%02x", c);
}

static void
lex_one(struct lexer *lexer)
{
	char c = *lexer->at;

	if (c == '\n') {
		lexer->at++;
		lexer_begin_line(lexer);
	} else if (isspace((unsigned char)c) ||
		   (c == '\\' && (lexer_ahead(lexer, 1) == '\n' ||
				  lexer_ahead(lexer, 1) == '\r'))) {
		lexer->at++;
	} else if (lexer_skip_comment(lexer)) {
		return;
	} else if (isdigit((unsigned char)c)) {
		lex_number(lexer);
	} else if (is_name_char(c)) {
		lex_name(lexer);
	} else if (c == '"' || c == '\'') {
		lex_quoted(lexer, c);
	} else if (c == '/' && regex_may_follow(lexer)) {
		lex_regex(lexer);
	} else if (!lex_mark(lexer)) {
		lex_stray(lexer);
	}
}

void
lex(const struct lex_source *source, struct arena *arena,
    struct complaints *complaints, struct tokens *ret_tokens)
{
	struct lexer lexer = { .source = source,
			       .at = source->text,
			       .end = source->text + source->length,
			       .line_start = source->text,
			       .line = source->lines_before + 1,
			       .conditionals = source->conditional,
			       .at_line_start = true,
			       .arena = arena,
			       .complaints = complaints,
			       .tokens = ret_tokens };

	*ret_tokens = (struct tokens){ 0 };
	if (lexer_at(&lexer, "\xef\xbb\xbf")) /* a byte order mark */
		lexer.at += 3;
	while (lexer.at < lexer.end)
		if (!source->keeper ||
		    !source->keeper->keep(source->keeper, &lexer))
			lex_one(&lexer);
	lexer_add(&lexer, TOKEN_END, lexer.at)->first_on_line = true;
}
