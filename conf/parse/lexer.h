/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The place in a text that is being split into tokens. The two files of the
 * lexer share this; no other file includes it.
 */
#ifndef CONF_PARSE_LEXER_H
#define CONF_PARSE_LEXER_H

#include "base/attr.h"
#include "conf/parse/lex.h"

struct lexer {
	const struct lex_source *source;
	const char *at;
	const char *end;
	const char *line_start;
	unsigned line;
	bool at_line_start;    /* no token on this line yet */
	bool after_marker;     /* no token since # 12 "file.h" */
	unsigned braces;       /* { that are open */
	unsigned conditionals; /* #if that are open */
	struct arena *arena;
	struct complaints *complaints;
	struct tokens *tokens;
};

/* The character n places ahead, '\0' after the end. */
char lexer_ahead(const struct lexer *lexer, size_t n);
/* True if `text` follows at the present place. */
bool lexer_at(const struct lexer *lexer, const char *text);
unsigned lexer_column(const struct lexer *lexer, const char *at);
void lexer_complain(struct lexer *lexer, unsigned line, unsigned column,
		    const char *format, ...) printf_like(4, 5);
/* Notes that a line begins at the present place. Called when a newline was
 * passed. */
void lexer_begin_line(struct lexer *lexer);
/* Adds the token from start to the present place. */
struct token *lexer_add(struct lexer *lexer, enum token_kind kind,
			const char *start);
/* The last token, or NULL if there is none yet. */
const struct token *lexer_last(const struct lexer *lexer);

/* Skips a comment or directive; false if there is none. */
bool lexer_skip_comment(struct lexer *lexer);

#endif
