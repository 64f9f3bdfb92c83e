/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The place in a text that is being cut into tokens; what the two halves of
 * the lexer share, and nobody else includes.
 */
#ifndef CONF_PARSE_LEXER_H
#define CONF_PARSE_LEXER_H

#include "base/attr.h"
#include "conf/parse/lex.h"

struct lexer {
	const struct source *source;
	const char *at;
	const char *end;
	const char *line_start;
	unsigned line;
	bool at_line_start;    /* no token of this line yet */
	bool after_marker;     /* nor since # 12 "file.h" */
	unsigned braces;       /* { without its } */
	unsigned conditionals; /* #if without its #endif */
	struct arena *arena;
	struct complaints *complaints;
	struct tokens *tokens;
};

/* The character n further on, '\0' behind the end. */
char lexer_ahead(const struct lexer *lexer, size_t n);
/* Does the rest begin with text? */
bool lexer_at(const struct lexer *lexer, const char *text);
unsigned lexer_column(const struct lexer *lexer, const char *at);
void lexer_complain(struct lexer *lexer, unsigned line, unsigned column,
		    const char *format, ...) printf_like(4, 5);
/* Behind a newline that was just passed. */
void lexer_begin_line(struct lexer *lexer);
/* The token from start to the place at hand. */
struct token *lexer_add(struct lexer *lexer, enum token_kind kind,
			const char *start);
/* NULL: none yet. */
const struct token *lexer_last(const struct lexer *lexer);

/* Passes a comment or directive; false where there is none. */
bool lexer_skip_comment(struct lexer *lexer);

#endif
