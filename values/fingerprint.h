/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fingerprint is the common part of queries that differ only in their values,
 * so that they can be counted: literals and placeholders are ?, lists of them
 * are (?+), comments and white space are removed, and text without quotes is in
 * lower case.
 *
 *	SELECT * FROM users WHERE id IN (1,2) -- comment	and
 *	select *  from users where id in (?)			both become
 *	select * from users where id in(?+)
 */
#ifndef VALUES_FINGERPRINT_H
#define VALUES_FINGERPRINT_H

#include "base/str.h"

#include <stddef.h>

/* The maximum length. A longer fingerprint is cut and ends in "...". */
#define FINGERPRINT_MOST 8192u

/* Adds the fingerprint of the text, which may be any bytes. */
void fingerprint_add(struct str *to, const char *sql, size_t length);

#endif
