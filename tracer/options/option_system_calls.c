/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The argument of -S is a filter of conf/filter, in which %class means the
 * names of all calls of the class. The classes and their names are those of
 * strace(1): people know them.
 */
#include "tracer/options/option_system_calls.h"

#include "arch/arch.h"
#include "base/str.h"
#include "conf/filter/filter.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

static const struct system_call_class {
	const char *name, *calls;
} classes[] = {
#define CLASS(name, calls) { name, calls },
#include "tracer/options/system_call_classes.def"
#undef CLASS
};

static const struct system_call_class *
class_named(const char *name, size_t length)
{
	for (size_t i = 0; i < array_size(classes); i++) {
		if (strlen(classes[i].name) == length &&
		    !strncmp(classes[i].name, name, length))
			return &classes[i];
	}
	return NULL;
}

/* Replaces %class by the names of its calls, and +- by -. */
static int
expand(const char *text, struct str *to, struct err *err)
{
	while (*text) {
		const struct system_call_class *class;
		size_t length = 0;

		if (*text != '%') {
			if (text[0] != '+' || text[1] != '-')
				str_add_char(to, *text);
			text++;
			continue;
		}
		while (isalnum((unsigned char)text[1 + length]) ||
		       text[1 + length] == '_')
			length++;
		class = class_named(text + 1, length);
		if (!class)
			return err_set(
				err, -EINVAL,
				"'%.*s' is no class of system calls: "
				"they are %%file, %%desc, %%net, "
				"%%process, %%memory, %%signal and %%ipc",
				(int)length + 1, text);
		str_add(to, class->calls);
		text += length + 1;
	}
	return 0;
}

/* Which rules of the filter name a call is noted in the filter. */
static void
compare(const struct filter *filter)
{
	const struct arch_system_call *call = arch_of_host()->system_call;
	const struct filter_module module = { .label = "SYS" };

	for (long number = 0; number < call->count(); number++) {
		const struct filter_symbol symbol = { .name = call->name(
							      number) };

		if (symbol.name && filter_chooses(filter, &module, &symbol))
			continue;
	}
}

/* The first rule that names no system call. Calls that are not known yet are
 * named by their numbers. */
static bool
find_wrong(const struct filter *filter, struct filter_rule_seen *ret_rule)
{
	compare(filter);
	for (size_t i = 0; filter_rule(filter, i, ret_rule); i++) {
		if (!ret_rule->matched &&
		    strncmp(ret_rule->text, "syscall_", strlen("syscall_")) &&
		    strncmp(ret_rule->text, "compat_", strlen("compat_")))
			return true;
	}
	return false;
}

int
system_calls_read(const struct given *given, struct filter **ret_filter,
		  struct err *err)
{
	struct filter_rule_seen rule;
	struct given whole = *given;
	struct str text;
	struct err why;
	int r;

	str_init(&text);
	r = expand(given->text, &text, &why);
	if (r < 0) {
		str_release(&text);
		return err_set(err, r, "%s: %s", given->spelled, why.text);
	}
	whole.text = str_text(&text);
	r = value_filter(&whole, ret_filter, err);
	if (r == 0 && find_wrong(*ret_filter, &rule)) {
		r = err_set(err, -EINVAL, "%s: no system call is named '%s'",
			    given->spelled, rule.text);
		filter_free(take(*ret_filter));
	}
	str_release(&text);
	return r;
}

static bool
names_calls(const char *text)
{
	const struct given given = { .name = OPTION_SYSCALLS, .text = text };
	struct filter *filter;
	struct err ignored;

	if (system_calls_read(&given, &filter, &ignored) < 0)
		return false;
	filter_free(filter);
	return true;
}

/* Are these letters of options without arguments? */
static bool
are_options(const char *letters)
{
	for (; *letters; letters++) {
		enum option_name name = option_of_code(*letters);

		if (name == OPTIONS ||
		    option_rows[name].argument != OPTION_ARGUMENT_NONE)
			return false;
	}
	return true;
}

void
system_calls_find_filter(char **argv, int *next, char **text)
{
	char *following = argv[*next];

	if (*text && are_options(*text) && !names_calls(*text)) {
		/* getopt() reads them as a word of its own. */
		argv[--*next] = *text - 1;
		*argv[*next] = '-';
		*text = NULL;
	} else if (!*text && following && *following != '-' &&
		   strpbrk(following, "*+,%") && names_calls(following)) {
		*text = following;
		++*next;
	}
}

int
system_calls_take(struct options *options, const struct given *given,
		  struct err *err)
{
	struct filter *filter;
	int r;

	options->system_calls = true;
	if (!given->text)
		return 0;
	r = system_calls_read(given, &filter, err);
	if (r == 0)
		vec_push(&options->system_call_filters, filter);
	return r;
}
