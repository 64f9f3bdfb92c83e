/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A visitor that writes text, in ltrace's form if ltrace has one. ltrace's
 * mistakes are corrected: quotes in strings are escaped, a pointer to an
 * unreadable place is shown by its address and not as "", and reals are exact.
 *
 * A call may be shown in two parts, at its entry and at its return, because the
 * results that a function fills in are known only then. The two parts together
 * equal the text that would have been shown at once.
 */
#include "values/items.h"
#include "values/show.h"

#include "base/escape.h"
#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "values/fetch.h"
#include "values/real.h"
#include "values/visit.h"

#include <string.h>

struct show {
	struct visitor visitor;
	const struct show_look *look;
	struct str *to;
	bool first; /* the next item is the first of its group */
};

static struct show *
show_of(struct visitor *visitor)
{
	return container_of(visitor, struct show, visitor);
}

static void
begin(struct visitor *visitor, const struct value *value,
      enum visit_group group)
{
	struct show *show = show_of(visitor);

	(void)value;
	str_add_char(show->to, group == VISIT_ARRAY ? '[' : '{');
	if (show->look->as_ltrace)
		str_add_char(show->to, ' ');
	show->first = true;
}

static void
item(struct visitor *visitor, const char *name)
{
	struct show *show = show_of(visitor);

	if (!show->first)
		str_add_bytes(show->to, ", ", 2);
	show->first = false;
	if (name && show->look->names) {
		str_add(show->to, name);
		str_add_char(show->to, '=');
	}
}

static void
end(struct visitor *visitor, enum visit_group group, bool cut)
{
	struct show *show = show_of(visitor);

	if (cut && !show->first && !show->look->as_ltrace)
		str_add_bytes(show->to, ", ", 2);
	if (cut)
		str_add_bytes(show->to, "...", 3);
	if (show->look->as_ltrace && (cut || !show->first))
		str_add_char(show->to, ' ');
	str_add_char(show->to, group == VISIT_ARRAY ? ']' : '}');
	show->first = false;
}

/* ltrace writes a 0 before each octal number, also before 0. */
static bool
is_octal_zero(const struct value *value, const char *shown)
{
	return value->lens && value->lens->kind == LENS_OCT &&
	       !strcmp(shown, "0");
}

static void
scalar(struct visitor *visitor, const struct value *value)
{
	struct show *show = show_of(visitor);
	size_t at = show->to->length;
	struct real real;

	if (show->look->as_ltrace && !value->lens &&
	    value->type->kind == TYPE_FLOAT && real_of(value, 0, &real) == 0)
		real_add_fixed(show->to, &real);
	else
		show_scalar(show->to, value);
	if (show->look->as_ltrace &&
	    is_octal_zero(value, str_text(show->to) + at))
		str_add_char(show->to, '0');
}

static bool
is_wide(const struct value *value)
{
	const struct type *type = value->type;

	while (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY)
		type = type->to;
	return type->bytes > 1;
}

/* The first `width` characters of a text. Wide ones are in UTF-8. */
static struct value_chars
cut_at_width(const struct value_chars *of, uint32_t width, bool wide)
{
	struct value_chars cut = *of;
	size_t end = 0;

	for (; width > 0 && end < of->length; width--) {
		end++;
		while (wide && end < of->length &&
		       ((unsigned char)of->bytes[end] & 0xc0) == 0x80)
			end++;
	}
	if (end < of->length) {
		cut.length = end;
		cut.cut = false;
	}
	return cut;
}

static void
text(struct visitor *visitor, const struct value *value,
     const struct value_chars *of)
{
	struct show *show = show_of(visitor);
	bool wide = is_wide(value);
	bool ascii = show->look->as_ltrace && !wide;
	struct value_chars cut;

	if (show->look->as_ltrace && value->lens->width) {
		cut = cut_at_width(of, value->lens->width, wide);
		of = &cut;
	}
	if (!lens_of_kind(value->lens, LENS_PLAIN)) {
		show_text(show->to, of, ascii);
		return;
	}
	if (item_is_plain(value))
		str_add_bytes(show->to, of->bytes, of->length);
	else
		escape_text(show->to, of->bytes, of->length, '\0', ascii);
	if (of->cut)
		str_add_bytes(show->to, "...", 3);
}

static void
null(struct visitor *visitor)
{
	str_add_bytes(show_of(visitor)->to, "nil", 3);
}

static void
address(struct visitor *visitor, addr_t of, enum visit_address why)
{
	(void)why;
	str_add_hex(show_of(visitor)->to, of);
}

static void
cycle(struct visitor *visitor, unsigned up)
{
	/* As in ltrace: "recurse" for a pointer to the struct that contains
	 * it, "recurse^" for the struct around that, and so on. */
	str_add(show_of(visitor)->to, "recurse");
	str_add_repeated(show_of(visitor)->to, '^', up - 1);
}

static void
unreadable(struct visitor *visitor)
{
	str_add_char(show_of(visitor)->to, '?');
}

static void
deeper(struct visitor *visitor)
{
	str_add_bytes(show_of(visitor)->to, "...", 3);
}

static void
vars(struct visitor *visitor, unsigned count)
{
	struct str *to = show_of(visitor)->to;

	str_add(to, "/* ");
	str_add_count(to, count, "var", "vars");
	str_add(to, " */");
}

static void
error(struct visitor *visitor, int number)
{
	const char *name = strerrorname_np(number);
	struct str *to = show_of(visitor)->to;

	if (!name || show_of(visitor)->look->as_ltrace)
		return;
	str_add_char(to, ' ');
	str_add(to, name);
	str_add(to, " (");
	str_add(to, strerrordesc_np(number));
	str_add_char(to, ')');
}

static const struct visitor_ops ops = {
	.begin = begin,
	.item = item,
	.end = end,
	.scalar = scalar,
	.text = text,
	.null = null,
	.address = address,
	.cycle = cycle,
	.unreadable = unreadable,
	.deeper = deeper,
	.vars = vars,
	.error = error,
};

void
show_result(struct str *to, const struct value *result, int error_number,
	    const struct show_look *look)
{
	struct show show = {
		.visitor = { .ops = &ops,
			     .string_length = look->string_length,
			     .array_length = look->array_length,
			     .error_number = error_number },
		.look = look,
		.to = to,
	};

	if (!result)
		str_add(to, "<void>");
	else if (!value_hidden(result))
		visit_value(&show.visitor, result);
}

void
show_value(struct str *to, const struct value *value,
	   const struct show_look *look)
{
	show_result(to, value, 0, look);
}

void
show_text(struct str *to, const struct value_chars *of, bool ascii)
{
	str_add_char(to, '"');
	escape_text(to, of->bytes, of->length, '"', ascii);
	str_add_char(to, '"');
	if (of->cut)
		str_add_bytes(to, "...", 3);
}

static size_t
first_late(const struct arguments *arguments)
{
	size_t i = 0;

	while (i < arguments->count && arguments->at[i].when == PARAM_AT_ENTRY)
		i++;
	return i;
}

static bool
any_visible(const struct arguments *arguments, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (!argument_hidden(&arguments->at[i]))
			return true;
	}
	return false;
}

/* Shows the value at the entry and at the return, if they differ. */
static void
show_both(struct str *to, const struct argument *argument,
	  const struct show_look *look)
{
	size_t start = to->length, middle, before;

	show_value(to, &argument->value, look);
	middle = to->length;
	str_add(to, " -> ");
	before = to->length;
	show_value(to, argument->after, look);
	if (to->length - before == middle - start &&
	    !memcmp(to->text + before, to->text + start, middle - start))
		str_cut(to, middle);
}

void
show_file(struct str *to, const char *file)
{
	if (!file)
		return;
	str_add_char(to, '<');
	escape_name(to, file);
	str_add_char(to, '>');
}

static void
show_argument(struct str *to, const struct argument *argument,
	      const struct show_look *given)
{
	struct show_look own = *given;
	const struct show_look *look = &own;

	own.string_length = argument_text_most(argument, given->string_length);
	if (look->names && argument->name) {
		str_add(to, argument->name);
		str_add_char(to, '=');
	}
	if (argument->after && argument->when == PARAM_AT_BOTH &&
	    !look->as_ltrace)
		show_both(to, argument, look);
	else
		show_value(to, argument_value(argument), look);
	show_file(to, argument->file);
}

void
show_arguments(struct str *to, const struct arguments *arguments,
	       const struct show_look *look, enum show_phase phase)
{
	size_t late = first_late(arguments), count = arguments->count;
	size_t first = phase == SHOW_RETURN ? late : 0;
	size_t last = phase == SHOW_ENTRY ? late : count;
	bool shown = false;

	for (size_t i = first; i < last; i++) {
		if (argument_hidden(&arguments->at[i]))
			continue;
		if (shown)
			str_add(to, look->bare ? " " : ", ");
		show_argument(to, &arguments->at[i], look);
		shown = true;
	}
	if (shown && any_visible(arguments, last, count))
		str_add(to, look->bare ? " " : ", ");
}

bool
show_arguments_late(const struct arguments *arguments)
{
	return any_visible(arguments, first_late(arguments), arguments->count);
}
