/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The argument of -S is a filter of conf/filter/call_filter. The classes and
 * their names are those of strace(1): people know them.
 */
#include "tracer/options/option_system_calls.h"

#include "arch/arch.h"
#include "conf/filter/call_filter.h"

#include <string.h>

static const struct call_class classes[] = {
#define CLASS(name, calls) { name, calls },
#include "tracer/options/system_call_classes.def"
#undef CLASS
};

/* The filter is read before the program is known, so it may name the system
 * calls of every kind of program that this machine can run. Kinds share a
 * number only for calls of the same name (struct arch_system_call). */
static long
count_of_all(void)
{
	long most = 0;

	for (size_t i = 0; arch_known[i]; i++) {
		long count = arch_known[i]->system_call->count();

		most = count > most ? count : most;
	}
	return most;
}

static const char *
name_of_any(long number)
{
	const char *name = NULL;

	for (size_t i = 0; arch_known[i] && !name; i++)
		name = arch_known[i]->system_call->name(number);
	return name;
}

int
system_calls_read(const struct given *given, struct filter **ret_filter,
		  struct err *err)
{
	const struct call_names names = {
		.classes = classes,
		.class_count = array_size(classes),
		.count = count_of_all,
		.name = name_of_any,
	};

	return value_call_filter(given, &names, ret_filter, err);
}

/* Programs of one kind may not have all calls that the filter names. */
static void
note_missing(struct options *options, const struct given *given,
	     const struct arch *arch)
{
	const struct call_names names = {
		.classes = classes,
		.class_count = array_size(classes),
		.count = arch->system_call->count,
		.name = arch->system_call->name,
		.of = arch->name,
		.classes_name_more = true,
	};
	struct missing_call missing = { .word = arch->word };
	struct filter *filter;

	if (value_call_filter(given, &names, &filter, &missing.why) == 0)
		filter_free(filter);
	else
		vec_push(&options->missing_calls, missing);
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
		/* The letters behind -S become a word of their own, which
		 * getopt() reads next. */
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
	if (r < 0)
		return r;
	vec_push(&options->system_call_filters, filter);
	for (size_t i = 0; arch_known[i]; i++)
		note_missing(options, given, arch_known[i]);
	return 0;
}
