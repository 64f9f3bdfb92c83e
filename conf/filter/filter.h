/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A filter says which functions to trace: ltrace's language,
 *
 *	filter := rule+		rule := [+-] [symbol] [@library]
 *
 * where symbol and library are globs or /regular expressions/, `malloc` is
 * `malloc@*`, `@lib` is `*@lib`, a leading `-` or `!` has an implicit `@`
 * before it, MAIN is the program, a library with a slash is a path (from the
 * root, or the last parts of one). Beyond ltrace:
 *
 * - commas between names, which go on with the sign before them and share the
 *   library behind the last: `-a,b` leaves out both, `a,b@lib` is
 *   `a@lib+b@lib`;
 * - quotes and backslash protect + - , @, and so do closed <> () and [];
 * - in a library, + and - are signs only where no longer reading is a known
 *   soname or has the first `.so` in it (libstdc++.so.6);
 * - `::` or `(` in a symbol matches demangled names, in whole or without what
 *   they return or take;
 * - name@@VERSION selects a symbol version.
 */
#ifndef CONF_FILTER_FILTER_H
#define CONF_FILTER_FILTER_H

#include "base/attr.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct filter;

/* What a rule is asked about. */
struct filter_module {
	const char *label; /* soname, or the last part of the path */
	const char *path;  /* as the loader knows it; may be NULL */
	bool main;
};

/* For the longest reading of + and - in libraries; may be NULL. */
struct filter_sonames {
	/* Is text the soname of a library that is loaded, or a glob of one? */
	bool (*known)(const struct filter_sonames *sonames, const char *text);
};

/*
 * Parses text. -EINVAL with one sentence in err, and *ret_column (from 0) the
 * place in text where it went wrong.
 */
must_check int filter_parse(const char *text,
			    const struct filter_sonames *sonames,
			    struct filter **ret_filter, size_t *ret_column,
			    struct err *err);
void filter_free(struct filter *filter);

/* True where some rule could choose a symbol of this module at all. */
bool filter_wants_module(const struct filter *filter,
			 const struct filter_module *module);

/*
 * Is name (mangled; version may be NULL) chosen? demangled is asked for only
 * where a rule needs it; it may return NULL.
 */
struct filter_symbol {
	const char *name;
	const char *version;
	const char *(*demangled)(const struct filter_symbol *symbol);
	void *user;
};
bool filter_chooses(const struct filter *filter,
		    const struct filter_module *module,
		    const struct filter_symbol *symbol);

/*
 * The plain names that the filter asks for by themselves ("malloc", not
 * globs), so that one that is found nowhere can be said; NULL-terminated,
 * owned by the filter. When *ret_only is true nothing else can be chosen and
 * symbols may be looked up instead of walked.
 */
const char *const *filter_plain_names(const struct filter *filter,
				      bool *ret_only);

#endif
