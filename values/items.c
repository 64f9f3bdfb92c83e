/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The value of an item is an array of characters. If only the beginning of the
 * item's text is known, the array is longer than its bytes. Then value_text()
 * says that the text is cut.
 */
#include "values/items.h"

#include "base/arena.h"
#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "values/visit.h"

void
item_value(struct value *value, struct arena *arena,
	   const struct value_item *item)
{
	static const struct lens text = { .kind = LENS_STRING };
	struct expr *length = arena_zalloc(arena, sizeof(*length));
	struct type *of_char = type_int(arena, 1, true);

	length->kind = EXPR_NUMBER;
	length->number = (int64_t)item->whole;
	of_char->is_char = true;
	of_char->name = "char";
	value_of_bytes(value, type_array(arena, of_char, length),
		       arena_copy(arena, item->bytes, item->length),
		       item->length, NULL, NULL);
	value->lens = item->plain ? &lens_shown : &text;
}

void
items_value(struct value *value, struct arena *arena,
	    const struct value_item *items, size_t count, bool cut)
{
	struct value_items *list = arena_zalloc(arena, sizeof(*list));
	struct value *at = arena_zalloc(arena, (count + 1) * sizeof(*at));
	struct type *type = arena_zalloc(arena, sizeof(*type));

	for (size_t i = 0; i < count; i++)
		item_value(&at[i], arena, &items[i]);
	*list = (struct value_items){ at, count, cut };
	type->kind = TYPE_VOID;
	type->name = arena_printf(arena, "value[%zu]", count);
	value_at(value, type, 0, NULL, NULL);
	value->items = list;
}

struct item_reading {
	struct visitor visitor;
	struct value_chars *ret_text;
	bool group, found;
};

static void
begin(struct visitor *visitor, const struct value *value,
      enum visit_group group)
{
	(void)value;
	(void)group;
	container_of(visitor, struct item_reading, visitor)->group = true;
}

static void
text(struct visitor *visitor, const struct value *value,
     const struct value_chars *text)
{
	struct item_reading *reading =
		container_of(visitor, struct item_reading, visitor);

	(void)value;
	*reading->ret_text = *text;
	reading->found = true;
}

bool
item_text(const struct value *value, size_t most, struct value_chars *ret_text)
{
	static const struct visitor_ops ops = { .begin = begin, .text = text };
	struct item_reading reading = { .visitor = { .ops = &ops,
						     .string_length = most },
					.ret_text = ret_text };

	visit_value(&reading.visitor, value);
	return reading.found && !reading.group;
}
