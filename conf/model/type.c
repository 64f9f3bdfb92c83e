/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types and their layout in memory, as in the SysV x86-64 psABI (3.1.2, and for
 * bit-fields its section "Bit-Fields") and in GCC:
 *
 *	- a struct's field is put at the next multiple of its alignment, and
 *	  the struct's size is a multiple of its largest alignment;
 *	- a bit-field is put at the next free bit if it then fits into a unit.
 *	  A unit has the size of the bit-field's type, and begins at the last
 *	  multiple of the type's alignment that is not behind that bit. If the
 *	  bit-field does not fit, it is put at the next multiple. An unnamed
 *	  bit-field of width 0 closes the unit;
 *	- in a packed struct all alignments are 1, and bit-fields may cross
 *	  boundaries.
 *
 * The size of an array is computed on request and not stored, because the type
 * of its elements may be declared later. The computation ends: the size of a
 * struct is stored when it is completed, and types are nested at most
 * TYPE_DEPTH deep.
 */
#include "conf/model/type.h"

#include "conf/model/expr.h"
#include "conf/model/lens.h"

#include <errno.h>
#include <string.h>

static const struct type the_void = { .kind = TYPE_VOID, .name = "void" };

const struct type *
type_void(void)
{
	return &the_void;
}

static struct type *
type_new(struct arena *arena, enum type_kind kind)
{
	struct type *type = arena_zalloc(arena, sizeof(*type));

	type->kind = kind;
	return type;
}

struct type *
type_int(struct arena *arena, unsigned bytes, bool is_signed)
{
	struct type *type = type_new(arena, TYPE_INT);

	type->bytes = (unsigned char)bytes;
	type->is_signed = is_signed;
	return type;
}

struct type *
type_pointer(struct arena *arena, const struct type *to)
{
	return type_pointer_of(arena, TYPE_WORD, to);
}

struct type *
type_pointer_of(struct arena *arena, unsigned word, const struct type *to)
{
	struct type *type = type_new(arena, TYPE_POINTER);

	type->bytes = (unsigned char)word;
	type->to = to;
	/* A struct behind a pointer does not count for the depth: it may
	 * contain the pointer itself, so code that follows pointers to structs
	 * must detect cycles anyway. */
	type->depth = 1;
	if (to->kind != TYPE_STRUCT && to->kind != TYPE_UNION)
		type->depth = (unsigned char)(to->depth + 1);
	return type;
}

struct type *
type_array(struct arena *arena, const struct type *of,
	   const struct expr *length)
{
	struct type *type = type_new(arena, TYPE_ARRAY);

	type->to = of;
	type->length = length;
	type->depth = (unsigned char)(of->depth + 1);
	return type;
}

struct type *
type_struct(struct arena *arena, enum type_kind kind, const char *name)
{
	struct type *type = type_new(arena, kind);
	struct type_body *body = arena_zalloc(arena, sizeof(*body));

	body->align = 1;
	type->body = body;
	type->name = name;
	return type;
}

struct type *
type_copy(struct arena *arena, const struct type *type)
{
	return arena_copy(arena, type, sizeof(*type));
}

static size_t
array_size_of(const struct type *type)
{
	size_t element = type_size(type->to);
	int64_t length;

	if (!type->length || !expr_constant(type->length, &length))
		return 0;
	if (length <= 0 || element == 0)
		return 0;
	if ((uint64_t)length > TYPE_SIZE_MOST / element)
		return TYPE_SIZE_MOST;
	return (size_t)length * element;
}

size_t
type_size(const struct type *type)
{
	switch (type->kind) {
	case TYPE_INT:
	case TYPE_FLOAT:
	case TYPE_COMPLEX:
	case TYPE_POINTER:
		return type->bytes;
	case TYPE_ARRAY:
		return array_size_of(type);
	case TYPE_STRUCT:
	case TYPE_UNION:
		return type->body->size;
	case TYPE_VOID:
	case TYPE_FUNCTION:
		break;
	}
	return 0;
}

size_t
type_align(const struct type *type)
{
	switch (type->kind) {
	case TYPE_INT:
	case TYPE_FLOAT:
	case TYPE_POINTER:
		return type->align ? type->align : type->bytes;
	case TYPE_COMPLEX:
	case TYPE_ARRAY:
		return type_align(type->to);
	case TYPE_STRUCT:
	case TYPE_UNION:
		return type->body->align;
	case TYPE_VOID:
	case TYPE_FUNCTION:
		break;
	}
	return 1;
}

bool
type_complete(const struct type *type)
{
	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		return type->body->complete;
	case TYPE_ARRAY:
		return type_complete(type->to);
	case TYPE_VOID:
	case TYPE_FUNCTION:
		return false;
	default:
		return true;
	}
}

bool
type_is_choice(const struct type *type)
{
	if (type->kind != TYPE_UNION || type->body->count == 0)
		return false;
	for (size_t i = 0; i < type->body->count; i++) {
		if (!type->body->fields[i].condition)
			return false;
	}
	return true;
}

bool
type_is_character(const struct type *type)
{
	return type->kind == TYPE_INT && type->is_char && !type->lens;
}

bool
type_is_address(const struct type *type)
{
	if (type->kind != TYPE_POINTER)
		return false;
	if (lens_of_kind(type->lens, LENS_ADDRESS))
		return true;
	return !type_complete(type->to);
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool
same_field(const struct type_field *a, const struct type_field *b)
{
	return same_text(a->name, b->name) && a->offset == b->offset &&
	       a->bits == b->bits && a->first_bit == b->first_bit &&
	       !a->condition == !b->condition &&
	       a->type->kind == b->type->kind &&
	       type_size(a->type) == type_size(b->type);
}

static bool
same_body(const struct type_body *a, const struct type_body *b)
{
	if (a == b)
		return true;
	if (a->complete != b->complete || a->count != b->count ||
	    a->size != b->size)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (!same_field(&a->fields[i], &b->fields[i]))
			return false;
	}
	return true;
}

bool
type_same(const struct type *a, const struct type *b)
{
	if (a == b)
		return true;
	if (a->kind != b->kind || a->bytes != b->bytes ||
	    a->is_signed != b->is_signed || a->is_char != b->is_char ||
	    a->is_big_endian != b->is_big_endian || a->is_quad != b->is_quad ||
	    !a->lens != !b->lens || (a->lens && a->lens->kind != b->lens->kind))
		return false;
	if (a->body)
		return same_body(a->body, b->body);
	if (a->kind == TYPE_ARRAY && type_size(a) != type_size(b))
		return false;
	return !a->to || type_same(a->to, b->to);
}

/* The place of the next field, in bits from the start of the struct. */
struct layout {
	bool is_union;
	bool packed;
	uint64_t bit;
	uint64_t end; /* the end of the longest field, in bits */
	size_t align;
};

static void
lay_out_bits(struct layout *layout, struct type_field *field)
{
	uint64_t unit = 8 * type_size(field->type);
	uint64_t step = 8 * type_align(field->type);
	uint64_t bit = layout->bit;

	if (!layout->packed && bit % step + field->bits > unit)
		bit = type_round_up(bit, step);
	field->offset = bit / step * (step / 8);
	field->first_bit = (unsigned)(bit % step);
	/* A packed bit-field may straddle two units: count from its own
	 * byte. */
	if (field->first_bit + field->bits > unit) {
		field->offset = bit / 8;
		field->first_bit = (unsigned)(bit % 8);
	}
	layout->bit = bit + field->bits;
	if (!layout->packed && field->name &&
	    type_align(field->type) > layout->align)
		layout->align = type_align(field->type);
}

static void
lay_out(struct layout *layout, struct type_field *field)
{
	size_t align = layout->packed ? 1 : type_align(field->type);

	layout->bit = type_round_up(layout->bit, 8 * align);
	field->offset = layout->bit / 8;
	layout->bit += 8 * type_size(field->type);
	if (align > layout->align)
		layout->align = align;
}

/*
 * "int : 0;" closes the unit: it becomes padding up to the unit's end. False if
 * the unit ends here anyway and no padding is needed.
 */
static bool
close_unit(const struct layout *layout, struct type_field *field)
{
	uint64_t step = 8 * type_align(field->type);

	if (field->name || field->first_bit != TYPE_FIELD_CLOSES)
		return true;
	field->bits =
		(unsigned)(type_round_up(layout->bit, step) - layout->bit);
	return field->bits > 0;
}

static int
add_field(struct layout *layout, struct type_field *field)
{
	if (layout->is_union)
		layout->bit = 0;
	if (!close_unit(layout, field))
		return 0;
	if (field->bits)
		lay_out_bits(layout, field);
	else
		lay_out(layout, field);
	if (layout->bit > layout->end)
		layout->end = layout->bit;
	return layout->end / 8 < TYPE_SIZE_MOST ? 1 : -EFBIG;
}

int
type_complete_struct(struct arena *arena, struct type *type,
		     const struct type_field *fields, size_t count, bool packed)
{
	struct type_field *own =
		arena_copy(arena, fields, count * sizeof(*fields));
	struct layout layout = { .is_union = type->kind == TYPE_UNION,
				 .packed = packed,
				 .align = 1 };
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		int r;

		own[kept] = fields[i];
		r = add_field(&layout, &own[kept]);
		if (r < 0)
			return r;
		if (type->depth <= fields[i].type->depth)
			type->depth =
				(unsigned char)(fields[i].type->depth + 1);
		kept += (size_t)r;
	}
	/* The cast is right, because type_struct() made the body, which is not
	 * const. */
	*(struct type_body *)type->body = (struct type_body){
		.complete = true,
		.packed = packed,
		.fields = own,
		.count = kept,
		.align = layout.align,
		.size = type_round_up(layout.end, 8 * layout.align) / 8,
	};
	return 0;
}
