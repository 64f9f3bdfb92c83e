/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program needs the number, the text and the fields of a value. Therefore
 * JSON's own types are used if they can hold the value:
 *
 *	int, long, hex(int), float	number, exact however large
 *	bool				true, false
 *	text, a character		string
 *	an IP address			string
 *	struct, array			object, array
 *	NULL				null
 *	an address			"0x7ffd5a30"
 *
 * and for the rest an object with a key that no C field can have:
 *
 *	{"$bytes": "caf\u00e9"}		text that is not UTF-8, see jsonw.c
 *	{"$name": "O_RDWR", "$number": 2}	enum, flags
 *	{"$unreadable": "0x10"}		a pointer to unreadable memory
 *	{"$cycle": 1}			the value that is so many levels above
 *	{"$deeper": true}		not followed any further
 *
 * A float is written with the digits that a float needs, not with the digits of
 * a double.
 */
#include "output/formats/jsonvalue.h"

#include "base/str.h"
#include "base/vec.h"
#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "output/formats/typename.h"
#include "values/items.h"
#include "values/real.h"
#include "values/show.h"
#include "values/value.h"
#include "values/visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

/* An enclosing struct or array. The fields of a struct are counted, because
 * some have no name. */
struct around {
	enum visit_group group;
	unsigned place;
};

struct json_visitor {
	struct visitor visitor;
	struct jsonw *json;
	vec_of(struct around) around;
	bool bound;
	bool cut;
	int error;
};

#define json_of(visitor_) container_of(visitor_, struct json_visitor, visitor)

static void
visit_begin(struct visitor *visitor, const struct value *value,
	    enum visit_group group)
{
	struct json_visitor *self = json_of(visitor);
	struct around around = { group, 0 };

	(void)value;
	jsonw_open(self->json, group == VISIT_ARRAY ? '[' : '{');
	vec_push(&self->around, around);
}

static void
visit_item(struct visitor *visitor, const char *name)
{
	struct json_visitor *self = json_of(visitor);
	struct around *around = &self->around.at[self->around.count - 1];
	char place[12];

	if (around->group == VISIT_ARRAY)
		return;
	snprintf(place, sizeof(place), "%u", around->place++);
	jsonw_key(self->json, name ? name : place);
}

static void
visit_end(struct visitor *visitor, enum visit_group group, bool cut)
{
	struct json_visitor *self = json_of(visitor);

	jsonw_close(self->json, group == VISIT_ARRAY ? ']' : '}');
	self->around.count--;
	self->cut |= cut;
}

/* Opens an object with one member, whose value the caller adds. */
static void
open_special(struct jsonw *json, const char *key)
{
	jsonw_open(json, '{');
	jsonw_key(json, key);
}

static bool
is_integer(const char *text)
{
	text += *text == '-';
	return *text && strspn(text, DIGITS) == strlen(text);
}

static void
add_shown(struct jsonw *json, const struct value *value)
{
	struct str text = { 0 };

	show_scalar(&text, value);
	if (is_integer(str_text(&text)))
		jsonw_number(json, text.text);
	else
		jsonw_text(json, str_text(&text), text.length);
	str_release(&text);
}

static void
add_number(struct jsonw *json, const struct value *value)
{
	int64_t number;

	if (value->type->bytes > 8 || value_integer(value, &number) < 0)
		add_shown(json, value);
	else if (value->type->is_signed)
		jsonw_signed(json, number);
	else
		jsonw_unsigned(json, (uint64_t)number);
}

/* Adds the names of an enum or of flags; without a name, only the number. */
static void
add_names(struct jsonw *json, const struct value *value, bool bound)
{
	struct str text = { 0 };

	show_scalar(&text, value);
	if (bound && !strcmp(str_text(&text), "NULL")) {
		jsonw_null(json);
	} else if (text.length > 0 && !strchr("-0123456789", text.text[0])) {
		open_special(json, "$name");
		jsonw_text(json, text.text, text.length);
		jsonw_key(json, "$number");
		add_number(json, value);
		jsonw_close(json, '}');
	} else {
		add_number(json, value);
	}
	str_release(&text);
}

/* Writes the character with this code as UTF-8 (RFC 3629, section 3). */
static size_t
encode(uint64_t code, char *ret_bytes)
{
	size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : 3;

	if (code >= 0x10000)
		size = 4;
	for (size_t i = size; i-- > 1; code >>= 6)
		ret_bytes[i] = (char)(0x80 | (code & 0x3f));
	if (size > 1)
		code |= 0xf00u >> size & 0xff;
	ret_bytes[0] = (char)code;
	return size;
}

static void
add_character(struct jsonw *json, const struct value *value)
{
	uint64_t code;
	char bytes[4];

	if (value->type->bytes > 8 || value_bits(value, &code) < 0 ||
	    code > 0x10ffff) {
		add_number(json, value);
	} else if (value->type->bytes == 1) {
		bytes[0] = (char)code;
		jsonw_text(json, bytes, 1);
	} else {
		jsonw_text(json, bytes, encode(code, bytes));
	}
}

static void
add_bool(struct jsonw *json, const struct value *value)
{
	uint64_t bits;

	if (value_bits(value, &bits) < 0)
		add_shown(json, value);
	else
		jsonw_bool(json, bits != 0);
}

static void
add_integer(struct jsonw *json, const struct value *value, bool bound)
{
	const struct lens *lens = value->lens;

	if (!lens && value->type->is_char)
		add_character(json, value);
	else if (lens && lens->kind == LENS_CHR)
		add_character(json, value);
	else if (lens && lens->kind == LENS_BOOL)
		add_bool(json, value);
	else if (lens && (lens->kind == LENS_ENUM || lens->kind == LENS_FLAGS))
		add_names(json, value, bound);
	else
		add_number(json, value);
}

static void
add_part(struct jsonw *json, const struct real *real)
{
	struct str text = { 0 };

	if (real->type->bytes == sizeof(double) || !real_finite(real)) {
		jsonw_double(json, (double)real->number);
		return;
	}
	real_add(&text, real);
	jsonw_number(json, str_text(&text));
	str_release(&text);
}

static void
add_real(struct jsonw *json, const struct value *value)
{
	bool complex = value->type->kind == TYPE_COMPLEX;
	struct real real;

	if (complex)
		jsonw_open(json, '[');
	for (unsigned part = 0; part < (complex ? 2 : 1); part++) {
		if (real_of(value, part, &real) < 0)
			jsonw_null(json);
		else
			add_part(json, &real);
	}
	if (complex)
		jsonw_close(json, ']');
}

static void
visit_scalar(struct visitor *visitor, const struct value *value)
{
	struct json_visitor *self = json_of(visitor);
	struct jsonw *json = self->json;

	if (value->lens && value->lens->kind == LENS_INET)
		add_shown(json, value);
	else if (value->type->kind == TYPE_POINTER)
		add_names(json, value, self->bound);
	else if (value->type->kind == TYPE_INT)
		add_integer(json, value, self->bound);
	else if (value->type->kind == TYPE_FLOAT ||
		 value->type->kind == TYPE_COMPLEX)
		add_real(json, value);
	else
		add_shown(json, value);
}

/* Numbers as JSON allows them: RFC 8259, section 6. */
static bool
is_number(const char *text, size_t length)
{
	const char *at = text + (*text == '-'), *end = text + length;
	size_t digits = strspn(at, DIGITS);

	if (digits == 0 || (digits > 1 && *at == '0'))
		return false;
	at += digits;
	if (*at == '.') {
		digits = strspn(++at, DIGITS);
		at += digits;
	}
	if (digits > 0 && (*at == 'e' || *at == 'E')) {
		at++;
		at += *at == '-' || *at == '+';
		digits = strspn(at, DIGITS);
		at += digits;
	}
	return digits > 0 && at == end;
}

/* A bound value that is shown as it is: a number, NULL, true, a time. */
static void
add_plain(struct jsonw *json, const struct value_chars *text)
{
	struct str copy = { 0 };

	str_add_bytes(&copy, text->bytes, text->length);
	if (!strcmp(str_text(&copy), "NULL"))
		jsonw_null(json);
	else if (!strcmp(str_text(&copy), "true") ||
		 !strcmp(str_text(&copy), "false"))
		jsonw_bool(json, *copy.text == 't');
	else if (is_number(str_text(&copy), copy.length))
		jsonw_number(json, copy.text);
	else
		jsonw_text(json, text->bytes, text->length);
	str_release(&copy);
}

static void
visit_text(struct visitor *visitor, const struct value *value,
	   const struct value_chars *text)
{
	struct json_visitor *self = json_of(visitor);
	size_t length = text->length;

	if (text->cut)
		length = jsonw_whole_characters(text->bytes, length);
	if (item_is_plain(value))
		add_plain(self->json, text);
	/* The bytes of an empty text may be NULL, which memchr(3) does not
	 * allow. */
	else if (self->bound && length > 0 && memchr(text->bytes, '\0', length))
		jsonw_bytes(self->json, text->bytes, text->length);
	else
		jsonw_text(self->json, text->bytes, length);
	self->cut |= text->cut;
}

static void
visit_null(struct visitor *visitor)
{
	jsonw_null(json_of(visitor)->json);
}

static void
visit_address(struct visitor *visitor, addr_t address, enum visit_address why)
{
	struct jsonw *json = json_of(visitor)->json;

	if (why == VISIT_UNREADABLE)
		open_special(json, "$unreadable");
	jsonw_address(json, address);
	if (why == VISIT_UNREADABLE)
		jsonw_close(json, '}');
}

static void
visit_cycle(struct visitor *visitor, unsigned up)
{
	struct jsonw *json = json_of(visitor)->json;

	open_special(json, "$cycle");
	jsonw_unsigned(json, up);
	jsonw_close(json, '}');
}

static void
visit_unreadable(struct visitor *visitor)
{
	struct jsonw *json = json_of(visitor)->json;

	open_special(json, "$unreadable");
	jsonw_null(json);
	jsonw_close(json, '}');
}

static void
visit_deeper(struct visitor *visitor)
{
	struct json_visitor *self = json_of(visitor);

	open_special(self->json, "$deeper");
	jsonw_bool(self->json, true);
	jsonw_close(self->json, '}');
	self->cut = true;
}

static void
visit_error(struct visitor *visitor, int number)
{
	json_of(visitor)->error = number;
}

static const struct visitor_ops ops = {
	.begin = visit_begin,
	.item = visit_item,
	.end = visit_end,
	.scalar = visit_scalar,
	.text = visit_text,
	.null = visit_null,
	.address = visit_address,
	.cycle = visit_cycle,
	.unreadable = visit_unreadable,
	.deeper = visit_deeper,
	.error = visit_error,
};

static void
add_type(struct jsonw *json, const struct value *value)
{
	struct str name = { 0 };

	typename_add(&name, value->type);
	jsonw_key(json, "type");
	jsonw_text(json, str_text(&name), name.length);
	str_release(&name);
	if (value->lens) {
		jsonw_key(json, "lens");
		jsonw_ascii(json, lens_word(value->lens->kind));
	}
}

static void
add_error(struct jsonw *json, int number)
{
	const char *name = strerrorname_np(number);

	jsonw_key(json, "errno");
	jsonw_signed(json, number);
	if (name) {
		jsonw_key(json, "error");
		jsonw_ascii(json, name);
	}
}

void
jsonvalue_members(struct jsonw *json, const struct value *value, bool bound,
		  int error_number, const struct look *look)
{
	struct json_visitor self = {
		.visitor = { .ops = &ops,
			     .string_length = look->string_length,
			     .array_length = look->array_length,
			     .error_number = error_number },
		.json = json,
		.bound = bound,
	};

	add_type(json, value);
	jsonw_key(json, "value");
	visit_value(&self.visitor, value);
	vec_release(&self.around);
	if (self.cut) {
		jsonw_key(json, "cut");
		jsonw_bool(json, true);
	}
	if (self.error)
		add_error(json, self.error);
}
