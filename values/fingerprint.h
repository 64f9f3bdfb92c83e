/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fingerprint is what queries have in common that differ only in their
 * values, as it is to be counted: literals and placeholders are ?, lists of
 * them are (?+), comments and white space are gone, what is not quoted is in
 * lower case.
 *
 *	SELECT * FROM users WHERE id IN (1,2) -- who		and
 *	select *  from users where id in (?)			are both
 *	select * from users where id in(?+)
 */
#ifndef VALUES_FINGERPRINT_H
#define VALUES_FINGERPRINT_H

#include "base/str.h"

#include <stddef.h>

/* No more is added; what is longer ends in "...". */
#define FINGERPRINT_MOST 8192u

/* Adds that of the text, which may be any bytes. */
void fingerprint_add(struct str *to, const char *sql, size_t length);

#endif
