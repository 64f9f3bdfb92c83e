/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Our prototypes use these names, and so do most headers. Functions without a
 * prototype count as 0: if a pointer were taken for a size, it would outweigh
 * everything else.
 */
#include "output/stacks/asked.h"

#include "conf/model/type.h"
#include "values/fetch.h"
#include "values/value.h"

#include <string.h>

static const char *const size_names[] = { "size", "bytes", "length", "len",
					  NULL };
static const char *const count_names[] = { "count", "nmemb", NULL };

static bool
is_among(const char *name, const char *const *names)
{
	while (*names && (!name || strcmp(name, *names) != 0))
		names++;
	return *names != NULL;
}

static const struct argument *
argument_among(const struct arguments *arguments, const char *const *names)
{
	for (size_t i = 0; i < arguments->count; i++) {
		if (is_among(arguments->at[i].name, names) &&
		    arguments->at[i].value.type->kind == TYPE_INT)
			return &arguments->at[i];
	}
	return NULL;
}

static const struct argument *
first_size(const struct arguments *arguments)
{
	for (size_t i = 0; i < arguments->count; i++) {
		const char *type = arguments->at[i].value.type->name;

		if (type && strcmp(type, "size_t") == 0)
			return &arguments->at[i];
	}
	return NULL;
}

static uint64_t
number_of(const struct argument *argument)
{
	int64_t number;

	if (value_integer(&argument->value, &number) < 0 || number < 0)
		return 0;
	return (uint64_t)number;
}

uint64_t
asked_bytes(const struct event_call *call)
{
	const struct arguments *arguments = call->arguments;
	const struct argument *size, *count;
	uint64_t bytes;

	if (!arguments || !arguments->proto || call->end != CALL_RETURNED)
		return 0;
	if (call->result && value_is_failure(call->result))
		return 0;
	size = argument_among(arguments, size_names);
	if (!size)
		size = first_size(arguments);
	if (!size)
		return 0;
	count = argument_among(arguments, count_names);
	if (!count || count == size)
		return number_of(size);
	return __builtin_mul_overflow(number_of(size), number_of(count), &bytes)
		       ? 0
		       : bytes;
}
