/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of a text are copied into the arena, so the value outlives the
 * packet. */
#include "tracer/queries/wire_values.h"

#include "conf/model/expr.h"
#include "conf/model/type.h"
#include "values/fetch.h"

const struct value *
wire_number_value(struct arena *arena, int64_t number)
{
	struct value *value = arena_zalloc(arena, sizeof(*value));
	struct type *type = type_int(arena, sizeof(number), true);

	type->name = "long";
	value_of_bytes(value, type, arena_copy(arena, &number, sizeof(number)),
		       sizeof(number), NULL, NULL);
	return value;
}

/* Makes a value of an array of this many characters. If the bytes are NULL, the
 * value cannot be read. */
void
wire_text_value(struct arguments *arguments, struct value *value,
		enum lens_kind kind, const char *bytes, size_t length)
{
	struct arena *arena = arguments->arena;
	struct lens *lens = arena_zalloc(arena, sizeof(*lens));
	struct expr *count = arena_zalloc(arena, sizeof(*count));
	struct type *of_char = type_int(arena, 1, true), *type;

	count->kind = EXPR_NUMBER;
	count->number = bytes ? (int64_t)length : 1;
	lens->kind = kind;
	of_char->is_char = true;
	of_char->name = "char";
	type = type_array(arena, of_char, count);
	type->lens = lens;
	value_of_bytes(value, type,
		       bytes ? arena_strndup(arena, bytes, length) : NULL,
		       bytes ? length : 0, NULL, arguments);
}
