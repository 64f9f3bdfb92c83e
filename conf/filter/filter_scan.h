/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the end of a word in a filter. + - , and @ end a word, unless they are
 * protected: by quotes, by a backslash, within <> () and [], or as part of a
 * C++ operator's name.
 */
#ifndef CONF_FILTER_FILTER_SCAN_H
#define CONF_FILTER_FILTER_SCAN_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Finds the first unprotected character of stops at or after `at`, or the end
 * of text. Returns -EINVAL if a quote is not closed or nothing follows a
 * backslash; *ret_end is then the position of the quote or backslash.
 */
must_check int filter_scan_word(const char *text, size_t at, const char *stops,
				size_t *ret_end);

/*
 * text[at] is the slash that begins a regular expression. Returns the position
 * of the closing slash, which is followed by one of stops or the end of text,
 * or 0 if there is none.
 */
size_t filter_scan_regex(const char *text, size_t at, const char *stops);

/* The text from start to end without quotes, without blanks around it, and
 * without backslashes, unless a glob needs them. The caller frees it. */
char *filter_unprotect(const char *text, size_t start, size_t end);

/* Like filter_unprotect() for a regular expression, in which \/ is a slash. */
char *filter_unprotect_regex(const char *text, size_t start, size_t end);

#endif
