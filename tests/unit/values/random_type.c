/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types are unusual ones as a person would write them: mostly small structs,
 * because calling conventions are complicated for these, with nested arrays,
 * bit-fields, unions and structs, some of them packed.
 *
 * Bytes between fields need not survive a call, so values are compared scalar
 * by scalar, and fields without a name are padding. Only the largest member of
 * a union is filled and compared.
 */
#include "tests/unit/values/random_type.h"

#include "base/attr.h"
#include "conf/model/expr.h"
#include "values/visit.h"

#include <assert.h>
#include <string.h>

#define FIELDS_MOST 5
#define NESTED_MOST 3
#define X87_BYTES 10

static const struct type nothing = { .kind = TYPE_VOID, .name = "void" };

static const struct type scalars[] = {
	{ .kind = TYPE_INT, .bytes = 1, .is_signed = true, .name = "char" },
	{ .kind = TYPE_INT, .bytes = 1, .name = "unsigned char" },
	{ .kind = TYPE_INT, .bytes = 2, .is_signed = true, .name = "short" },
	{ .kind = TYPE_INT, .bytes = 2, .name = "unsigned short" },
	{ .kind = TYPE_INT, .bytes = 4, .is_signed = true, .name = "int" },
	{ .kind = TYPE_INT, .bytes = 4, .name = "unsigned" },
	{ .kind = TYPE_INT, .bytes = 8, .is_signed = true, .name = "long" },
	{ .kind = TYPE_INT, .bytes = 8, .name = "unsigned long long" },
	{ .kind = TYPE_POINTER, .bytes = 8, .name = "void *", .to = &nothing },
	{ .kind = TYPE_FLOAT, .bytes = 4, .name = "float" },
	{ .kind = TYPE_FLOAT, .bytes = 8, .name = "double" },
	{ .kind = TYPE_FLOAT, .bytes = 4, .name = "float" },
	{ .kind = TYPE_FLOAT, .bytes = 8, .name = "double" },
	{ .kind = TYPE_FLOAT, .bytes = 16, .name = "long double" },
	{ .kind = TYPE_COMPLEX,
	  .bytes = 8,
	  .name = "_Complex float",
	  .to = &scalars[9] },
	{ .kind = TYPE_COMPLEX,
	  .bytes = 16,
	  .name = "_Complex double",
	  .to = &scalars[10] },
	{ .kind = TYPE_COMPLEX,
	  .bytes = 32,
	  .name = "_Complex long double",
	  .to = &scalars[13] },
	{ .kind = TYPE_INT,
	  .bytes = 16,
	  .is_signed = true,
	  .name = "__int128" },
	{ .kind = TYPE_FLOAT,
	  .bytes = 16,
	  .is_quad = true,
	  .name = "__float128" },
	{ .kind = TYPE_COMPLEX,
	  .bytes = 32,
	  .name = "quads",
	  .to = &scalars[18] },
};
#define WIDE 3	   /* how many of the last scalars need random->wide */
#define INTEGERS 8 /* how many of the first scalars are integers */

void
random_init(struct random *random, uint64_t seed)
{
	*random = (struct random){ .state = seed };
	arena_init(&random->arena);
}

void
random_release(struct random *random)
{
	arena_release(&random->arena);
	str_release(&random->definitions);
}

/* Knuth's MMIX multiplier; the upper bits are the random ones. */
unsigned
random_below(struct random *random, unsigned below)
{
	random->state = random->state * UINT64_C(6364136223846793005) +
			UINT64_C(1442695040888963407);
	return (unsigned)((random->state >> 33) % below);
}

static const struct type *nested_type(struct random *random, unsigned nested);

static const struct type *
array_of(struct random *random, const struct type *of, unsigned length)
{
	struct expr *expr = arena_zalloc(&random->arena, sizeof(*expr));
	struct type *type;

	expr->kind = EXPR_NUMBER;
	expr->number = length;
	type = type_array(&random->arena, of, expr);
	type->name = arena_printf(&random->arena, "[%u]", length);
	return type;
}

/* A field that closes a unit is a field of a union in GCC, but not in clang. */
static void
make_bit_field(struct random *random, struct type_field *field, bool closes)
{
	unsigned width;

	field->type = &scalars[random_below(random, INTEGERS)];
	width = 8u * field->type->bytes;
	field->bits = 1 + random_below(random, width);
	if (closes && random_below(random, 8) == 0) {
		field->name = NULL;
		field->bits = 0;
		field->first_bit = TYPE_FIELD_CLOSES;
	}
}

static void
write_field(struct str *to, const struct type_field *field)
{
	const struct type *type = field->type;
	const char *suffix = "";

	if (type->kind == TYPE_ARRAY) {
		suffix = type->name;
		type = type->to;
	}
	str_addf(to, "\t%s %s%s", type->name, field->name ? field->name : "",
		 suffix);
	if (field->bits || !field->name)
		str_addf(to, ": %u", field->bits);
	str_add(to, ";\n");
}

/* True for arrays of packed structs, and for structs in packed structs, which
 * compilers treat differently. */
static bool
has_packed(const struct type *type)
{
	if (type->kind == TYPE_ARRAY)
		return has_packed(type->to);
	if (!type->body)
		return false;
	for (size_t i = 0; i < type->body->count; i++) {
		if (has_packed(type->body->fields[i].type))
			return true;
	}
	return type->body->packed;
}

static void
make_field(struct random *random, struct type_field *field, unsigned i,
	   unsigned nested, bool closes)
{
	*field = (struct type_field){
		.name = arena_printf(&random->arena, "f%u", i),
	};
	switch (random_below(random, 8)) {
	case 0:
		make_bit_field(random, field, closes);
		break;
	case 1:
		field->type = nested_type(random, nested + 1);
		if (!has_packed(field->type))
			field->type = array_of(random, field->type,
					       1 + random_below(random, 4));
		break;
	default:
		field->type = nested_type(random, nested + 1);
	}
}

/* A struct that has only floats, as in geometry. */
static void
make_floats(struct type_field *fields, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		fields[i].type = &scalars[9];
}

static const struct type *
random_struct(struct random *random, unsigned nested)
{
	bool is_union = random_below(random, 6) == 0;
	bool packed = random_below(random, 10) == 0;
	unsigned count = 1 + random_below(random, FIELDS_MOST);
	struct type_field fields[FIELDS_MOST];
	struct type *type;
	struct str text = { 0 };
	bool all_floats = random_below(random, 6) == 0;
	int r;

	for (unsigned i = 0; i < count; i++)
		make_field(random, &fields[i], i,
			   all_floats || packed ? NESTED_MOST : nested,
			   !is_union);
	/* A struct that only has fields that close units would be empty. */
	fields[0].bits = 0;
	fields[0].first_bit = 0;
	fields[0].name = "f0";
	if (all_floats) {
		make_floats(fields, count);
		for (unsigned i = 0; i < count; i++) {
			fields[i].bits = fields[i].first_bit = 0;
			fields[i].name = arena_printf(&random->arena, "f%u", i);
		}
	}
	type = type_struct(&random->arena, is_union ? TYPE_UNION : TYPE_STRUCT,
			   NULL);
	str_addf(&text, "%s s%u {\n", is_union ? "union" : "struct",
		 random->structs);
	for (unsigned i = 0; i < count; i++)
		write_field(&text, &fields[i]);
	str_addf(&text, "}%s;\n", packed ? " __attribute__((packed))" : "");
	r = type_complete_struct(&random->arena, type, fields, count, packed);
	assert(r == 0);
	type->name =
		arena_printf(&random->arena, "%s s%u",
			     is_union ? "union" : "struct", random->structs++);
	str_addf(&random->definitions,
		 "%s_Static_assert(sizeof(%s) == %zu, "
		 "\"\");\n",
		 str_text(&text), type->name, type_size(type));
	str_release(&text);
	return type;
}

static const struct type *
nested_type(struct random *random, unsigned nested)
{
	if (nested < NESTED_MOST && random_below(random, 5) < 2)
		return random_struct(random, nested);
	return &scalars[random_below(
		random, array_size(scalars) - (random->wide ? 0 : WIDE))];
}

const struct type *
random_type(struct random *random)
{
	return nested_type(random, 0);
}

static void
fill_float(struct random *random, const struct type *type, unsigned char *to)
{
	unsigned bytes = type->bytes;
	double whole = (double)random_below(random, 1u << 30) - (1 << 29);
	long double l = (long double)whole / 64;
	__float128 q = (__float128)whole / 3;
	double d = whole / 64;
	float f = (float)(random_below(random, 1u << 20) / 64.0);

	if (bytes == 4)
		memcpy(to, &f, sizeof(f));
	else if (bytes == 8)
		memcpy(to, &d, sizeof(d));
	else if (type->is_quad)
		memcpy(to, &q, sizeof(q));
	else
		memcpy(to, &l, X87_BYTES);
}

static void
fill_bits(struct random *random, const struct type_field *field,
	  unsigned char *to)
{
	for (unsigned i = 0; i < field->bits; i++) {
		unsigned bit = field->first_bit + i;

		if (random_below(random, 2))
			to[bit / 8] |= (unsigned char)(1u << bit % 8);
	}
}

static const struct type_field *
largest(const struct type_body *body)
{
	const struct type_field *found = &body->fields[0];

	for (size_t i = 0; i < body->count; i++) {
		if (!body->fields[i].bits &&
		    (found->bits ||
		     type_size(body->fields[i].type) > type_size(found->type)))
			found = &body->fields[i];
	}
	return found;
}

static void
fill_field(struct random *random, const struct type_field *field,
	   unsigned char *bytes)
{
	if (!field->name)
		return;
	if (field->bits)
		fill_bits(random, field, bytes + field->offset);
	else
		random_fill(random, field->type, bytes + field->offset);
}

void
random_fill(struct random *random, const struct type *type,
	    unsigned char *bytes)
{
	size_t element;

	switch (type->kind) {
	case TYPE_FLOAT:
		fill_float(random, type, bytes);
		break;
	case TYPE_COMPLEX:
		fill_float(random, type->to, bytes);
		fill_float(random, type->to, bytes + type->to->bytes);
		break;
	case TYPE_ARRAY:
		element = type_size(type->to);
		for (size_t i = 0; i < type_size(type); i += element)
			random_fill(random, type->to, bytes + i);
		break;
	case TYPE_STRUCT:
		for (size_t i = 0; i < type->body->count; i++)
			fill_field(random, &type->body->fields[i], bytes);
		break;
	case TYPE_UNION:
		fill_field(random, largest(type->body), bytes);
		break;
	default:
		for (unsigned i = 0; i < type->bytes; i++)
			bytes[i] = (unsigned char)random_below(random, 256);
	}
}

static bool
is_quad(const struct type *type)
{
	return type->is_quad || (type->to && type->to->is_quad);
}

static bool
same_scalar(const struct value *value, const struct value *wanted)
{
	unsigned char a[32] = { 0 }, b[32] = { 0 };
	unsigned parts = value->type->kind == TYPE_COMPLEX ? 2 : 1;
	size_t bytes = value->type->bytes / parts;
	size_t compared = bytes;
	uint64_t bits, wanted_bits;

	if (bytes <= 8 && value_bits(value, &bits) == 0)
		return value_bits(wanted, &wanted_bits) == 0 &&
		       bits == wanted_bits;
	if (value->type->kind != TYPE_INT && bytes > X87_BYTES &&
	    !is_quad(value->type))
		compared = X87_BYTES;
	for (unsigned i = 0; i < parts; i++) {
		if (value_read(value, i * bytes, a, compared) < 0 ||
		    value_read(wanted, i * bytes, b, compared) < 0 ||
		    memcmp(a, b, compared))
			return false;
	}
	return true;
}

static bool
same(const struct value *value, const struct value *wanted)
{
	const struct type *type = value->type;
	const struct type_body *body = type->body;
	struct value part, wanted_part;
	uint64_t count = 1;
	bool zero;

	if (type->kind == TYPE_ARRAY && value_length(value, &count, &zero) < 0)
		return false;
	if (type->kind == TYPE_STRUCT)
		count = body->count;
	for (size_t i = 0; i < count; i++) {
		if (type->kind == TYPE_STRUCT && !body->fields[i].name)
			continue;
		if (type->kind == TYPE_ARRAY) {
			value_element(value, i, &part);
			value_element(wanted, i, &wanted_part);
		} else if (body) {
			size_t field = type->kind == TYPE_STRUCT
					       ? i
					       : (size_t)(largest(body) -
							  body->fields);

			value_field(value, field, &part);
			value_field(wanted, field, &wanted_part);
		} else {
			return same_scalar(value, wanted);
		}
		if (!same(&part, &wanted_part))
			return false;
	}
	return true;
}

bool
same_value(const struct value *value, const unsigned char *bytes)
{
	struct value wanted;

	value_of_bytes(&wanted, value->type, bytes, type_size(value->type),
		       NULL, NULL);
	return same(value, &wanted);
}
