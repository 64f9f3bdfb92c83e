/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the text once, token by token, with a stack of open brackets. There is
 * no grammar, because each server has its own, and a query with a syntax error
 * needs a fingerprint, too.
 *
 * Spaces between tokens depend on the kinds of the tokens, not on the text, so
 * that "a=1" and "a = 1" are the same. Text in double quotes is a name in
 * PostgreSQL and SQLite and a string in MySQL. We take it as a string after an
 * operator, in the list of IN or VALUES, and in brackets after a name.
 * Otherwise, or beside a dot, we take it as a name.
 *
 * Brackets after IN and VALUES become:
 *
 *	in ((1, 2), (3, 4))	in(?+)
 *	values (1, 'a'), (2, 'b')	values(?+)
 *	values (now(), 1), (now(), 2)	values(now(), ?)
 */
#include "values/fingerprint.h"

#include "base/attr.h"
#include "values/sql_pieces.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define DEPTH_MOST 64

enum sql_token {
	NOTHING,
	WORD,
	QUOTED, /* a name in quotes */
	LITERAL,
	OPERATOR,
	OPEN,
	CLOSE,
	COMMA,
	DOT,
	COLONS, /* the :: of a cast */
};

struct bracket {
	size_t start; /* offset of the bracket in the output */
	bool list;    /* a list of IN or VALUES, or within one */
	bool row;     /* a row of a list, as in IN ((1, 2), (3, 4)) */
	bool values;
	bool literals; /* double quotes enclose a string */
};

struct fold {
	struct str *to;
	size_t first; /* offset in the output where the fingerprint begins */
	const char *at;
	const char *end;
	enum sql_token last;
	char word[16]; /* the last word in lower case; "" if it is longer */
	char word_before[16];
	struct bracket brackets[DEPTH_MOST];
	unsigned depth;
	/* After VALUES: the last row, to be compared with the next one. */
	size_t values_start, values_length;
	bool full;
};

static bool
is_keyword(const struct fold *fold)
{
	return sql_is_keyword(fold->word);
}

static size_t
left(const struct fold *fold)
{
	return (size_t)(fold->end - fold->at);
}

/* ---- writing ----------------------------------------------------------------
 */

static bool
needs_space(const struct fold *fold, enum sql_token next)
{
	switch (fold->last) {
	case NOTHING:
	case OPEN:
	case DOT:
	case COLONS:
		return false;
	default:
		break;
	}
	switch (next) {
	case CLOSE:
	case COMMA:
	case DOT:
	case COLONS:
		return false;
	case OPEN:
		if (fold->last == WORD)
			return is_keyword(fold);
		return fold->last != QUOTED;
	default:
		return true;
	}
}

/* Adds a space if the next token needs one. False if the output is full. */
static bool
begin(struct fold *fold, enum sql_token next)
{
	if (fold->full)
		return false;
	if (fold->to->length - fold->first >= FINGERPRINT_MOST) {
		str_add(fold->to, "...");
		fold->full = true;
		return false;
	}
	if (needs_space(fold, next))
		str_add_char(fold->to, ' ');
	return true;
}

static void
write_token(struct fold *fold, enum sql_token token, const char *text,
	    size_t length)
{
	if (length > FINGERPRINT_MOST)
		length = FINGERPRINT_MOST;
	if (!begin(fold, token))
		return;
	for (size_t i = 0; i < length; i++)
		str_add_char(fold->to,
			     token == QUOTED
				     ? text[i]
				     : (char)tolower((unsigned char)text[i]));
	fold->last = token;
}

/* Two strings in a row are one literal: 'a' 'b'. */
static void
write_literal(struct fold *fold)
{
	if (fold->last != LITERAL)
		write_token(fold, LITERAL, "?", 1);
}

/* ---- what is passed over
 * ------------------------------------------------------
 */

static void
skip_line(struct fold *fold)
{
	const char *newline = memchr(fold->at, '\n', left(fold));

	fold->at = newline ? newline + 1 : fold->end;
}

/* The content of an executable comment in MySQL is not a comment. */
static void
skip_comment(struct fold *fold)
{
	const char *close;

	if (left(fold) > 2 && fold->at[2] == '!') {
		fold->at += 3;
		while (left(fold) && isdigit((unsigned char)*fold->at))
			fold->at++;
		return;
	}
	close = memmem(fold->at + 2, left(fold) - 2, "*/", 2);
	fold->at = close ? close + 2 : fold->end;
}

static bool
skip_idle(struct fold *fold)
{
	char c = *fold->at, next = left(fold) > 1 ? fold->at[1] : '\0';

	if (isspace((unsigned char)c) || c == '\0')
		fold->at++;
	else if (c == '#' && (fold->last == NOTHING || next == ' ' ||
			      next == '\n' || left(fold) == 1))
		skip_line(fold);
	/* In MySQL, "--" begins a comment only before a blank: "a--1" has a
	 * number. */
	else if (c == '-' && next == '-' &&
		 (left(fold) == 2 || isspace((unsigned char)fold->at[2]) ||
		  fold->last != LITERAL))
		skip_line(fold);
	else if (c == '/' && next == '*')
		skip_comment(fold);
	else if (c == '*' && next == '/') /* the end of an executable comment */
		fold->at += 2;
	else
		return false;
	return true;
}

/* ---- tokens
 * ----------------------------------------------------------------------
 */

static bool
is_text_here(const struct fold *fold, const char *end)
{
	const struct bracket *bracket =
		fold->depth && fold->depth <= DEPTH_MOST
			? &fold->brackets[fold->depth - 1]
			: NULL;

	while (end < fold->end && isspace((unsigned char)*end))
		end++;
	if (fold->last == DOT || (end < fold->end && *end == '.'))
		return false;
	if (fold->last == OPERATOR)
		return true;
	if (fold->last == WORD && sql_precedes_text(fold->word))
		return true;
	return (fold->last == OPEN || fold->last == COMMA) && bracket &&
	       bracket->literals;
}

static void
take_double_quoted(struct fold *fold)
{
	const char *end = sql_quoted_end(fold->at, fold->end, true);

	if (is_text_here(fold, end))
		write_literal(fold);
	else
		write_token(fold, QUOTED, fold->at, (size_t)(end - fold->at));
	fold->at = end;
}

static void
take_quoted(struct fold *fold)
{
	const char *end =
		sql_quoted_end(fold->at, fold->end, *fold->at == '\'');

	if (*fold->at == '\'')
		write_literal(fold);
	else
		write_token(fold, QUOTED, fold->at, (size_t)(end - fold->at));
	fold->at = end;
}

/* A sign belongs to the number if it cannot be a subtraction. */
static bool
at_number(const struct fold *fold)
{
	const char *at = fold->at;

	if ((*at == '-' || *at == '+') &&
	    (fold->last == OPERATOR || fold->last == OPEN ||
	     fold->last == COMMA || (fold->last == WORD && is_keyword(fold))))
		at++;
	if (at < fold->end && *at == '.' && fold->last != WORD &&
	    fold->last != QUOTED && fold->last != CLOSE)
		at++;
	return at < fold->end && isdigit((unsigned char)*at);
}

static void
take_number(struct fold *fold)
{
	const char *at = fold->at;

	if (*at == '-' || *at == '+')
		at++;
	at = sql_number_end(at, fold->end);
	fold->at = at;
	write_literal(fold);
}

static void
remember_word(struct fold *fold, const char *word, size_t length)
{
	memcpy(fold->word_before, fold->word, sizeof(fold->word));
	fold->word[0] = '\0';
	if (length >= sizeof(fold->word))
		return;
	for (size_t i = 0; i < length; i++)
		fold->word[i] = (char)tolower((unsigned char)word[i]);
	fold->word[length] = '\0';
}

static bool
last_word_is(const struct fold *fold, const char *word)
{
	return fold->last == WORD && !strcmp(fold->word, word);
}

/* A prefix of a text or number: E'..', N'..', x'ff', b'01', _utf8'..'. */
static bool
introduces_text(const struct fold *fold, const char *end)
{
	size_t length = (size_t)(end - fold->at);

	if (end >= fold->end || *end != '\'')
		return false;
	return fold->at[0] == '_' ||
	       (length == 1 && strchr("eEnNxXbB", fold->at[0]));
}

static bool
is_value_word(const struct fold *fold, const char *word)
{
	bool null = !strcmp(word, "null");

	if (!null && strcmp(word, "true") != 0 && strcmp(word, "false") != 0)
		return false;
	/* In IS NULL and NOT NULL, null is not a value. */
	return fold->last == OPERATOR || fold->last == COMMA ||
	       fold->last == OPEN || last_word_is(fold, "then") ||
	       last_word_is(fold, "else");
}

static void
take_word(struct fold *fold)
{
	const char *start = fold->at, *end = start;
	char word[sizeof(fold->word)] = "";
	size_t length;

	while (end < fold->end && *end == '@')
		end++;
	while (end < fold->end && sql_in_name(*end))
		end++;
	if (introduces_text(fold, end)) {
		fold->at = end;
		take_quoted(fold);
		return;
	}
	length = (size_t)(end - start);
	for (size_t i = 0; length < sizeof(word) && i < length; i++)
		word[i] = (char)tolower((unsigned char)start[i]);
	fold->at = end;
	if (is_value_word(fold, word)) {
		write_literal(fold);
		return;
	}
	/* ASC after ORDER BY is the default, so it is left out. */
	if (!strcmp(word, "asc") && fold->last != DOT)
		return;
	write_token(fold, WORD, start, length);
	remember_word(fold, start, length);
}

/* Takes a placeholder: ?, $1, :name, %s, %(name)s. False if there is none. */
static bool
take_placeholder(struct fold *fold)
{
	const char *at = fold->at;
	char next = left(fold) > 1 ? at[1] : '\0';

	if (*at == '$' && isdigit((unsigned char)next))
		at++;
	else if (*at == ':' && (isalpha((unsigned char)next) || next == '_'))
		at++;
	else if (*at == '%' && next == 's' &&
		 (left(fold) == 2 || !sql_in_name(at[2])) &&
		 fold->last != LITERAL && fold->last != CLOSE)
		at++;
	else if (*at != '?')
		return false;
	if (at > fold->at || isdigit((unsigned char)next)) {
		at++;
		while (at < fold->end && sql_in_name(*at))
			at++;
	} else {
		at++;
	}
	fold->at = at;
	write_literal(fold);
	return true;
}

/* ---- brackets
 * -------------------------------------------------------------------
 */

/* True for "(?, ?)" and "(?+)": no names in them. */
static bool
only_literals(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (!strchr("?+, ()", text[i]))
			return false;
	}
	return true;
}

static void
open_bracket(struct fold *fold)
{
	bool behind_values =
		last_word_is(fold, "values") || last_word_is(fold, "value");
	bool next_values = fold->last == COMMA && fold->values_length > 0 &&
			   fold->depth == 0;
	bool list = last_word_is(fold, "in") || behind_values || next_values;
	bool call = fold->last == WORD && !is_keyword(fold) &&
		    strcmp(fold->word_before, "into") != 0;
	const struct bracket *outer = fold->depth && fold->depth <= DEPTH_MOST
					      ? &fold->brackets[fold->depth - 1]
					      : NULL;

	bool row = !list && outer && outer->list && !call;

	write_token(fold, OPEN, "(", 1);
	fold->at++;
	if (fold->depth < DEPTH_MOST)
		fold->brackets[fold->depth] = (struct bracket){
			.start = fold->to->length - 1,
			.list = list || row,
			.row = row,
			.values = behind_values || next_values,
			.literals = list || row || call,
		};
	fold->depth++;
	if (behind_values)
		fold->values_length = 0;
}

/* Drops a row of VALUES if it is like the row before. */
static void
close_values(struct fold *fold, size_t start)
{
	const char *text = fold->to->text;
	size_t length = fold->to->length - start;

	if (fold->values_length == length &&
	    !memcmp(text + fold->values_start, text + start, length)) {
		str_cut(fold->to, fold->values_start + length);
		return;
	}
	fold->values_start = start;
	fold->values_length = length;
}

static void
close_bracket(struct fold *fold)
{
	const struct bracket *bracket;
	size_t start;

	write_token(fold, CLOSE, ")", 1);
	fold->at++;
	if (fold->depth == 0 || fold->full)
		return;
	if (--fold->depth >= DEPTH_MOST)
		return;
	bracket = &fold->brackets[fold->depth];
	start = bracket->start;
	if (!bracket->list)
		return;
	if (only_literals(fold->to->text + start, fold->to->length - start)) {
		str_cut(fold->to, start);
		/* A row in a list counts as one literal. */
		if (bracket->row) {
			str_add_char(fold->to, '?');
			fold->last = LITERAL;
			return;
		}
		str_add(fold->to, "(?+)");
	}
	if (bracket->values)
		close_values(fold, start);
}

static void
take_operator(struct fold *fold)
{
	const char *at = fold->at;

	if (*at == ':' && left(fold) > 1 && at[1] == ':') {
		fold->at += 2;
		write_token(fold, COLONS, "::", 2);
		return;
	}
	do
		at++;
	while (at < fold->end && *at && strchr("=<>!~^&|#", *at));
	write_token(fold, OPERATOR, fold->at, (size_t)(at - fold->at));
	fold->at = at;
}

/* The * in "select *" and "count(*)" is a name. */
static void
take_star(struct fold *fold)
{
	bool name = fold->last == OPEN || fold->last == DOT ||
		    fold->last == COMMA ||
		    (fold->last == WORD && is_keyword(fold));

	write_token(fold, name ? QUOTED : OPERATOR, "*", 1);
	fold->at++;
}

/* True at @user, @@system. */
static bool
at_variable(const struct fold *fold)
{
	const char *at = fold->at;

	while (at < fold->end && at < fold->at + 2 && *at == '@')
		at++;
	return at > fold->at && at < fold->end && sql_in_name(*at);
}

static void
take_token(struct fold *fold)
{
	char c = *fold->at;

	if (c == '\'' || c == '`')
		take_quoted(fold);
	else if (c == '"')
		take_double_quoted(fold);
	else if (c == '(')
		open_bracket(fold);
	else if (c == ')')
		close_bracket(fold);
	else if (at_number(fold))
		take_number(fold);
	else if (c == '$' && sql_dollars_end(fold->at, fold->end)) {
		fold->at = sql_dollars_end(fold->at, fold->end);
		write_literal(fold);
	} else if (take_placeholder(fold))
		return;
	else if (sql_in_name(c) || at_variable(fold))
		take_word(fold);
	else if (c == '*')
		take_star(fold);
	else if (c == ',' || c == '.' || c == ';') {
		/* After a comma, the list of VALUES may have another row. */
		write_token(fold, c == '.' ? DOT : COMMA, fold->at, 1);
		fold->at++;
	} else
		take_operator(fold);
}

/* "limit 10, 20" and "limit 10 offset 20": the offset is a value as well. */
static void
fold_limit(struct str *to, size_t first)
{
	static const char *const ways[] = { "limit ?, ?", "limit ? offset ?" };

	for (size_t i = 0; i < array_size(ways); i++) {
		size_t length = strlen(ways[i]);
		char *found = memmem(str_text(to) + first, to->length - first,
				     ways[i], length);
		size_t rest;

		if (!found)
			continue;
		rest = to->length - (size_t)(found - to->text) - length;
		memmove(found + strlen("limit ?"), found + length, rest);
		str_cut(to, to->length - length + strlen("limit ?"));
	}
}

/* USE mine, CALL f(1): the rest is dropped, because only the command
 * matters. */
static void
fold_command(struct str *to, size_t first)
{
	const char *text = str_text(to) + first;
	size_t bracket;

	if (!strncmp(text, "use ", 4) &&
	    !memchr(text + 4, ' ', to->length - first - 4)) {
		str_cut(to, first + 4);
		str_add_char(to, '?');
	} else if (!strncmp(text, "call ", 5)) {
		bracket = strcspn(text, "(");
		str_cut(to, first + bracket);
	}
}

void
fingerprint_add(struct str *to, const char *sql, size_t length)
{
	struct fold fold = {
		.to = to, .first = to->length, .at = sql, .end = sql + length
	};

	while (fold.at < fold.end && !fold.full) {
		if (!skip_idle(&fold))
			take_token(&fold);
	}
	if (fold.full)
		return;
	while (to->length > fold.first && to->text[to->length - 1] == ';')
		str_cut(to, to->length - 1);
	fold_limit(to, fold.first);
	fold_command(to, fold.first);
}
