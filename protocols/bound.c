/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies the values into one arena, which is freed with them. */
#include "protocols/bound.h"

#include "base/xmalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct bound *
bound_new(void)
{
	struct bound *bound = xcalloc(1, sizeof(*bound));

	arena_init(&bound->arena);
	return bound;
}

void
bound_free(struct bound *bound)
{
	if (!bound)
		return;
	vec_release(&bound->values);
	arena_release(&bound->arena);
	free(bound);
}

static void
add(struct bound *bound, struct query_value value, const void *bytes,
    size_t length)
{
	value.whole = length;

	if (bound->values.count >= BOUND_MOST) {
		bound->cut = true;
		return;
	}
	if (length > BOUND_BYTES_MOST)
		length = BOUND_BYTES_MOST;
	value.length = length;
	value.bytes = arena_strndup(&bound->arena, bytes ? bytes : "", length);
	vec_push(&bound->values, value);
}

void
bound_add(struct bound *bound, enum query_value_kind kind, const void *bytes,
	  size_t length)
{
	add(bound, (struct query_value){ .kind = kind }, bytes, length);
}

void
bound_add_typed(struct bound *bound, uint32_t type, const void *bytes,
		size_t length)
{
	add(bound,
	    (struct query_value){ .kind = QUERY_VALUE_TEXT, .type = type },
	    bytes, length);
}

void
bound_add_plain(struct bound *bound, const char *format, ...)
{
	char text[64];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (length >= (int)sizeof(text))
		length = (int)sizeof(text) - 1;
	bound_add(bound, QUERY_VALUE_PLAIN, text, (size_t)length);
}
