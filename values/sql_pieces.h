/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the pieces of SQL end that are told by how they look, and what is known
 * of its words. at is where a piece begins, end is behind the text; what is not
 * closed ends with the text. */
#ifndef VALUES_SQL_PIECES_H
#define VALUES_SQL_PIECES_H

#include "base/attr.h"

#include <stdbool.h>

/* Words in lower case: one that is no function's name before a bracket; one
 * behind which what stands in double quotes is text. */
bool sql_is_keyword(const char *word);
bool sql_precedes_text(const char *word);

/* May it stand in a name, or in a word? */
bool sql_in_name(char c);

/* Behind the quote that is like the one at `at`; a doubled one is in it, and so
 * is one with a backslash before it where those escape. */
const char *sql_quoted_end(const char *at, const char *end, bool escapes);

/* $tag$ text $tag$, of PostgreSQL; NULL where it is none. */
const char *sql_dollars_end(const char *at, const char *end);

/* 12, 1.5e-3, 0xff: behind it, whatever follows. */
const char *sql_number_end(const char *at, const char *end);

#endif
