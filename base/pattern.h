/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pattern is compiled once and matched against many names. It is an exact
 * name, a glob (fnmatch(3)) or a POSIX basic regular expression (regex(7)), as
 * in ltrace's filters.
 */
#ifndef BASE_PATTERN_H
#define BASE_PATTERN_H

#include "base/attr.h"
#include "base/err.h"

#include <stdbool.h>

struct pattern;

/* A text without * ? [ \ is an exact name. Free the pattern with
 * pattern_free(). */
must_check int pattern_glob(const char *text, struct pattern **ret_pattern,
			    struct err *err);
must_check int pattern_regex(const char *text, struct pattern **ret_pattern,
			     struct err *err);
void pattern_free(struct pattern *pattern);

bool pattern_matches(const struct pattern *pattern, const char *name);

/* The pattern as it was written. */
const char *pattern_text(const struct pattern *pattern);
/* The only name that the pattern matches, or NULL if it may match several. */
const char *pattern_exact(const struct pattern *pattern);
/* True if the pattern is "*". */
bool pattern_matches_all(const struct pattern *pattern);

#endif
