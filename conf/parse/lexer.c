/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The place in the text, and what is skipped between tokens. The two languages
 * have these comments:
 *
 *	/ * * /, //	C's
 *	# ...		to the end of the line; at the start of a line also over
 *			lines continued by a backslash, as in the preprocessor,
 *			so that the directives of a pasted header are comments.
 *			"#define NAME value" is kept, because values name the
 *			lengths of arrays.
 *	; ...		ltrace's: if ';' is the first on its line, or follows
 *			another one on the same line, as in
 *			"int open(string,int,octal);  ; 3rd may not be there"
 *
 * An expression alone has no comments.
 */
#include "conf/parse/lexer.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

char
lexer_ahead(const struct lexer *lexer, size_t n)
{
	return (size_t)(lexer->end - lexer->at) > n ? lexer->at[n] : '\0';
}

bool
lexer_at(const struct lexer *lexer, const char *text)
{
	size_t length = strlen(text);

	return lexer_ahead(lexer, 0) == text[0] &&
	       (size_t)(lexer->end - lexer->at) >= length &&
	       !memcmp(lexer->at, text, length);
}

unsigned
lexer_column(const struct lexer *lexer, const char *at)
{
	return (unsigned)(at - lexer->line_start) + 1;
}

void
lexer_complain(struct lexer *lexer, unsigned line, unsigned column,
	       const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	complaints_addv(lexer->complaints, lexer->source->file, line, column,
			format, arguments);
	va_end(arguments);
}

void
lexer_begin_line(struct lexer *lexer)
{
	lexer->line++;
	lexer->line_start = lexer->at;
	lexer->at_line_start = true;
}

struct token *
lexer_add(struct lexer *lexer, enum token_kind kind, const char *start)
{
	struct token token = { .kind = kind,
			       .first_on_line = lexer->at_line_start,
			       .conditional = lexer->conditionals > 0,
			       .line = lexer->line,
			       .column = lexer_column(lexer, start),
			       .indent = lexer->after_marker
						 ? UINT_MAX
						 : lexer_column(lexer, start),
			       .start = start,
			       .length = (size_t)(lexer->at - start) };

	lexer->at_line_start = lexer->after_marker = false;
	vec_push(&lexer->tokens->list, token);
	return &lexer->tokens->list.at[lexer->tokens->list.count - 1];
}

const struct token *
lexer_last(const struct lexer *lexer)
{
	size_t count = lexer->tokens->list.count;

	return count > 0 ? &lexer->tokens->list.at[count - 1] : NULL;
}

static void
skip_line(struct lexer *lexer)
{
	const char *newline =
		memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));

	lexer->at = newline ? newline : lexer->end;
}

/* True at the newline of a line that continues on the next one. */
static bool
at_continuation(const struct lexer *lexer)
{
	const char *last = lexer->at - 1;

	if (lexer->at == lexer->end)
		return false;
	return *last == '\\' || (*last == '\r' && last[-1] == '\\');
}

/* Skips to the end of the line and of the lines that continue it, as the
 * preprocessor does; not used at the start of a line. */
static void
skip_logical_line(struct lexer *lexer)
{
	skip_line(lexer);
	while (at_continuation(lexer)) {
		lexer->at++;
		lexer_begin_line(lexer);
		skip_line(lexer);
	}
}

static void
skip_block_comment(struct lexer *lexer)
{
	unsigned line = lexer->line, column = lexer_column(lexer, lexer->at);

	lexer->at += 2;
	while (lexer->at < lexer->end && !lexer_at(lexer, "*/")) {
		if (*lexer->at++ == '\n')
			lexer_begin_line(lexer);
	}
	if (lexer->at < lexer->end)
		lexer->at += 2;
	else
		lexer_complain(lexer, line, column,
			       "the comment is not closed");
}

/* "# define NAME value": the text after the word is kept. */
static void
lex_directive(struct lexer *lexer)
{
	const char *start = lexer->at;
	struct token *token;

	lexer->at++;
	while (lexer_ahead(lexer, 0) == ' ' || lexer_ahead(lexer, 0) == '\t')
		lexer->at++;
	/* # 12 "file.h": the lines that follow are from another file. */
	if (isdigit((unsigned char)lexer_ahead(lexer, 0)))
		lexer->after_marker = true;
	if (lexer_at(lexer, "if"))
		lexer->conditionals++;
	else if (lexer_at(lexer, "endif") && lexer->conditionals > 0)
		lexer->conditionals--;
	if (!lexer_at(lexer, "define") ||
	    (lexer_ahead(lexer, 6) != ' ' && lexer_ahead(lexer, 6) != '\t')) {
		skip_logical_line(lexer);
		return;
	}
	lexer->at += 6;
	token = lexer_add(lexer, TOKEN_DEFINE, start);
	start = lexer->at;
	skip_line(lexer);
	token->name =
		arena_strndup(lexer->arena, start, (size_t)(lexer->at - start));
	skip_logical_line(lexer);
}

/* True if the rest of the line after the present ';' is blank. Then the ';' is
 * a mark, which C allows there. */
static bool
rest_is_blank(const struct lexer *lexer)
{
	const char *at = lexer->at + 1;

	while (at < lexer->end && (*at == ' ' || *at == '\t' || *at == '\r'))
		at++;
	return at == lexer->end || *at == '\n';
}

/*
 * True at a ';' that begins a comment: the first on its line, or behind another
 * one on the same line.
 */
static bool
at_semicolon_comment(const struct lexer *lexer)
{
	const struct token *last = lexer_last(lexer);

	if (*lexer->at != ';' || lexer->braces > 0)
		return false;
	if (lexer->at_line_start)
		return !rest_is_blank(lexer);
	return last && last->kind == TOKEN_MARK && last->mark == ';' &&
	       last->line == lexer->line;
}

bool
lexer_skip_comment(struct lexer *lexer)
{
	if (lexer->source->is_expression)
		return false;
	if (lexer_at(lexer, "/*"))
		skip_block_comment(lexer);
	else if (*lexer->at == '#' && lexer->at_line_start)
		lex_directive(lexer);
	else if (*lexer->at == '#' || lexer_at(lexer, "//") ||
		 at_semicolon_comment(lexer))
		skip_line(lexer);
	else
		return false;
	return true;
}
