/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options that set how lines and tables look. If an option's argument is
 * one of the words in its row, take_word() handles it: the enumerators are in
 * the same order as the words.
 */
#include "tracer/options/option_take.h"

#include "base/clock.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#define MOST_INDENT 20 /* the same limit as ltrace's */

static int
take_size(struct look *look, const struct given *given, struct err *err)
{
	uint64_t most = given->name == OPTION_INDENT ? MOST_INDENT : INT_MAX;
	uint64_t number;
	int r = value_number(given, 0, most, &number, err);

	if (r < 0)
		return r;
	if (given->name == OPTION_INDENT)
		look->indent = (unsigned)number;
	else if (given->name == OPTION_ALIGN)
		look->align = (unsigned)number;
	else if (given->name == OPTION_ARRAY)
		look->array_length = number;
	else
		look->string_length = number;
	return 0;
}

static int
take_top(struct look *look, const struct given *given, struct err *err)
{
	uint64_t number;
	int r = value_number(given, 1, INT_MAX, &number, err);

	if (r == 0)
		look->top = (unsigned)number;
	return r;
}

/* Stores an argument that is one of the words in the option's row. The words
 * are in the order of the enumerators. */
static int
take_word(struct options *options, const struct given *given, struct err *err)
{
	struct look *look = &options->look;
	unsigned index;
	int r = value_word(given, &index, err);

	if (r < 0)
		return r;
	if (given->name == OPTION_THREAD_COLUMN)
		look->thread_column = (enum look_when)index;
	else if (given->name == OPTION_COLOR)
		options->color = (enum look_when)index;
	else if (given->name == OPTION_FLAME_FORM)
		look->flames_upward = index > 0;
	else if (given->name == OPTION_MERGE)
		look->merge = (enum look_merge)index;
	else if (given->name == OPTION_SORT)
		look->sort = (enum look_sort)index;
	else if (given->name == OPTION_STYLE)
		look->as_ltrace = options->as_ltrace = index > 0;
	else {
		look->weight = (enum look_weight)index;
		options->weighed = true;
	}
	return 0;
}

static void
take_secrets(struct options *options, enum option_name name)
{
	options->look.redact |= name == OPTION_REDACT;
	options->look.bind |= name == OPTION_BIND;
	options->bind = options->look.bind;
	options->query_strings |= name == OPTION_QUERY_STRINGS;
	options->heap_strings |= name == OPTION_HEAP_STRINGS;
}

static int
take_fields(struct look *look, const struct given *given, struct err *err)
{
	if (!given->text[0] || given->text[0] == ',' ||
	    given->text[strlen(given->text) - 1] == ',' ||
	    strstr(given->text, ",,"))
		return err_set(err, -EINVAL, "%s: name a field",
			       given->spelled);
	look->group_by = given->text;
	return 0;
}

int
option_take_look(struct options *options, const struct given *given,
		 struct err *err)
{
	struct look *look = &options->look;

	switch (given->name) {
	case OPTION_TIME:
		if (look->time < LOOK_TIME_EPOCH)
			look->time++;
		return 0;
	case OPTION_RELATIVE:
		look->time = LOOK_TIME_RELATIVE;
		return 0;
	case OPTION_CALL_TIMES:
		look->durations = true;
		return 0;
	case OPTION_POINTER:
		look->return_address = true;
		return 0;
	case OPTION_NO_SIGNALS:
		look->hide_signals = true;
		return 0;
	case OPTION_NAMES:
		look->names = true;
		return 0;
	case OPTION_QUERY_ID:
		look->query_ids = true;
		return 0;
	case OPTION_REDACT:
	case OPTION_BIND:
	case OPTION_QUERY_STRINGS:
	case OPTION_HEAP_STRINGS:
		take_secrets(options, given->name);
		return 0;
	case OPTION_MIN_TIME:
		return value_time(given, 0, &look->min_duration, err);
	case OPTION_GROUP_BY:
		return take_fields(look, given, err);
	case OPTION_WIDE:
		look->wide = true;
		return 0;
	case OPTION_TOP:
		return take_top(look, given, err);
	case OPTION_INTERVAL:
		/* A shorter interval has no effect, because sinks are told the
		 * time once a second. */
		return value_time(given, CLOCK_SECOND, &look->interval, err);
	case OPTION_COLLAPSE_RECURSION:
		look->collapse_recursion = true;
		return 0;
	case OPTION_INDENT:
	case OPTION_ALIGN:
	case OPTION_ARRAY:
	case OPTION_STRING:
		return take_size(look, given, err);
	default:
		return take_word(options, given, err);
	}
}
