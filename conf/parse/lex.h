/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A token is a word, number, text or mark of a prototype file, with its place.
 * The whole file is split into tokens before it is parsed, so that the parser
 * can look ahead and go back without limit.
 */
#ifndef CONF_PARSE_LEX_H
#define CONF_PARSE_LEX_H

#include "base/arena.h"
#include "base/vec.h"
#include "conf/parse/complaint.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
	TOKEN_END, /* after the last token */
	TOKEN_NAME,
	TOKEN_NUMBER, /* 12, 0x1f, 017, 'a', 10ms */
	TOKEN_REAL,   /* 1.5 */
	TOKEN_TEXT,   /* "text", its escapes resolved */
	TOKEN_REGEX,  /* /text/ after ~ */
	TOKEN_DEFINE, /* #define; name is the rest of the line */
	TOKEN_MARK,   /* one of C's operators or brackets */
	TOKEN_BAD,    /* not a token, already complained about */
};

/* The mark of a token: its characters, with the first in the highest byte. */
#define MARK2(a, b) ((a) << 8 | (b))
#define MARK3(a, b, c) ((a) << 16 | (b) << 8 | (c))

struct token {
	enum token_kind kind;
	int mark;
	bool first_on_line;
	bool conditional; /* between #if and #endif */
	bool is_unsigned; /* NUMBER: does not fit int64_t */
	bool has_unit;	  /* NUMBER: a duration, in nanoseconds */
	unsigned line;	  /* from 1 */
	unsigned column;  /* from 1, in bytes */
	/* How far right the token is, to guess what the user meant: its column,
	 * or the largest number if the preprocessor broke the line. */
	unsigned indent;
	const char *start; /* the token's text in the source: length bytes */
	size_t length;
	const char *name; /* NAME, TEXT, REGEX, DEFINE: in the arena */
	int64_t number;
	double real;
};

struct tokens {
	vec_of(struct token) list; /* TOKEN_END is the last */
};

struct lexer;

/* Keeps items of a file instead of having them split into tokens. */
struct lex_keeper {
	/* Moves behind the item at the present place, or returns false. */
	bool (*keep)(struct lex_keeper *keeper, struct lexer *lexer);
};

struct lex_source {
	const char *file;
	const char *text;
	size_t length;
	unsigned lines_before;	   /* of the file, before text */
	bool conditional;	   /* text is between #if and #endif */
	struct lex_keeper *keeper; /* or NULL */
	/* An expression alone: it has regular expressions and no comments. */
	bool is_expression;
};

/* Bytes that cannot be a token are complained about and become TOKEN_BAD. */
void lex(const struct lex_source *source, struct arena *arena,
	 struct complaints *complaints, struct tokens *ret_tokens);
void tokens_release(struct tokens *tokens);

#endif
