/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of a single statement, the first word matters:
 *
 *	USE name		chooses a database
 *	EXECUTE ...		may run a USE that was prepared (MariaDB)
 *	CALL ...		runs a procedure, which may run a USE
 *	DROP DATABASE ...	may drop the database that is used
 *	SET STATEMENT ... FOR	has another statement behind it (MariaDB)
 *
 * A procedure that fails may have run a USE before it failed.
 *
 * In several statements, or in a compound statement, these words may be
 * anywhere, also in a literal, where they do nothing. Then the database is
 * treated as unknown, because a wrong name would be worse.
 *
 * A comment that the server executes may contain anything, too.
 */
#include "protocols/mysql_database.h"

#include "base/attr.h"
#include "protocols/mysql_parts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct cursor {
	const char *at, *end;
};

static bool
begins(const struct cursor *c, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(c->end - c->at) >= length &&
	       !memcmp(c->at, text, length);
}

static void
skip_line(struct cursor *c)
{
	while (c->at < c->end && *c->at != '\n')
		c->at++;
}

/* Skips a comment. False if there is none, or the server executes it. */
static bool
skip_comment(struct cursor *c)
{
	if (begins(c, "#") || begins(c, "-- ") || begins(c, "--\n")) {
		skip_line(c);
		return true;
	}
	if (!begins(c, "/*") || begins(c, "/*!") || begins(c, "/*M!"))
		return false;
	for (c->at += 2; c->at < c->end && !begins(c, "*/");)
		c->at++;
	c->at = c->end - c->at > 2 ? c->at + 2 : c->end;
	return true;
}

static void
skip_blanks(struct cursor *c)
{
	do {
		while (c->at < c->end && isspace((unsigned char)*c->at))
			c->at++;
	} while (c->at < c->end && skip_comment(c));
}

/* A byte of a name without quotes; all bytes above ASCII count as letters. */
static bool
in_name(char byte)
{
	return isalnum((unsigned char)byte) || byte == '_' || byte == '$' ||
	       (unsigned char)byte >= 0x80;
}

static struct cursor
take_word(struct cursor *c)
{
	struct cursor word = { c->at, c->at };

	while (word.end < c->end && in_name(*word.end))
		word.end++;
	c->at = word.end;
	return word;
}

static bool
is_word(const struct cursor *word, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(word->end - word->at) == length &&
	       !strncasecmp(word->at, text, length);
}

/* Can a statement that begins with the word change the database? */
static bool
may_change(const struct cursor *word)
{
	return is_word(word, "use") || is_word(word, "execute") ||
	       is_word(word, "call") || is_word(word, "drop");
}

/* Is one of the words of may_change() anywhere in the text? */
static bool
is_anywhere(struct cursor c)
{
	while (c.at < c.end) {
		struct cursor word = take_word(&c);

		if (may_change(&word))
			return true;
		if (c.at < c.end)
			c.at++;
	}
	return false;
}

/* Is the next word one of these? True even if it may be in a comment that the
 * server executes. */
static bool
is_next(struct cursor c, const char *one, const char *other)
{
	struct cursor word;

	skip_blanks(&c);
	if (begins(&c, "/*"))
		return true;
	word = take_word(&c);
	return is_word(&word, one) || is_word(&word, other);
}

/* Can the single statement have changed the database? `word` is its first word,
 * and `c` is behind it. */
static bool
changes(const struct cursor *word, struct cursor c, bool done)
{
	if (is_word(word, "call"))
		return true;
	if (is_word(word, "drop"))
		return done && is_next(c, "database", "schema");
	if (is_word(word, "set"))
		return is_next(c, "statement", "statement") && is_anywhere(c);
	return done && may_change(word);
}

/* Takes the name of a database, with or without quotes. False if it has a quote
 * in it, or is missing. */
static bool
take_name(struct cursor *c, struct cursor *ret_name)
{
	const char *quote;

	if (c->at == c->end || *c->at != '`') {
		*ret_name = take_word(c);
		return ret_name->at < ret_name->end;
	}
	c->at++;
	quote = memchr(c->at, '`', (size_t)(c->end - c->at));
	if (!quote || quote == c->at || (quote + 1 < c->end && quote[1] == '`'))
		return false;
	*ret_name = (struct cursor){ c->at, quote };
	c->at = quote + 1;
	return true;
}

static bool
is_over(struct cursor c)
{
	skip_blanks(&c);
	if (c.at < c.end && *c.at == ';')
		c.at++;
	skip_blanks(&c);
	return c.at == c.end;
}

/* Is there one statement only, from here to the end? */
static bool
is_single(struct cursor c)
{
	const char *mark = memchr(c.at, ';', (size_t)(c.end - c.at));

	c.at = mark ? mark : c.end;
	return is_over(c);
}

enum mysql_database
mysql_database_after(const char *text, size_t length, bool whole, bool done,
		     const char **ret_name, size_t *ret_length)
{
	struct cursor c = { text, text + length }, word, name;
	bool single;

	skip_blanks(&c);
	if (begins(&c, "/*"))
		return MYSQL_DATABASE_UNKNOWN;
	single = whole && is_single(c);
	if (!single)
		return is_anywhere(c) || (!whole && memchr(text, ';', length))
			       ? MYSQL_DATABASE_UNKNOWN
			       : MYSQL_DATABASE_KEPT;
	word = take_word(&c);
	if (!changes(&word, c, done))
		return MYSQL_DATABASE_KEPT;
	skip_blanks(&c);
	if (!is_word(&word, "use") || !take_name(&c, &name) || !is_over(c))
		return MYSQL_DATABASE_UNKNOWN;
	*ret_name = name.at;
	*ret_length = (size_t)(name.end - name.at);
	return MYSQL_DATABASE_NAMED;
}

/* ---- COM_CHANGE_USER -------------------------------------------------------
 */

/* Skips a string that a zero byte ends. False if the zero is missing. */
static bool
skip_string(struct cursor *c)
{
	const char *zero = memchr(c->at, '\0', (size_t)(c->end - c->at));

	if (zero)
		c->at = zero + 1;
	return zero;
}

/* Skips what proves the password: a byte with its length, then so many bytes.
 * Clients before MySQL 4.1 send a string instead. */
static bool
skip_proof(struct cursor *c, uint32_t can)
{
	size_t length;

	if (can && !(can & MYSQL_CAN_SECURE))
		return skip_string(c);
	if (c->at == c->end)
		return false;
	length = (unsigned char)*c->at++;
	if ((size_t)(c->end - c->at) < length)
		return false;
	c->at += length;
	return true;
}

/* Behind the database are two bytes for the character set, and the name of the
 * plugin for the password; older clients send less. */
static bool
may_be_rest(struct cursor c)
{
	struct cursor name;

	if (c.end - c.at <= 2)
		return c.at == c.end || c.end - c.at == 2;
	c.at += 2;
	name = c;
	if (!skip_string(&c))
		return false;
	for (; *name.at; name.at++)
		if (*name.at <= ' ' || *name.at > '~')
			return false;
	return true;
}

bool
mysql_database_of_user(const unsigned char *packet, size_t kept, uint32_t can,
		       const char **ret_name, size_t *ret_length)
{
	struct cursor c = { (const char *)packet + 1,
			    (const char *)packet + kept };
	const char *name;

	if (!skip_string(&c) || !skip_proof(&c, can))
		return false;
	name = c.at;
	if (!skip_string(&c) || !may_be_rest(c))
		return false;
	*ret_name = name;
	*ret_length = (size_t)(c.at - 1 - name);
	return true;
}
