/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Before the text is parsed as a filter, each %class is replaced by the names
 * of its system calls:
 *
 *	text		%net+dup		%ipc+-msgget
 *	expanded	accept,...,socket+dup	msgctl,...,shmget-msgget
 *
 * A mistake is found in the expanded text, but its message tells the place in
 * the user's text. All bytes of a class's names have the place of its %.
 */
#include "conf/filter/call_filter.h"

#include "base/str.h"
#include "base/vec.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

struct expansion {
	struct str text;
	vec_of(size_t) origins; /* the place of each byte in the user's text */
	size_t end;		/* the length of the user's text */
};

static void
expansion_add(struct expansion *expansion, const char *bytes, size_t length,
	      size_t origin)
{
	str_add_bytes(&expansion->text, bytes, length);
	for (size_t i = 0; i < length; i++)
		vec_push(&expansion->origins, origin);
}

static void
expansion_release(struct expansion *expansion)
{
	str_release(&expansion->text);
	vec_release(&expansion->origins);
}

/* The place in the user's text of a column in the expanded text. */
static size_t
origin_of(const struct expansion *expansion, size_t column)
{
	return column < expansion->origins.count ? expansion->origins.at[column]
						 : expansion->end;
}

static const struct call_class *
class_named(const struct call_names *names, const char *name, size_t length)
{
	for (size_t i = 0; i < names->class_count; i++) {
		const struct call_class *class = &names->classes[i];

		if (strlen(class->name) == length &&
		    !strncmp(class->name, name, length))
			return class;
	}
	return NULL;
}

static int
refuse_class(const struct call_names *names, const char *class, size_t length,
	     struct err *err)
{
	struct str known;
	int r;

	str_init(&known);
	for (size_t i = 0; i < names->class_count; i++)
		str_addf(&known, "%s%%%s",
			 i == 0			       ? ""
			 : i + 1 == names->class_count ? " and "
						       : ", ",
			 names->classes[i].name);
	r = err_set(err, -EINVAL,
		    "'%.*s' is no class of system calls: they are %s",
		    (int)length, class, str_text(&known));
	str_release(&known);
	return r;
}

/* Replaces %class by the names of its calls, and +- by -. */
static int
expand(const char *text, const struct call_names *names,
       struct expansion *expansion, size_t *ret_column, struct err *err)
{
	size_t at = 0;

	while (text[at]) {
		const struct call_class *class;
		size_t length = 1;

		if (text[at] != '%') {
			if (text[at] != '+' || text[at + 1] != '-')
				expansion_add(expansion, text + at, 1, at);
			at++;
			continue;
		}
		while (isalnum((unsigned char)text[at + length]) ||
		       text[at + length] == '_')
			length++;
		class = class_named(names, text + at + 1, length - 1);
		if (!class) {
			*ret_column = at;
			return refuse_class(names, text + at, length, err);
		}
		expansion_add(expansion, class->calls, strlen(class->calls),
			      at);
		at += length;
	}
	expansion->end = at;
	return 0;
}

/* Makes the filter note which of its rules name a call. */
static void
compare(const struct filter *filter, const struct call_names *names)
{
	const struct filter_module module = { .label = "SYS" };

	for (long number = 0; number < names->count(); number++) {
		const struct filter_symbol symbol = { .name = names->name(
							      number) };

		if (symbol.name && filter_chooses(filter, &module, &symbol))
			continue;
	}
}

static bool
is_of_unknown_call(const char *name)
{
	return !strncmp(name, "syscall_", strlen("syscall_")) ||
	       !strncmp(name, "compat_", strlen("compat_"));
}

/* Refuses the first rule that names no system call. */
static int
check_rules(const struct filter *filter, const struct call_names *names,
	    const struct expansion *expansion, const char *text,
	    size_t *ret_column, struct err *err)
{
	struct filter_rule_seen rule;

	compare(filter, names);
	for (size_t i = 0; filter_rule(filter, i, &rule); i++) {
		size_t origin = origin_of(expansion, rule.column);

		if (rule.matched || is_of_unknown_call(rule.text) ||
		    (names->classes_name_more && text[origin] == '%'))
			continue;
		*ret_column = origin;
		return err_set(err, -EINVAL, "no system call%s%s is named '%s'",
			       names->of ? " of " : "",
			       names->of ? names->of : "", rule.text);
	}
	return 0;
}

int
call_filter_parse(const char *text, const struct call_names *names,
		  struct filter **ret_filter, size_t *ret_column,
		  struct err *err)
{
	struct expansion expansion = { .origins = { 0 } };
	struct filter *filter = NULL;
	size_t column = 0;
	int r;

	str_init(&expansion.text);
	r = expand(text, names, &expansion, ret_column, err);
	if (r == 0) {
		r = filter_parse(str_text(&expansion.text), NULL, &filter,
				 &column, err);
		if (r < 0)
			*ret_column = origin_of(&expansion, column);
		else
			r = check_rules(filter, names, &expansion, text,
					ret_column, err);
	}
	if (r == 0)
		*ret_filter = take(filter);
	filter_free(filter);
	expansion_release(&expansion);
	return r;
}
