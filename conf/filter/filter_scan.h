/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a word of a filter ends. + - , and @ end one, unless they are
 * protected: by quotes, by a backslash, within <> () and [], or as part of a
 * C++ operator's name.
 */
#ifndef CONF_FILTER_FILTER_SCAN_H
#define CONF_FILTER_FILTER_SCAN_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The first unprotected character of stops at or after `at`, or the end of
 * text. -EINVAL where a quote is not closed or nothing is behind a backslash;
 * *ret_end is then where that stands.
 */
must_check int filter_scan_word(const char *text, size_t at, const char *stops,
				size_t *ret_end);

/*
 * text[at] is the slash that begins a regular expression: the slash that ends
 * it, being followed by one of stops or the end of text. 0 where there is
 * none.
 */
size_t filter_scan_regex(const char *text, size_t at, const char *stops);

/* What stands between, without quotes and what blank surrounds it, and
 * without backslashes but those that a glob needs. Freed by the caller. */
char *filter_unprotect(const char *text, size_t start, size_t end);

/* The same of a regular expression, where \/ is a slash. */
char *filter_unprotect_regex(const char *text, size_t start, size_t end);

#endif
