/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Structs, unions and classes. A struct behind a pointer gets its fields later:
 * programs have structs that lead to each other through hundreds of others, and
 * a list leads to itself. Fields have the places that the compiler gave them.
 *
 * A base class is a field of its name. Static members are no fields, and the
 * pointer to the table of virtual functions is not shown.
 *
 * A struct with a part that the model does not have (a variant of Rust's enums,
 * a virtual base class) stays without fields. It can be pointed to, but it
 * cannot be passed by value.
 */
#include "values/learn/learn_parts.h"

#include "conf/model/expr.h"
#include "conf/model/lens.h"

#include <errno.h>
#include <string.h>

#define FIELDS_MOST 4096u

struct learn_fields {
	vec_of(struct type_field) list;
	size_t align;
	bool packed;
	unsigned depth;
};

static const struct lens hide = { .kind = LENS_HIDE };
static const struct lens only = { .kind = LENS_ONLY };

static int
find_place(struct learner *learner, Dwarf_Die *die, struct type_field *field)
{
	uint64_t offset = 0, bits = 0, first = 0, old = 0;
	size_t unit = 8 * type_size(field->type);
	int r = learn_number(learner, die, DW_AT_data_member_location, &offset);

	if (r < 0)
		return r;
	field->offset = offset;
	if (offset > TYPE_SIZE_MOST)
		return -ENOTSUP;
	r = learn_number(learner, die, DW_AT_bit_size, &bits);
	if (r <= 0)
		return r;
	r = learn_number(learner, die, DW_AT_data_bit_offset, &first);
	if (r == 0) {
		/* DW_AT_bit_offset counts from the highest bit of the unit
		 * (DWARF 3). */
		r = learn_number(learner, die, DW_AT_bit_offset, &old);
		first = 8 * offset + unit - old - bits;
	}
	if (r < 0)
		return r;
	if (bits == 0 || unit == 0 || unit > 64 || bits > unit ||
	    first / 8 > TYPE_SIZE_MOST)
		return -ENOTSUP;
	field->offset = first / unit * (unit / 8);
	field->first_bit = (unsigned)(first % unit);
	if (field->first_bit + bits > unit) {
		field->offset = first / 8;
		field->first_bit = (unsigned)(first % 8);
	}
	field->bits = (unsigned)bits;
	return 0;
}

static void
add_field(struct learner *learner, struct learn_fields *fields,
	  struct type_field *field, bool hidden)
{
	size_t align = type_align(field->type);

	if (hidden) {
		struct type *copy = type_copy(&learner->arena, field->type);

		copy->lens = &hide;
		field->type = copy;
	}
	if (field->offset % align != 0)
		fields->packed = true;
	if (align > fields->align)
		fields->align = align;
	if (field->type->depth >= fields->depth)
		fields->depth = field->type->depth + 1u;
	vec_push(&fields->list, *field);
}

static int
learn_field(struct learner *learner, Dwarf_Die *die, unsigned depth,
	    struct learn_fields *fields)
{
	bool hidden = learn_flag(die, DW_AT_artificial);
	struct type_field field = { .name = learn_name(learner, die) };
	int r = learn_type_of(learner, die, LEARN_NESTED, depth + 1,
			      &field.type);

	if (r == 0 && dwarf_tag(die) == DW_TAG_inheritance)
		field.name = field.type->name;
	/* The size may be 0 although the type is complete: an array at the end
	 * may have no length, or length 0. */
	if (r == 0 && !type_complete(field.type))
		r = -ENOTSUP;
	if (r == 0)
		r = find_place(learner, die, &field);
	if (r < 0)
		return r;
	if (fields->list.count >= FIELDS_MOST)
		return -ENOTSUP;
	add_field(learner, fields, &field, hidden);
	return 0;
}

static bool
is_static(Dwarf_Die *die)
{
	return learn_flag(die, DW_AT_external) ||
	       learn_flag(die, DW_AT_declaration) ||
	       dwarf_tag(die) == DW_TAG_variable;
}

static int
learn_fields(struct learner *learner, Dwarf_Die *die, unsigned depth,
	     struct learn_fields *fields)
{
	Dwarf_Die child;
	int r = learn_child(learner, die, &child);

	for (; r == 0; r = learn_next(learner, &child)) {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_variant_part)
			return -ENOTSUP;
		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
		    is_static(&child))
			continue;
		r = learn_field(learner, &child, depth, fields);
		if (r < 0)
			return r;
	}
	return r < 0 ? r : 0;
}

static void
complete(struct learner *learner, struct type *type,
	 const struct learn_fields *fields, size_t size)
{
	size_t align = fields->packed ? 1 : fields->align;

	type->depth =
		(unsigned char)(fields->depth > TYPE_DEPTH ? TYPE_DEPTH + 1
							   : fields->depth);
	/* The cast is right, because type_struct() made the body, which is not
	 * const. */
	*(struct type_body *)type->body = (struct type_body){
		.complete = true,
		.packed = fields->packed,
		.fields = arena_copy(&learner->arena, fields->list.at,
				     fields->list.count *
					     sizeof(struct type_field)),
		.count = fields->list.count,
		.align = align,
		.size = size,
	};
}

/* True if each field lies within the struct. */
static bool
within(const struct learn_fields *fields, size_t size)
{
	for (size_t i = 0; i < fields->list.count; i++) {
		const struct type_field *field = &fields->list.at[i];
		size_t bytes =
			field->bits ? (field->first_bit + field->bits + 7) / 8
				    : type_size(field->type);

		if (field->offset > size || bytes > size - field->offset)
			return false;
	}
	return true;
}

/* Rust's &str is a pointer and a length: shown as the text. */
static void
see_text(struct learner *learner, struct type *type,
	 struct learn_fields *fields)
{
	struct type_field *field = fields->list.at;
	struct expr *length;
	struct lens *text;
	struct type *copy;

	if (learner->language != DW_LANG_Rust || fields->list.count != 2 ||
	    !type->name || strcmp(type->name, "struct &str") != 0 ||
	    field[0].type->kind != TYPE_POINTER ||
	    field[1].type->kind != TYPE_INT)
		return;
	length = arena_zalloc(&learner->arena, sizeof(*length));
	length->kind = EXPR_ELEMENT;
	length->number = 2;
	text = arena_zalloc(&learner->arena, sizeof(*text));
	text->kind = LENS_STRING;
	text->length = length;
	copy = type_copy(&learner->arena,
			 type_pointer_of(&learner->arena, learner->word,
					 type_builtin_of(learner->word,
							 "char")));
	copy->lens = text;
	field[0].type = copy;
	type->lens = &only;
}

static int
fill(struct learner *learner, struct type *type, Dwarf_Die *die, unsigned depth)
{
	struct learn_fields fields = { .align = 1 };
	uint64_t size = 0;
	int r = learn_number(learner, die, DW_AT_byte_size, &size);

	if (r >= 0 && (r == 0 || size > TYPE_SIZE_MOST))
		r = -ENOTSUP;
	if (r > 0)
		r = learn_fields(learner, die, depth, &fields);
	if (r == 0 && !within(&fields, size))
		r = -ENOTSUP;
	if (r == 0) {
		see_text(learner, type, &fields);
		complete(learner, type, &fields, size);
	}
	vec_release(&fields.list);
	return r;
}

static const char *
tagged_name(struct learner *learner, Dwarf_Die *die)
{
	const char *name = learn_name(learner, die);

	if (!name || dwarf_tag(die) == DW_TAG_class_type)
		return name;
	return arena_printf(&learner->arena, "%s %s",
			    dwarf_tag(die) == DW_TAG_union_type ? "union"
								: "struct",
			    name);
}

/* Finds the struct of an entry, or makes one without fields. */
static int
declared(struct learner *learner, Dwarf_Die *die, struct type **ret_type)
{
	/* The map also has the types that learn_type.c makes. Their keys are
	 * the addresses of entries, shifted left by one bit: the upper bits are
	 * 0. The key here is the complement, whose upper bits are 1. */
	uint64_t key = ~((uint64_t)(uintptr_t)die->addr << 1);
	struct type *type = map_get(&learner->types, key);
	enum type_kind kind =
		dwarf_tag(die) == DW_TAG_union_type ? TYPE_UNION : TYPE_STRUCT;

	*ret_type = type;
	if (type)
		return 0;
	if (learner->structs >= LEARN_STRUCTS_MOST)
		return -ENOTSUP;
	learner->structs++;
	type = type_struct(&learner->arena, kind, tagged_name(learner, die));
	map_put(&learner->types, key, type);
	*ret_type = type;
	return 1;
}

int
learn_struct(struct learner *learner, Dwarf_Die *die, unsigned depth,
	     const struct type **ret_type)
{
	Dwarf_Die definition;
	struct type *type;
	int r = learn_definition(learner, die, &definition);

	if (r == 0)
		r = declared(learner, &definition, &type);
	if (r < 0)
		return r;
	*ret_type = type;
	if (type->body->complete)
		return 0;
	/* A struct that contains itself, in damaged debug information, is given
	 * up at TYPE_DEPTH. */
	return fill(learner, type, &definition, depth + 1);
}

int
learn_struct_later(struct learner *learner, Dwarf_Die *die,
		   const struct type **ret_type)
{
	struct learn_unfilled unfilled;
	int r = learn_definition(learner, die, &unfilled.die);

	if (r == 0)
		r = declared(learner, &unfilled.die, &unfilled.type);
	if (r < 0)
		return r;
	*ret_type = unfilled.type;
	if (r > 0)
		vec_push(&learner->unfilled, unfilled);
	return 0;
}

/* Filling a struct may add more structs at the end of the list. */
int
learn_fill(struct learner *learner)
{
	int r = 0;

	for (size_t i = 0; i < learner->unfilled.count && r != -EBADMSG; i++) {
		struct learn_unfilled unfilled = learner->unfilled.at[i];

		if (!unfilled.type->body->complete)
			r = fill(learner, unfilled.type, &unfilled.die, 0);
	}
	vec_clear(&learner->unfilled);
	return r == -EBADMSG ? r : 0;
}
