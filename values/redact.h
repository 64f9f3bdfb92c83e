/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A query without the content of its strings and without its comments
 * (--redact). The fingerprint of the result then has no literal of the query:
 *
 *	select "a" from t where b = 'it''s' -- c	becomes, for PostgreSQL,
 *	select "a" from t where b = ''
 *
 * Where a string ends depends on the server, and the fingerprint of a text
 * guesses it. Here nothing is guessed: if a text can be read in two ways, it is
 * left out with the rest of the query.
 */
#ifndef VALUES_REDACT_H
#define VALUES_REDACT_H

#include "base/attr.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* The server whose rules for strings, names and comments apply. */
enum sql_dialect { SQL_UNKNOWN, SQL_MYSQL, SQL_POSTGRES, SQL_SQLITE };

/* Adds the text without its strings and comments. False if the rest of the text
 * was left out, because it can be read in two ways. */
must_check bool redact_sql(struct str *to, const char *sql, size_t length,
			   enum sql_dialect dialect);

#endif
