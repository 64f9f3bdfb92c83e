/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A filter says which functions to trace. It is written in ltrace's language,
 *
 *	filter := rule+		rule := [+-] [symbol] [@library]
 *
 * where symbol and library are globs or /regular expressions/, `malloc` is
 * `malloc@*`, `@lib` is `*@lib`, a leading `-` or `!` has an implicit `@`
 * before it, MAIN is the program, and a library with a slash is a path (from
 * the root, or the last parts of one). Beyond ltrace:
 *
 * - names may be separated by commas; they have the sign before the first and
 *   the library after the last: `-a,b` leaves out both, `a,b@lib` is
 *   `a@lib+b@lib`;
 * - quotes and backslash protect + - , @, and so do closed <> () and [];
 * - in a library, + and - may be a part of the name: the longest text counts
 *   that is a known soname or has the first `.so` in it (libstdc++.so.6);
 * - `::` or `(` in a symbol matches demangled names, in whole or without the
 *   types of the result and the parameters;
 * - name@@VERSION selects a symbol version.
 */
#ifndef CONF_FILTER_FILTER_H
#define CONF_FILTER_FILTER_H

#include "base/attr.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct filter;

/* A module, as filters see it. */
struct filter_module {
	const char *label;     /* soname, or the last part of the path */
	const char *path;      /* without symbolic links; may be NULL */
	const char *linked_as; /* path in the link map; may be NULL */
	bool main;
};

/* Tells filter_parse() which sonames are known, because a library's name may
 * contain + or -. A NULL pointer instead means that none is known. */
struct filter_sonames {
	/* True if text is the soname of a loaded library, or a glob that
	 * matches one. */
	bool (*known)(const struct filter_sonames *sonames, const char *text);
};

/*
 * Parses text. On error, returns -EINVAL with one sentence in err, and the
 * place in text in *ret_column (from 0).
 */
must_check int filter_parse(const char *text,
			    const struct filter_sonames *sonames,
			    struct filter **ret_filter, size_t *ret_column,
			    struct err *err);
void filter_free(struct filter *filter);

/* "open@SYS" and "open*-openat@SYS": is the text a filter of system calls, as
 * in ltrace? */
bool filter_means_system_calls(const char *text);

/* From now on, a rule without `::` and `(` is compared with both names of a
 * symbol: the mangled one, and the demangled one as it is printed, without
 * types of result and parameters. */
void filter_compare_printed(struct filter *filter);

/* True if a rule could choose a symbol of this module. */
bool filter_wants_module(const struct filter *filter,
			 const struct filter_module *module);

/*
 * A symbol: its name (mangled) and version, which may be NULL. demangled() is
 * called only if a rule needs it, and may return NULL.
 */
struct filter_symbol {
	const char *name;
	const char *version;
	const char *(*demangled)(const struct filter_symbol *symbol);
	void *user;
};
/* True if the filter selects the symbol of the module. Notes for filter_rule()
 * which rules have matched a symbol. */
bool filter_chooses(const struct filter *filter,
		    const struct filter_module *module,
		    const struct filter_symbol *symbol);

/*
 * The plain names in the filter ("malloc", not globs). NULL-terminated, owned
 * by the filter. If *ret_only is true, the filter can choose nothing else, and
 * the caller may look these symbols up instead of matching all.
 */
const char *const *filter_plain_names(const struct filter *filter,
				      bool *ret_only);

/* False if no rule selects a function of this name in any module. */
bool filter_could_choose(const struct filter *filter, const char *name);

/* Notes for filter_rule() that this module exists. */
void filter_saw_module(struct filter *filter,
		       const struct filter_module *module);

/* A rule that adds functions, so that the user can be told that it matches
 * nothing. The filter owns the texts. */
struct filter_rule_seen {
	const char *text;    /* the rule, "f@libx.so" */
	size_t column;	     /* the rule's place in the filter, from 0 */
	const char *symbol;  /* the only name that the rule chooses, or NULL */
	const char *library; /* the rule's only library, or NULL */
	bool any_library;
	bool main;	  /* the rule's library is MAIN */
	bool module_seen; /* a module matches the rule's library */
	bool matched;	  /* a symbol was seen that the rule matches */
};
/* Finds the rule with that number (from 0; rules that remove functions are not
 * counted). False if there is none. */
bool filter_rule(const struct filter *filter, size_t number,
		 struct filter_rule_seen *ret_rule);

#endif
