/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A filter of -x that begins with a language says which functions of scripts to
 * trace:
 *
 *	filter := [-] language : glob
 *	language := rb | py | php
 *
 * The glob is matched with what a function is called: Class#method in Ruby,
 * module.function in Python, Class::method or function in PHP. Ruby's methods
 * are also found as Class.method, and Python's functions with any number of the
 * folders that contain the module: package.module.function. A glob without the
 * class or the module means the functions of that name in all of them. With `-`
 * the filter leaves functions out; the last filter that matches counts.
 */
#ifndef CONF_FILTER_SCRIPT_FILTER_H
#define CONF_FILTER_SCRIPT_FILTER_H

#include "base/attr.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum script_language {
	SCRIPT_RUBY,
	SCRIPT_PYTHON,
	SCRIPT_PHP,
	SCRIPT_LANGUAGES,
};

/* A function of a script, as its interpreter's probe tells of it. */
struct script_function {
	enum script_language language;
	const char *class; /* "" if there is none */
	const char *function;
	const char *file;
};

struct script_filter;

/* True if the argument of -x begins with a language and a colon. A - may be
 * before them. */
bool script_filter_meant(const char *text);

/* Parses text. On error, returns -EINVAL with one sentence in err, and the
 * place in text in *ret_column (from 0). */
must_check int script_filter_parse(const char *text,
				   struct script_filter **ret_filter,
				   size_t *ret_column, struct err *err);
void script_filter_free(struct script_filter *filter);

bool script_filter_subtracts(const struct script_filter *filter);
enum script_language script_filter_language(const struct script_filter *filter);
/* True if the filter matches the function; then notes that it has matched. */
bool script_filter_matches(struct script_filter *filter,
			   const struct script_function *function);
/* The text of a filter that has matched no function. NULL if it has matched
 * one, or if it leaves functions out. */
const char *script_filter_unmatched(const struct script_filter *filter);

/* The name of a script's function as users know it: Class#method in Ruby. The
 * caller frees it. */
char *script_function_name(const struct script_function *function);

#endif
