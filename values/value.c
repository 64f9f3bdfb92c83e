/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A value's bytes are in one of two places: in our memory, if they were copied
 * from a register or the stack, or in the tracee's memory, which is read
 * through the capture. A nested value (a field, an element) is at an offset in
 * the same place. What a pointer points to is in the tracee's memory.
 *
 * A type may claim more bytes than there are: a struct passed by value may end
 * in an array with more elements than fit. room is the number of bytes in our
 * memory. Further bytes are read at the address, if there is one.
 */
#include "values/value.h"

#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "values/capture.h"
#include "values/scope.h"

#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <string.h>

#define ZERO_MOST 4096u /* a larger element cannot end an array */
#define BITS_MOST 9u	/* the bytes that 64 bits can span */

void
value_at(struct value *value, const struct type *type, addr_t address,
	 struct capture *capture, const struct arguments *arguments)
{
	*value = (struct value){
		.type = type,
		.lens = type->lens,
		.arguments = arguments,
		.capture = capture,
		.address = address,
	};
}

void
value_of_bytes(struct value *value, const struct type *type, const void *bytes,
	       size_t room, struct capture *capture,
	       const struct arguments *arguments)
{
	value_at(value, type, 0, capture, arguments);
	value->bytes = bytes;
	value->room = room;
}

int
value_read(const struct value *value, size_t offset, void *to, size_t length)
{
	if (value->bytes && offset <= value->room &&
	    length <= value->room - offset) {
		memcpy(to, value->bytes + offset, length);
		return 0;
	}
	if (!value->address || !value->capture)
		return -EFAULT;
	return capture_read(value->capture, value->address + offset, to,
			    length);
}

/* Reads only the bytes with a bit of the field: other bytes may not exist. */
static int
read_bit_field(const struct value *value, uint64_t *ret_bits)
{
	unsigned char bytes[BITS_MOST] = { 0 };
	unsigned first = value->first_bit / 8, shift = value->first_bit % 8;
	unsigned length = (shift + value->bits + 7) / 8;
	uint64_t low;
	int r;

	assert(value->bits <= 64);
	r = value_read(value, first, bytes, length);
	if (r < 0)
		return r;
	memcpy(&low, bytes, sizeof(low));
	low >>= shift;
	if (shift > 0)
		low |= (uint64_t)bytes[BITS_MOST - 1] << (64 - shift);
	if (value->bits < 64)
		low &= ((uint64_t)1 << value->bits) - 1;
	*ret_bits = low;
	return 0;
}

static unsigned
width(const struct value *value)
{
	unsigned bits = value->bits ? value->bits : 8u * value->type->bytes;

	return bits < 64 ? bits : 64;
}

int
value_bits(const struct value *value, uint64_t *ret_bits)
{
	const struct type *type = value->type;
	uint64_t word = 0;
	int r;

	if (type->kind != TYPE_INT && type->kind != TYPE_POINTER)
		return -EDOM;
	if (value->bits)
		return read_bit_field(value, ret_bits);
	r = value_read(value, 0, &word, width(value) / 8);
	if (r < 0)
		return r;
	if (type->is_big_endian)
		word = be64toh(word) >> (64 - width(value));
	*ret_bits = word;
	return 0;
}

int
value_integer(const struct value *value, int64_t *ret_number)
{
	uint64_t word, sign;
	int r = value_bits(value, &word);

	if (r < 0)
		return r;
	sign = (uint64_t)1 << (width(value) - 1);
	if (value->type->is_signed)
		word = (word ^ sign) - sign;
	*ret_number = (int64_t)word;
	return 0;
}

int
value_pointer(const struct value *value, addr_t *ret_address)
{
	if (value->type->kind != TYPE_POINTER)
		return -EDOM;
	return value_bits(value, ret_address);
}

/* True for a lens that also applies to what is nested in a value, as
 * hex(struct) applies to the fields. A lens for text does not. */
static bool
inherited(const struct lens *lens)
{
	switch (lens->kind) {
	case LENS_HEX:
	case LENS_OCT:
	case LENS_BIN:
	case LENS_DEC:
	case LENS_CHR:
	case LENS_BOOL:
	case LENS_GUESS:
	case LENS_BITVEC:
	case LENS_ENUM:
	case LENS_FLAGS:
		return true;
	default:
		return false;
	}
}

/* Makes a value that is nested in `around`. Its bytes are set later. */
static void
reached(struct value *value, const struct value *around,
	const struct type *type)
{
	value_at(value, type, 0, around->capture, around->arguments);
	value->parent = around;
	if (!value->lens && around->lens && inherited(around->lens))
		value->lens = around->lens;
}

static void
part_of(struct value *value, const struct value *around, size_t offset,
	const struct type *type)
{
	reached(value, around, type);
	if (around->address)
		value->address = around->address + offset;
	if (around->bytes && offset <= around->room) {
		value->bytes = around->bytes + offset;
		value->room = around->room - offset;
	}
}

void
value_field(const struct value *around, size_t i, struct value *ret_field)
{
	const struct type_body *body = around->type->body;
	const struct type_field *field = &body->fields[i];

	assert(i < body->count);
	part_of(ret_field, around, field->offset, field->type);
	ret_field->bits = field->bits;
	ret_field->first_bit = field->first_bit;
}

bool
value_field_there(const struct value *around, size_t i)
{
	const struct expr *condition = around->type->body->fields[i].condition;
	struct scope scope;
	bool there;

	if (!condition)
		return true;
	scope_init(&scope, around->arguments, around);
	scope.numbers = true;
	return expr_true(condition, &scope.expr, &there) == 0 && there;
}

/* Finds a field by its name. A field without a name is searched, too, because
 * its own fields belong to the struct. */
static const struct type_field *
find_field(const struct type *type, const char *name, size_t *offset)
{
	if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION)
		return NULL;
	for (size_t i = 0; i < type->body->count; i++) {
		const struct type_field *field = &type->body->fields[i];
		size_t within = *offset + field->offset;

		if (!field->name)
			field = find_field(field->type, name, &within);
		else if (strcmp(field->name, name) != 0)
			continue;
		if (field) {
			*offset = within;
			return field;
		}
	}
	return NULL;
}

bool
value_field_named(const struct value *around, const char *name,
		  struct value *ret_field)
{
	size_t offset = 0;
	const struct type_field *field =
		find_field(around->type, name, &offset);

	if (!field)
		return false;
	part_of(ret_field, around, offset, field->type);
	ret_field->bits = field->bits;
	ret_field->first_bit = field->first_bit;
	return true;
}

void
value_element(const struct value *array, size_t i, struct value *ret_element)
{
	part_of(ret_element, array, i * type_size(array->type->to),
		array->type->to);
}

int
value_target(const struct value *pointer, struct value *ret_target)
{
	addr_t address;
	int r = value_pointer(pointer, &address);

	if (r < 0)
		return r;
	reached(ret_target, pointer, pointer->type->to);
	ret_target->address = address;
	return 0;
}

int
value_evaluate_length(const struct value *value, const struct expr *length,
		      uint64_t *ret_length)
{
	struct expr_value number;
	struct scope scope;
	int r;

	if (length->kind == EXPR_NUMBER && length->number >= 0) {
		*ret_length = (uint64_t)length->number;
		return 0;
	}
	scope_init(&scope, value->arguments, value);
	scope.numbers = true;
	r = expr_evaluate(length, &scope.expr, &number);
	if (r < 0 || number.kind != EXPR_VALUE_NUMBER)
		return -ENODATA;
	if (!number.is_unsigned && number.number < 0)
		return -ERANGE;
	*ret_length = (uint64_t)number.number;
	return 0;
}

int
value_length(const struct value *array, uint64_t *ret_length, bool *ret_zero)
{
	const struct expr *length = array->type->length;

	if (!length)
		return -ENODATA;
	*ret_zero = length->kind == EXPR_ZERO;
	return value_evaluate_length(array, length, ret_length);
}

int
value_extent(const struct value *value, size_t most, size_t *ret_bytes)
{
	size_t size = type_size(value->type);
	uint64_t length = 1;
	bool zero;
	int r = 0;

	if (value->type->kind == TYPE_ARRAY) {
		size = type_size(value->type->to);
		r = value_length(value, &length, &zero);
	}
	if (r == -ERANGE)
		length = 0;
	else if (r < 0)
		return r;
	*ret_bytes = size && length > most / size ? most : size * length;
	return 0;
}

bool
value_is_zero(const struct value *value)
{
	size_t size = type_size(value->type);
	char bytes[64];

	if (size > ZERO_MOST)
		return false;
	for (size_t at = 0; at < size; at += sizeof(bytes)) {
		size_t step = size - at;

		if (step > sizeof(bytes))
			step = sizeof(bytes);
		if (value_read(value, at, bytes, step) < 0)
			return false;
		for (size_t i = 0; i < step; i++) {
			if (bytes[i])
				return false;
		}
	}
	return true;
}

/* If all bits are set, the value is -1, whether the type is signed or not. */
bool
value_is_failure(const struct value *value)
{
	const struct type *type = value->type;
	uint64_t bits, ones;

	if (value_bits(value, &bits) < 0)
		return false;
	ones = type->bytes < 8 ? ((uint64_t)1 << 8 * type->bytes) - 1
			       : UINT64_MAX;
	return bits == ones || (type->kind == TYPE_POINTER && bits == 0);
}
