/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dialects differ in four places:
 *
 *	'a\'b'	in MySQL one string; in PostgreSQL only with an E before it, or
 *		if standard_conforming_strings is off; never in SQLite
 *	"a"	in MySQL a string (unless its mode has ANSI_QUOTES), in
 *		PostgreSQL a name; in SQLite a name, or a string if nothing
 *		has this name
 *	--	in MySQL a comment only before a blank
 *	#	a comment in MySQL, an operator in PostgreSQL
 *
 * (MySQL 8.0 manual, 9.1.1 and 9.7; PostgreSQL 15 manual, 4.1; SQLite,
 * "Quirks, Caveats, and Gotchas", 8.) In SQLite, and if the dialect is not
 * known, text in double quotes counts as a name only beside a dot and after
 * FROM and words like it.
 */
#include "values/redact.h"

#include "base/attr.h"
#include "values/sql_pieces.h"

#include <ctype.h>
#include <string.h>

/* The words before the name of a table (FROM, UPDATE) are not longer. */
#define WORD_MOST 8

struct redacting {
	struct str *to;
	const char *first, *at, *end;
	enum sql_dialect dialect;
	bool stopped;
};

static char
next_char(const struct redacting *of, size_t offset)
{
	return (size_t)(of->end - of->at) > offset ? of->at[offset] : '\0';
}

static bool
after_name(const struct redacting *of)
{
	return of->at > of->first && sql_in_name(of->at[-1]);
}

/* Leaves out the rest of the text, because a part of it may be a string. */
static void
stop(struct redacting *of)
{
	str_add(of->to, "''");
	of->at = of->end;
	of->stopped = true;
}

static void
leave_out(struct redacting *of, const char *end, const char *instead)
{
	str_add(of->to, instead);
	of->at = end;
}

static void
copy(struct redacting *of, const char *end)
{
	str_add_bytes(of->to, of->at, (size_t)(end - of->at));
	of->at = end;
}

/* Is this quote after an E that is a word of its own: E'..'? */
static bool
has_escapes(const struct redacting *of)
{
	return of->at > of->first && (of->at[-1] | 0x20) == 'e' &&
	       (of->at - 1 == of->first || !sql_in_name(of->at[-2]));
}

static void
take_string(struct redacting *of)
{
	const char *escaped = sql_quoted_end(of->at, of->end, true);
	const char *plain = sql_quoted_end(of->at, of->end, false);

	if (of->dialect == SQL_MYSQL ||
	    (of->dialect == SQL_POSTGRES && has_escapes(of)))
		leave_out(of, escaped, "''");
	else if (of->dialect == SQL_SQLITE || plain == escaped)
		leave_out(of, plain, "''");
	else
		stop(of);
}

/* True if the word before the quote is FROM, JOIN or another word that the name
 * of a table follows. */
static bool
after_table_word(const struct redacting *of)
{
	static const char *const words[] = { "from",   "join",	"into",
					     "update", "table", "index" };
	const char *end = of->at, *start;

	while (end > of->first && isspace((unsigned char)end[-1]))
		end--;
	start = end;
	while (start > of->first && sql_in_name(start[-1]) &&
	       end - start <= WORD_MOST)
		start--;
	for (size_t i = 0; i < array_size(words); i++) {
		size_t length = strlen(words[i]);

		if ((size_t)(end - start) == length &&
		    !strncasecmp(start, words[i], length))
			return true;
	}
	return false;
}

static bool
is_name(const struct redacting *of, const char *end)
{
	const char *before = of->at;

	if (of->dialect == SQL_POSTGRES)
		return true;
	if (of->dialect == SQL_MYSQL)
		return false;
	while (before > of->first && isspace((unsigned char)before[-1]))
		before--;
	while (end < of->end && isspace((unsigned char)*end))
		end++;
	return (before > of->first && before[-1] == '.') ||
	       (end < of->end && *end == '.') || after_table_word(of);
}

static void
take_double_quoted(struct redacting *of)
{
	const char *escaped = sql_quoted_end(of->at, of->end, true);
	const char *plain = sql_quoted_end(of->at, of->end, false);

	if (of->dialect == SQL_MYSQL)
		leave_out(of, escaped, "''");
	else if (of->dialect == SQL_UNKNOWN && plain != escaped)
		stop(of);
	/* A name with a backslash is left out, too, because the fingerprint
	 * takes a backslash for an escape. */
	else if (!is_name(of, plain) ||
		 memchr(of->at, '\\', (size_t)(plain - of->at)))
		leave_out(of, plain, "''");
	else
		copy(of, plain);
}

static void
skip_line(struct redacting *of)
{
	const char *newline = memchr(of->at, '\n', (size_t)(of->end - of->at));

	leave_out(of, newline ? newline + 1 : of->end, "\n");
}

static void
take_dashes(struct redacting *of)
{
	char behind = next_char(of, 2);
	bool blank = behind == '\0' || isspace((unsigned char)behind) ||
		     iscntrl((unsigned char)behind);

	if (blank || of->dialect == SQL_POSTGRES || of->dialect == SQL_SQLITE)
		skip_line(of);
	else if (of->dialect == SQL_MYSQL)
		copy(of, of->at + 1);
	else
		stop(of);
}

static void
take_hash(struct redacting *of)
{
	char behind = next_char(of, 1);

	if (of->dialect == SQL_MYSQL)
		skip_line(of);
	else if (of->dialect != SQL_UNKNOWN || behind == '>' || behind == '-')
		copy(of, of->at + 1);
	else
		stop(of);
}

/* In PostgreSQL, a comment may contain others. */
static void
take_comment(struct redacting *of)
{
	const char *at = of->at + 2;
	unsigned depth = 1;
	bool inner = false;

	/* A comment that MySQL and MariaDB execute: its content is no
	 * comment. */
	if (of->dialect != SQL_POSTGRES && of->dialect != SQL_SQLITE &&
	    (next_char(of, 2) == '!' ||
	     (next_char(of, 2) == 'M' && next_char(of, 3) == '!'))) {
		if (of->dialect == SQL_UNKNOWN)
			stop(of);
		else
			leave_out(of, at + (*at == 'M') + 1, "/*!");
		return;
	}
	while (at < of->end && depth > 0) {
		bool more = at + 1 < of->end;

		if (more && at[0] == '*' && at[1] == '/') {
			depth--;
			at += 2;
		} else if (more && at[0] == '/' && at[1] == '*') {
			inner = true;
			depth += of->dialect == SQL_POSTGRES;
			at += 2;
		} else {
			at++;
		}
	}
	if (inner && of->dialect == SQL_UNKNOWN)
		stop(of);
	else
		leave_out(of, at, " ");
}

static void
take_dollar(struct redacting *of)
{
	const char *end =
		after_name(of) ? NULL : sql_dollars_end(of->at, of->end);

	if (!end || of->dialect == SQL_MYSQL || of->dialect == SQL_SQLITE)
		copy(of, of->at + 1);
	else if (of->dialect == SQL_POSTGRES)
		leave_out(of, end, "''");
	else
		stop(of);
}

/* `name` in MySQL and SQLite; an operator in PostgreSQL. */
static void
take_backtick(struct redacting *of)
{
	const char *end = sql_quoted_end(of->at, of->end, false);
	size_t length = (size_t)(end - of->at);

	if (of->dialect == SQL_POSTGRES)
		leave_out(of, of->at + 1, " ");
	else if (of->dialect == SQL_UNKNOWN && memchr(of->at, '\'', length))
		stop(of);
	else
		copy(of, end);
}

/* [name] in SQLite, where it may have quotes in it; in PostgreSQL an array. */
static void
take_square_bracket(struct redacting *of)
{
	const char *end = memchr(of->at, ']', (size_t)(of->end - of->at));
	bool quotes;

	end = end ? end + 1 : of->end;
	quotes = memchr(of->at, '\'', (size_t)(end - of->at)) ||
		 memchr(of->at, '"', (size_t)(end - of->at));
	if (of->dialect == SQL_SQLITE && quotes)
		leave_out(of, end, "''");
	else if (of->dialect == SQL_UNKNOWN && quotes && of->at[1] != '\'')
		stop(of);
	else
		copy(of, of->at + 1);
}

static void
take_piece(struct redacting *of)
{
	char c = *of->at, behind = next_char(of, 1);

	if (c == '\'')
		take_string(of);
	else if (c == '"')
		take_double_quoted(of);
	else if (c == '`')
		take_backtick(of);
	else if (c == '[')
		take_square_bracket(of);
	else if (c == '-' && behind == '-')
		take_dashes(of);
	else if (c == '/' && behind == '*')
		take_comment(of);
	else if (c == '#')
		take_hash(of);
	else if (c == '$')
		take_dollar(of);
	else
		copy(of, of->at + 1);
}

bool
redact_sql(struct str *to, const char *sql, size_t length,
	   enum sql_dialect dialect)
{
	struct redacting of = { .to = to,
				.first = sql,
				.at = sql,
				.end = sql + length,
				.dialect = dialect };

	while (of.at < of.end)
		take_piece(&of);
	return !of.stopped;
}
