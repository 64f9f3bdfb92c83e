/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A local variable of the function has the request, in one of these forms:
 *
 *	WSGI (PEP 3333)	environ, a dict: HTTP_TRACEPARENT is a str
 *	ASGI 3		scope, a dict: headers is a list of pairs of bytes,
 *		whose names are small letters
 *	a framework	an object with an attribute environ, META (Django) or
 *		scope, which is such a dict
 *
 * The name of the variable does not matter. If a scope has several headers
 * traceparent, all are ignored, as in protocols/served.
 *
 *	list	ob_size 16, ob_item 24: the address of the items
 *	tuple	ob_size 16, the items from 24 on
 *
 * (Include/cpython/listobject.h and tupleobject.h of 3.11.)
 */
#include "stacks/python_traceparent.h"

#include "base/attr.h"
#include "stacks/python_dict.h"

#include <string.h>

#define SEQUENCE_SIZE 16
#define SEQUENCE_ITEMS 24
#define HEADERS_MOST 256u
#define NAME "traceparent"

static const char *const members[] = { "environ", "META", "scope" };

/* Stores the address of the first item, and the number of items; 0 if the
 * object is no list and no tuple. */
static uint64_t
items_of(struct python_memory *memory, addr_t object, addr_t *ret_items)
{
	struct peek *peek = memory->peek;
	uint64_t count = peek_u64(peek, object + SEQUENCE_SIZE);

	if (python_is(memory, object, "list"))
		*ret_items = peek_u64(peek, object + SEQUENCE_ITEMS);
	else if (python_is(memory, object, "tuple"))
		*ret_items = object + SEQUENCE_ITEMS;
	else
		return 0;
	return peek->fault || count > HEADERS_MOST ? 0 : count;
}

/* The second item of the pair if the first one is the header's name; or 0. */
static addr_t
value_of(struct python_memory *memory, addr_t pair)
{
	addr_t items = 0;

	if (!pair || items_of(memory, pair, &items) != 2 ||
	    !python_equals(memory, peek_u64(memory->peek, items), NAME))
		return 0;
	return peek_u64(memory->peek, items + 8);
}

static addr_t
among_headers(struct python_memory *memory, addr_t headers)
{
	addr_t items = 0, found = 0;
	uint64_t count = items_of(memory, headers, &items);

	for (uint64_t i = 0; i < count && !memory->peek->fault; i++) {
		addr_t value =
			value_of(memory, peek_u64(memory->peek, items + 8 * i));

		if (value && found)
			return 0;
		found = value ? value : found;
	}
	return found;
}

static addr_t
in_dict(struct python_memory *memory, addr_t dict)
{
	addr_t value = python_dict_value(memory, dict, "HTTP_TRACEPARENT");
	addr_t headers;

	if (value)
		return value;
	headers = python_dict_value(memory, dict, "headers");
	return headers ? among_headers(memory, headers) : 0;
}

/* The value of the header in the variable, or 0. A failed read of one variable
 * does not matter for the other variables. */
static addr_t
in_variable(struct python_memory *memory, addr_t object)
{
	addr_t value = in_dict(memory, object);

	if (peek_failed(memory->peek))
		value = 0;
	for (size_t i = 0; !value && i < array_size(members); i++) {
		addr_t dict = python_attribute(memory, object, members[i]);

		if (!peek_failed(memory->peek) && dict)
			value = in_dict(memory, dict);
		if (peek_failed(memory->peek))
			value = 0;
	}
	return value;
}

bool
python_traceparent(struct python_memory *memory, addr_t frame, char *to,
		   size_t most)
{
	size_t variables = python_local_count(memory, frame);
	struct statement_text text;
	struct arena arena;
	bool found = false;

	arena_init(&arena);
	for (size_t i = 0; i < variables && !found; i++) {
		addr_t object = python_local(memory, frame, i);
		addr_t value = object ? in_variable(memory, object) : 0;

		found = value &&
			python_characters(memory, value, most, &arena, &text) &&
			text.length == text.whole && text.length < most;
		if (!found)
			continue;
		memcpy(to, text.bytes, text.length);
		to[text.length] = '\0';
	}
	arena_release(&arena);
	return found && !peek_failed(memory->peek);
}
