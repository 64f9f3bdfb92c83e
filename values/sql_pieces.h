/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ends of those pieces of SQL that can be recognized by their characters,
 * and facts about words. at is the beginning of a piece, end is the end of the
 * text. A piece that is not closed ends with the text. */
#ifndef VALUES_SQL_PIECES_H
#define VALUES_SQL_PIECES_H

#include "base/attr.h"

#include <stdbool.h>

/* Facts about a word in lower case: sql_is_keyword() is true if the word before
 * a bracket is no function name. sql_precedes_text() is true if double quotes
 * after the word enclose a string. */
bool sql_is_keyword(const char *word);
bool sql_precedes_text(const char *word);

/* True if the character may be part of a name or a word. */
bool sql_in_name(char c);

/* The place after the closing quote, which is like the quote at `at`. A doubled
 * quote does not close, and neither does a quote after a backslash if escapes
 * is true. */
const char *sql_quoted_end(const char *at, const char *end, bool escapes);

/* The place after a $tag$ text $tag$ of PostgreSQL; NULL if there is none at
 * `at`. */
const char *sql_dollars_end(const char *at, const char *end);

/* The place after a number: 12, 1.5e-3, 0xff. */
const char *sql_number_end(const char *at, const char *end);

#endif
