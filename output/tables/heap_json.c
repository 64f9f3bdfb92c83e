/* SPDX-License-Identifier: GPL-2.0-or-later */
/* docs/JSON.md describes the events. */
#include "output/tables/heap_json.h"

#include "output/jsonw.h"

#include <string.h>

void
heap_json_begin(struct jsonw *json, struct str *to, const char *event,
		const struct heap_json *heap)
{
	jsonw_init(json, to);
	jsonw_open(json, '{');
	jsonw_key(json, "event");
	jsonw_ascii(json, event);
	jsonw_key(json, "time");
	jsonw_seconds(json, heap->when);
	jsonw_key(json, "pid");
	jsonw_signed(json, heap->pid);
	jsonw_key(json, "language");
	jsonw_ascii(json, heap->language);
}

static void
add_number(struct jsonw *json, const char *key, uint64_t number)
{
	jsonw_key(json, key);
	jsonw_unsigned(json, number);
}

static void
end(struct jsonw *json, struct str *to)
{
	jsonw_close(json, '}');
	str_add_char(to, '\n');
}

static void
add_row(struct str *to, const char *event, const struct heap_json *heap,
	const struct heap_table_row *row)
{
	struct jsonw json;

	heap_json_begin(&json, to, event, heap);
	jsonw_key(&json, "name");
	jsonw_text(&json, row->name, strlen(row->name));
	add_number(&json, "count", row->count);
	add_number(&json, "bytes", row->bytes);
	if (row->survived != HEAP_TABLE_UNKNOWN)
		add_number(&json, "survived", row->survived);
	end(&json, to);
}

void
heap_json_row(struct str *to, const struct heap_json *heap,
	      const struct heap_table_row *row)
{
	add_row(to, "class", heap, row);
}

void
heap_json_free(struct str *to, const struct heap_json *heap,
	       const struct heap_table_row *row)
{
	add_row(to, "free", heap, row);
}

void
heap_json_mapping(struct str *to, const struct heap_json *heap,
		  uint64_t resident, uint64_t mapped, const char *name)
{
	struct jsonw json;

	heap_json_begin(&json, to, "mapping", heap);
	jsonw_key(&json, "name");
	jsonw_text(&json, name, strlen(name));
	add_number(&json, "resident", resident);
	add_number(&json, "mapped", mapped);
	end(&json, to);
}

void
heap_json_end(struct str *to, const struct heap_json *heap, size_t classes,
	      const struct heap_table_end *end_of)
{
	struct jsonw json;

	heap_json_begin(&json, to, "heap", heap);
	add_number(&json, "classes", classes);
	add_number(&json, "count", end_of->count);
	add_number(&json, "bytes", end_of->bytes);
	if (end_of->survived != HEAP_TABLE_UNKNOWN)
		add_number(&json, "survived", end_of->survived);
	add_number(&json, "mapped", end_of->mapped);
	add_number(&json, "free", heap_table_free(end_of));
	if (end_of->fragmented != HEAP_TABLE_UNKNOWN)
		add_number(&json, "fragmented", end_of->fragmented);
	if (end_of->resident > 0)
		add_number(&json, "resident", end_of->resident);
	if (end_of->parts > 0)
		add_number(&json, "parts", end_of->parts);
	if (end_of->torn > 0)
		add_number(&json, "torn", end_of->torn);
	if (end_of->not_counted) {
		jsonw_key(&json, "not_counted");
		jsonw_ascii(&json, end_of->not_counted);
	}
	if (end_of->copied_still) {
		jsonw_key(&json, "held");
		jsonw_seconds(&json, end_of->held);
	}
	end(&json, to);
}
