/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values are copied, because the bytes of a query live only as long as the
 * connection tells of it. They have types like those of a prototype, so that
 * all sinks show them.
 */
#include "tracer/queries/wire_query.h"

#include "base/str.h"
#include "conf/model/lens.h"
#include "tracer/queries/wire.h"
#include "tracer/queries/wire_values.h"
#include "values/command.h"
#include "values/fetch.h"
#include "values/items.h"
#include "values/postgres.h"
#include "values/route.h"

#include <string.h>

static struct value_item
item_of(struct arena *arena, const struct query_value *value)
{
	struct value_item item = { value->kind != QUERY_VALUE_TEXT,
				   value->bytes, value->length, value->whole };
	struct str decoded cleanup(str_release);
	size_t head;

	str_init(&decoded);
	if (value->kind == QUERY_VALUE_NULL)
		return (struct value_item){ true, "NULL", 4, 4 };
	if (!value->type)
		return item;
	if (postgres_is_text(value->type, &head)) {
		if (head <= item.length) {
			item.bytes += head;
			item.length -= head;
			item.whole -= head;
		}
	} else if (item.length == item.whole && item.length <= POSTGRES_MOST &&
		   postgres_add(&decoded, value->type, item.bytes,
				item.length)) {
		item.plain = true;
		item.length = item.whole = decoded.length;
		item.bytes = arena_strndup(arena, str_text(&decoded),
					   decoded.length);
	}
	return item;
}

static void
add_values(struct arguments *arguments, const struct query *query)
{
	struct argument *argument = &arguments->at[arguments->count++];
	struct value_item *items =
		arena_zalloc(arguments->arena,
			     query->value_count * sizeof(*items));

	for (size_t i = 0; i < query->value_count; i++)
		items[i] = item_of(arguments->arena, &query->values[i]);
	items_value(&argument->value, arguments->arena, items,
		    query->value_count, query->values_cut);
	argument->name = "values";
	argument->param = SIZE_MAX;
	argument->bound = true;
}

/* The query's text is unknown, but the statement and its connection are not. */
static void
add_statement(const struct wire *wire, struct arguments *arguments,
	      const struct query *query)
{
	struct argument *name = &arguments->at[arguments->count++];
	struct argument *key = &arguments->at[arguments->count++];

	name->name = "name";
	name->param = SIZE_MAX;
	wire_text_value(arguments, &name->value, LENS_STRING, query->name,
			strlen(query->name));
	key->name = "connection";
	key->param = SIZE_MAX;
	key->value = *wire_number_value(arguments->arena, (int64_t)wire->key);
}

/* The name by which tables group a query that is not SQL, such as a route.
 * NULL: the query is SQL, or its text is unknown. */
static const char *
folded(const struct wire *wire, struct arena *arena, const struct query *query)
{
	const char *name = NULL;
	struct str text;

	str_init(&text);
	if (wire->protocol == PROTOCOL_REDIS && query->text)
		command_fold_redis(&text, query->text, query->length);
	else if (wire->protocol == PROTOCOL_MEMCACHED && query->text)
		command_fold_memcached(&text, query->text, query->length);
	else if (wire->protocol == PROTOCOL_HTTP && query->text)
		route_add(&text, query->text);
	if (text.length > 0)
		name = arena_strndup(arena, str_text(&text), text.length);
	str_release(&text);
	return name;
}

struct arguments *
wire_arguments(const struct wire *wire, struct arena *arena,
	       const struct query *query)
{
	struct arguments *arguments = arena_zalloc(arena, sizeof(*arguments));
	struct argument *at = arena_zalloc(arena, 4 * sizeof(*at));

	arguments->arena = arena;
	arguments->at = at;
	arguments->count = 1;
	at[0].name = "query";
	at[0].param = SIZE_MAX;
	at[0].folded = folded(wire, arena, query);
	wire_text_value(arguments, &at[0].value, LENS_SQL, query->text,
			query->length);
	if (!query->text)
		add_statement(wire, arguments, query);
	if (query->value_count > 0)
		add_values(arguments, query);
	return arguments;
}

const struct value *
wire_result(struct arguments *arguments, const struct query *query)
{
	const struct query_reply *reply = &query->reply;
	bool failed = query->outcome != QUERY_DONE;
	struct value *text;

	if (reply->known)
		return wire_number_value(arguments->arena, reply->number);
	if (failed || !reply->text[0])
		return wire_number_value(arguments->arena,
					 failed ? -1 : (int64_t)query->rows);
	text = arena_zalloc(arguments->arena, sizeof(*text));
	wire_text_value(arguments, text, LENS_PLAIN, reply->text,
			strlen(reply->text));
	return text;
}
