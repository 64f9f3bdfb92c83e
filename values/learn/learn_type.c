/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes types of the model from the entries for types. A name that the user or
 * the model has (size_t, mode_t, FILE) means their type. Each entry is
 * understood once for each use of it.
 *
 *	const char *		a string
 *	char *			a string if it reads as one, because it may be a
 *				buffer that the function fills
 *	struct s *, int *	as a parameter or result: followed; in a struct,
 *				where it often leads to the whole program: an
 *				address
 *	T &, T &&		as T *
 *
 * ltrace 0.8 follows every pointer, and takes a char * for a pointer to one
 * character.
 */
#include "values/learn/learn_parts.h"

#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/model/proto.h"

#include <errno.h>
#include <string.h>

#define NAMES_MOST 65536u /* the most names of one enum */
#define FLAGS_LEAST 3u	  /* an enum with fewer bits is no set of flags */

static int learn(struct learner *learner, Dwarf_Die *die, enum learn_use use,
		 unsigned depth, const struct type **ret_type);

/* The user's type of that name, or NULL. */
static const struct type *
named_by_user(const struct learner *learner, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	if (!name || !learner->look.named)
		return NULL;
	return learner->look.named(learner->look.user, name);
}

/* ---- enums -------------------------------------------------------------- */

struct learn_names {
	vec_of(struct constant) list;
	uint64_t bits; /* all values, ORed */
	unsigned flags;
	bool overlap;
};

static void
add_name(struct learn_names *names, const char *name, int64_t value)
{
	struct constant constant = { .name = name,
				     .value = value,
				     .mask = (uint64_t)value };
	uint64_t bit = (uint64_t)value;

	if ((bit & (bit - 1)) != 0 || (names->bits & bit) != 0)
		names->overlap = true;
	if (bit == 0)
		constant.mask = UINT64_MAX;
	names->flags += bit != 0;
	names->bits |= bit;
	vec_push(&names->list, constant);
}

static int
collect_names(struct learner *learner, Dwarf_Die *die,
	      struct learn_names *names)
{
	Dwarf_Die child;
	int r = learn_child(learner, die, &child);

	for (; r == 0; r = learn_next(learner, &child)) {
		uint64_t value = 0;
		const char *name = learn_name(learner, &child);

		if (dwarf_tag(&child) != DW_TAG_enumerator || !name)
			continue;
		r = learn_number(learner, &child, DW_AT_const_value, &value);
		if (r < 0)
			return r;
		if (names->list.count >= NAMES_MOST)
			return -ENOTSUP;
		add_name(names, name, (int64_t)value);
	}
	return r < 0 ? r : 0;
}

/* The lens of an enum. Values that are distinct bits are flags, which are shown
 * together. */
static const struct lens *
lens_of_names(struct learner *learner, const struct learn_names *names)
{
	struct lens *lens = arena_zalloc(&learner->arena, sizeof(*lens));
	bool flags = !names->overlap && names->flags >= FLAGS_LEAST &&
		     !learner->look.as_ltrace;

	lens->kind = flags ? LENS_FLAGS : LENS_ENUM;
	lens->name_count = names->list.count;
	lens->names = arena_copy(&learner->arena, names->list.at,
				 names->list.count * sizeof(struct constant));
	return lens;
}

/* The integer type of an enum: DW_AT_type, or an int of the enum's size. */
static int
learn_below(struct learner *learner, Dwarf_Die *die, unsigned depth,
	    const struct type **ret_type)
{
	uint64_t bytes = 4;
	Dwarf_Die below;
	int r = learn_reference(learner, die, DW_AT_type, &below);

	if (r > 0)
		return learn(learner, &below, LEARN_NESTED, depth, ret_type);
	if (r == 0)
		r = learn_number(learner, die, DW_AT_byte_size, &bytes);
	if (r < 0)
		return r;
	return learn_integer(learner, NULL, DW_ATE_signed, bytes, ret_type);
}

static int
learn_enum(struct learner *learner, Dwarf_Die *die, unsigned depth,
	   const struct type **ret_type)
{
	struct learn_names names = { .bits = 0 };
	const struct type *below;
	const char *name = learn_name(learner, die);
	struct type *type;
	int r = learn_below(learner, die, depth, &below);

	if (r < 0)
		return r;
	if (below->kind != TYPE_INT)
		return -ENOTSUP;
	r = collect_names(learner, die, &names);
	type = type_copy(&learner->arena, below);
	type->is_char = false;
	type->lens = NULL;
	type->name =
		name ? arena_printf(&learner->arena, "enum %s", name) : NULL;
	if (r == 0 && names.list.count > 0)
		type->lens = lens_of_names(learner, &names);
	vec_release(&names.list);
	*ret_type = type;
	return r;
}

/* ---- pointers ----------------------------------------------------------- */

static const struct type *
with_lens(struct learner *learner, const struct type *type, enum lens_kind kind)
{
	struct type *copy = type_copy(&learner->arena, type);
	struct lens *lens = arena_zalloc(&learner->arena, sizeof(*lens));

	lens->kind = kind;
	lens->under = type->lens;
	lens->stops_at_nul = lens_is_text(kind);
	copy->lens = lens;
	return copy;
}

static const struct type *
pointer_to(struct learner *learner, const struct type *to, enum learn_use use)
{
	const struct type *pointer =
		type_pointer_of(&learner->arena, learner->word, to);

	if (to->kind == TYPE_VOID || to->kind == TYPE_FUNCTION ||
	    learner->look.as_ltrace)
		return pointer;
	if (type_is_character(to)) {
		pointer = with_lens(learner, pointer, LENS_STRING);
		return to->is_const ? pointer
				    : with_lens(learner, pointer, LENS_GUESS);
	}
	if (use == LEARN_NESTED)
		return with_lens(learner, pointer, LENS_ADDRESS);
	return pointer;
}

/* True if the fields of what a pointer leads to are shown. */
static bool
follows(const struct learner *learner, enum learn_use use)
{
	return use == LEARN_VALUE || learner->look.as_ltrace;
}

/* Skips const, volatile, and typedefs that name nothing else. *ret_name is the
 * last typedef's name, or NULL. */
static int
find_target(struct learner *learner, Dwarf_Die *die, Dwarf_Die *ret_target,
	    const char **ret_name)
{
	unsigned depth = 0;
	int r = learn_reference(learner, die, DW_AT_type, ret_target);

	*ret_name = NULL;

	while (r > 0) {
		Dwarf_Die at = *ret_target;
		int tag = dwarf_tag(&at);
		const char *name = dwarf_diename(&at);

		if (tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
		    tag != DW_TAG_typedef)
			return 1;
		if (tag == DW_TAG_typedef && name &&
		    (named_by_user(learner, &at) ||
		     type_builtin_of(learner->word, name)))
			return 1;
		if (depth++ > TYPE_DEPTH)
			return -ENOTSUP;
		if (tag == DW_TAG_typedef)
			*ret_name = name;
		r = learn_reference(learner, &at, DW_AT_type, ret_target);
		if (r == 0) {
			*ret_target = at;
			return 1;
		}
	}
	return r;
}

static bool
is_struct(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type;
}

/*
 * Makes the type of a struct behind a pointer. Its fields are never read if the
 * pointer is not followed; otherwise learn_struct_later() has them read later.
 */
static int
learn_pointed_struct(struct learner *learner, Dwarf_Die *die,
		     enum learn_use use, const char *name,
		     const struct type **ret_type)
{
	const struct type *type;
	struct type *named;
	int r;

	if (!follows(learner, use)) {
		*ret_type = type_struct(&learner->arena, TYPE_STRUCT,
					learn_name(learner, die));
		return 0;
	}
	r = learn_struct_later(learner, die, &type);
	*ret_type = type;
	if (r < 0 || type->name)
		return r;
	/* A struct that may lead to itself needs a name, because its text would
	 * have no end otherwise. The copy shares the body, and so gets the
	 * fields when they are read. */
	named = type_copy(&learner->arena, type);
	named->name =
		name ? arena_strdup(&learner->arena, name) : "struct (unnamed)";
	*ret_type = named;
	return 0;
}

static int
learn_target(struct learner *learner, Dwarf_Die *die, enum learn_use use,
	     unsigned depth, const struct type **ret_type)
{
	Dwarf_Die target;
	const char *name;
	int r = find_target(learner, die, &target, &name);

	*ret_type = type_void();
	if (r <= 0)
		return r;
	if (named_by_user(learner, &target)) {
		*ret_type = named_by_user(learner, &target);
		return 0;
	}
	if (is_struct(dwarf_tag(&target)))
		return learn_pointed_struct(learner, &target, use, name,
					    ret_type);
	return learn_type_of(learner, die, LEARN_NESTED, depth + 1, ret_type);
}

static int
learn_pointer(struct learner *learner, Dwarf_Die *die, enum learn_use use,
	      unsigned depth, const struct type **ret_type)
{
	const struct type *to;
	uint64_t bytes = learner->word;
	int r = learn_number(learner, die, DW_AT_byte_size, &bytes);

	if (r >= 0 && bytes != learner->word)
		r = -ENOTSUP;
	if (r < 0)
		return r;
	r = learn_target(learner, die, use, depth, &to);
	/* A pointer to a type that the model does not have becomes a pointer to
	 * void, which is not followed. */
	if (r == -ENOTSUP)
		to = type_void();
	else if (r < 0)
		return r;
	*ret_type = pointer_to(learner, to, use);
	return 0;
}

/* Pointers to members: to a field, its offset; to a function, two words
 * (Itanium C++ ABI 2.3). */
static int
learn_member_pointer(struct learner *learner, Dwarf_Die *die,
		     const struct type **ret_type)
{
	Dwarf_Die target;
	int r = learn_reference(learner, die, DW_AT_type, &target);

	if (r < 0)
		return r;
	if (r > 0 && dwarf_tag(&target) == DW_TAG_subroutine_type)
		return -ENOTSUP;
	*ret_type = type_builtin_of(learner->word, "long");
	return 0;
}

static int
learn_function_type(struct learner *learner, Dwarf_Die *die, unsigned depth,
		    const struct type **ret_type)
{
	struct type *type = arena_zalloc(&learner->arena, sizeof(struct type));
	int r = learn_function(learner, die, depth + 1, &type->proto);

	type->kind = TYPE_FUNCTION;
	*ret_type = type;
	return r;
}

/* ---- arrays ------------------------------------------------------------- */

static int
array_of(struct learner *learner, const struct type *to, Dwarf_Die *range,
	 const struct type **ret_type)
{
	struct expr *length = NULL;
	uint64_t count = 0, last = 0;
	int r = learn_number(learner, range, DW_AT_count, &count);

	if (r == 0) {
		r = learn_number(learner, range, DW_AT_upper_bound, &last);
		count = last + 1;
	}
	if (r == -EBADMSG)
		return r;
	if (r > 0 && count <= TYPE_SIZE_MOST) {
		length = arena_zalloc(&learner->arena, sizeof(*length));
		length->kind = EXPR_NUMBER;
		length->number = (int64_t)count;
	}
	*ret_type = type_array(&learner->arena, to, length);
	return 0;
}

/* "int a[2][3]" has a range for each dimension, the outermost first. */
static int
learn_ranges(struct learner *learner, const struct type *to, Dwarf_Die *range,
	     unsigned depth, const struct type **ret_type)
{
	const struct type *inner = to;
	Dwarf_Die next = *range;
	int r = learn_next(learner, &next);

	if (depth > TYPE_DEPTH)
		return -ENOTSUP;
	if (r == 0)
		r = learn_ranges(learner, to, &next, depth + 1, &inner);
	if (r < 0)
		return r;
	if (dwarf_tag(range) != DW_TAG_subrange_type) {
		*ret_type = inner;
		return 0;
	}
	return array_of(learner, inner, range, ret_type);
}

static int
learn_array(struct learner *learner, Dwarf_Die *die, unsigned depth,
	    const struct type **ret_type)
{
	const struct type *to;
	Dwarf_Die range;
	int r;

	if (learn_flag(die, DW_AT_GNU_vector))
		return -ENOTSUP;
	r = learn_type_of(learner, die, LEARN_NESTED, depth + 1, &to);
	if (r < 0)
		return r;
	if (!type_complete(to))
		return -ENOTSUP;
	r = learn_child(learner, die, &range);
	if (r != 0)
		return r < 0 ? r : -ENOTSUP;
	r = learn_ranges(learner, to, &range, depth + 1, ret_type);
	if (r == 0 && type_is_character(to) &&
	    (*ret_type)->kind == TYPE_ARRAY && (*ret_type)->to == to)
		*ret_type = with_lens(learner, *ret_type, LENS_STRING);
	return r;
}

/* ---- names and qualifiers ----------------------------------------------- */

static bool
fits(const struct type *known, const struct type *type)
{
	return known->kind == type->kind && type_size(known) == type_size(type);
}

static int
learn_typedef(struct learner *learner, Dwarf_Die *die, enum learn_use use,
	      unsigned depth, const struct type **ret_type)
{
	const char *name = learn_name(learner, die);
	const struct type *known =
		name ? type_builtin_of(learner->word, name) : NULL;
	enum lens_kind kind;
	struct type *copy;
	int r;

	/* The user or the model has a struct of this name, such as FILE or
	 * DIR. */
	if (known && known->kind == TYPE_STRUCT) {
		*ret_type = known;
		return 0;
	}
	r = learn_type_of(learner, die, use, depth + 1, ret_type);
	if (r < 0 || !name)
		return r;
	if (known && fits(known, *ret_type)) {
		*ret_type = known;
		return 0;
	}
	/* A name that means something else in prototype files is not given to
	 * the type. */
	if ((*ret_type)->kind == TYPE_VOID || lens_find(name, &kind))
		return 0;
	copy = type_copy(&learner->arena, *ret_type);
	copy->name = name;
	*ret_type = copy;
	return 0;
}

static int
learn_qualified(struct learner *learner, Dwarf_Die *die, enum learn_use use,
		unsigned depth, const struct type **ret_type)
{
	bool is_const = dwarf_tag(die) == DW_TAG_const_type;
	struct type *copy;
	int r = learn_type_of(learner, die, use, depth + 1, ret_type);

	if (r < 0 || !is_const || (*ret_type)->kind == TYPE_VOID ||
	    (*ret_type)->is_const)
		return r;
	copy = type_copy(&learner->arena, *ret_type);
	copy->is_const = true;
	*ret_type = copy;
	return 0;
}

static int
learn_by_tag(struct learner *learner, Dwarf_Die *die, enum learn_use use,
	     unsigned depth, const struct type **ret_type)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		return learn_base(learner, die, ret_type);
	case DW_TAG_enumeration_type:
		return learn_enum(learner, die, depth, ret_type);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return learn_pointer(learner, die, use, depth, ret_type);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return learn_struct(learner, die, depth, ret_type);
	case DW_TAG_array_type:
		return learn_array(learner, die, depth, ret_type);
	case DW_TAG_typedef:
		return learn_typedef(learner, die, use, depth, ret_type);
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return learn_qualified(learner, die, use, depth, ret_type);
	case DW_TAG_subroutine_type:
		return learn_function_type(learner, die, depth, ret_type);
	case DW_TAG_ptr_to_member_type:
		return learn_member_pointer(learner, die, ret_type);
	case DW_TAG_unspecified_type: /* decltype(nullptr) */
		*ret_type = type_builtin_of(learner->word, "addr");
		return 0;
	default:
		return -ENOTSUP;
	}
}

static int
learn(struct learner *learner, Dwarf_Die *die, enum learn_use use,
      unsigned depth, const struct type **ret_type)
{
	uint64_t key =
		(uint64_t)(uintptr_t)die->addr << 1 | (use == LEARN_NESTED);
	const struct type *type = map_get(&learner->types, key);
	Dwarf_Die definition;
	int r;

	if (!type)
		type = named_by_user(learner, die);
	if (type) {
		*ret_type = type;
		return 0;
	}
	if (depth > TYPE_DEPTH)
		return -ENOTSUP;
	r = learn_definition(learner, die, &definition);
	if (r == 0)
		r = learn_by_tag(learner, &definition, use, depth, ret_type);
	if (r == 0 && (*ret_type)->depth > TYPE_DEPTH)
		r = -ENOTSUP;
	if (r == 0)
		map_put(&learner->types, key, (void *)*ret_type);
	return r;
}

int
learn_type_of(struct learner *learner, Dwarf_Die *die, enum learn_use use,
	      unsigned depth, const struct type **ret_type)
{
	Dwarf_Die type;
	int r = learn_reference(learner, die, DW_AT_type, &type);

	if (r > 0)
		return learn(learner, &type, use, depth, ret_type);
	*ret_type = type_void();
	return r;
}
