/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ruby's methods may be called [] or []=. In a glob, brackets enclose a set of
 * characters, but [] would be an empty set. Therefore [] means the two
 * brackets.
 *
 * CPython's probe has the path of the file and the name of the function. The
 * module's name is made from the path: a/b/c.py is c, b.c and a.b.c, and
 * a/b/__init__.py is b and a.b. The name of <frozen importlib._bootstrap> is
 * between the brackets.
 */
#include "conf/filter/script_filter.h"

#include "base/pattern.h"
#include "base/str.h"
#include "base/xmalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* How many folders of a path may be named in a filter. */
#define FOLDERS_MOST 16

struct script_filter {
	bool subtract, matched;
	enum script_language language;
	struct pattern *pattern;
	char *text; /* the filter as the user gave it */
};

static const struct {
	const char *prefix;
	const char *separators; /* between class or module and function */
} languages[SCRIPT_LANGUAGES] = {
	[SCRIPT_RUBY] = { "rb:", "#." },
	[SCRIPT_PYTHON] = { "py:", "." },
	[SCRIPT_PHP] = { "php:", ":" },
};

/* ---- reading ------------------------------------------------------------ */

/* Returns the length of the language and its colon, or 0. A C++ name may begin
 * with php::. */
static size_t
language_of(const char *text, enum script_language *ret_language)
{
	for (int i = 0; i < SCRIPT_LANGUAGES; i++) {
		size_t length = strlen(languages[i].prefix);

		if (strncmp(text, languages[i].prefix, length) != 0 ||
		    text[length] == ':')
			continue;
		*ret_language = (enum script_language)i;
		return length;
	}
	return 0;
}

bool
script_filter_meant(const char *text)
{
	enum script_language language;

	return language_of(text + (*text == '-'), &language) > 0;
}

/* The glob with a backslash before the brackets of []. */
static char *
quote_brackets(const char *glob)
{
	struct str quoted;

	str_init(&quoted);
	for (; *glob; glob++) {
		if (glob[0] == '[' && glob[1] == ']') {
			str_add(&quoted, "\\[\\]");
			glob++;
		} else {
			str_add_char(&quoted, *glob);
		}
	}
	return str_take(&quoted);
}

int
script_filter_parse(const char *text, struct script_filter **ret_filter,
		    size_t *ret_column, struct err *err)
{
	struct script_filter filter = { .subtract = *text == '-' };
	size_t at = filter.subtract;
	size_t length = language_of(text + at, &filter.language);
	cleanup(freep) char *glob = NULL;
	int r;

	*ret_column = at;
	if (!length)
		return err_set(err, -EINVAL, "expected rb:, py: or php:");
	at += length;
	*ret_column = at;
	if (!text[at])
		return err_set(err, -EINVAL,
			       "expected the name of a function, or *");
	if (strchr(languages[filter.language].separators,
		   text[strlen(text) - 1])) {
		*ret_column = strlen(text);
		return err_set(err, -EINVAL,
			       "expected the name of a function behind %s",
			       text + at);
	}
	glob = quote_brackets(text + at);
	r = pattern_glob(glob, &filter.pattern, err);
	if (r < 0)
		return r;
	filter.text = xstrdup(text);
	*ret_filter = xmalloc(sizeof(filter));
	**ret_filter = filter;
	return 0;
}

void
script_filter_free(struct script_filter *filter)
{
	if (!filter)
		return;
	pattern_free(filter->pattern);
	free(filter->text);
	free(filter);
}

bool
script_filter_subtracts(const struct script_filter *filter)
{
	return filter->subtract;
}

enum script_language
script_filter_language(const struct script_filter *filter)
{
	return filter->language;
}

const char *
script_filter_unmatched(const struct script_filter *filter)
{
	return filter->matched || filter->subtract ? NULL : filter->text;
}

/* ---- names -------------------------------------------------------------- */

static bool
ends_with(const char *text, size_t length, const char *end)
{
	size_t of_end = strlen(end);

	return length >= of_end && !memcmp(text + length - of_end, end, of_end);
}

/* The module of a file: its path without .py and /__init__, or what is frozen
 * into the interpreter. Sets *ret_length. */
static const char *
module_of(const char *file, size_t *ret_length)
{
	static const char frozen[] = "<frozen ";
	size_t length = strlen(file);

	if (!strncmp(file, frozen, strlen(frozen)) &&
	    ends_with(file, length, ">")) {
		*ret_length = length - strlen(frozen) - 1;
		return file + strlen(frozen);
	}
	if (ends_with(file, length, ".py"))
		length -= strlen(".py");
	if (ends_with(file, length, "/__init__"))
		length -= strlen("/__init__");
	*ret_length = length;
	return file;
}

/* The name of a Python function with its module, behind the names of the last
 * `folders` folders of the module's path; NULL if the path has fewer. */
static char *
python_name(const struct script_function *function, unsigned folders)
{
	size_t length, at;
	const char *module = module_of(function->file, &length);
	unsigned passed = 0;
	char *name;

	for (at = length; at > 0; at--) {
		if (module[at - 1] == '/' && passed++ == folders)
			break;
	}
	if (passed < folders || (at == 0 && *module == '/'))
		return NULL;
	name = xasprintf("%.*s.%s", (int)(length - at), module + at,
			 function->function);
	for (char *c = name; c < name + (length - at); c++) {
		if (*c == '/')
			*c = '.';
	}
	return name;
}

char *
script_function_name(const struct script_function *function)
{
	const char *between = *function->class ? "::" : "";
	char *name;

	switch (function->language) {
	case SCRIPT_RUBY:
		return xasprintf("%s#%s", function->class, function->function);
	case SCRIPT_PYTHON:
		name = python_name(function, 0);
		return name ? name : xstrdup(function->function);
	default:
		return xasprintf("%s%s%s", function->class, between,
				 function->function);
	}
}

/* ---- matching ----------------------------------------------------------- */

static bool
fits(const struct script_filter *filter, const char *name)
{
	return pattern_matches(filter->pattern, name);
}

static bool
fits_python(const struct script_filter *filter,
	    const struct script_function *function)
{
	for (unsigned folders = 0; folders <= FOLDERS_MOST; folders++) {
		cleanup(freep) char *name = python_name(function, folders);

		if (!name)
			return false;
		if (fits(filter, name))
			return true;
	}
	return false;
}

static bool
fits_ruby(const struct script_filter *filter,
	  const struct script_function *function)
{
	cleanup(freep) char *method = script_function_name(function);
	cleanup(freep) char *of_class =
		xasprintf("%s.%s", function->class, function->function);

	return fits(filter, method) || fits(filter, of_class);
}

static bool
fits_php(const struct script_filter *filter,
	 const struct script_function *function)
{
	cleanup(freep) char *name = script_function_name(function);

	return fits(filter, name);
}

/* Does the filter name functions without their classes or modules? */
static bool
names_alone(const struct script_filter *filter)
{
	return !strpbrk(pattern_text(filter->pattern),
			languages[filter->language].separators);
}

bool
script_filter_matches(struct script_filter *filter,
		      const struct script_function *function)
{
	bool matches;

	if (filter->language != function->language)
		return false;
	if (names_alone(filter) && fits(filter, function->function))
		matches = true;
	else if (filter->language == SCRIPT_PYTHON)
		matches = fits_python(filter, function);
	else if (filter->language == SCRIPT_RUBY)
		matches = fits_ruby(filter, function);
	else
		matches = fits_php(filter, function);
	filter->matched |= matches;
	return matches;
}
