/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is an object of a class passed in registers or on the stack, as a struct of C
 * is, or at an address? The latter if copying or destroying it runs code
 * (Itanium C++ ABI 1.1, "non-trivial for the purposes of calls"). clang tells
 * which (DW_AT_calling_convention), gcc 12 does not. Without it, an object is
 * passed at an address if its class has one of these: a copy or move
 * constructor or a destructor that is not the compiler's own, only deleted copy
 * and move constructors, a virtual function, a virtual base, or a base or
 * member whose class is passed at an address.
 *
 * A class that is only declared here has no answer.
 */
#include "values/learn/learn_parts.h"

#include <errno.h>
#include <string.h>

static int by_address(struct learner *learner, Dwarf_Die *die, unsigned depth);

/* The type without const and typedefs, or, of an array, of its elements.
 * Returns 1, 0 for void, or -errno. */
static int
find_bare(struct learner *learner, Dwarf_Die *die, Dwarf_Die *ret_die)
{
	int r = learn_reference(learner, die, DW_AT_type, ret_die);

	for (unsigned depth = 0; r > 0; depth++) {
		int tag = dwarf_tag(ret_die);
		Dwarf_Die at = *ret_die;

		if (tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
		    tag != DW_TAG_typedef && tag != DW_TAG_array_type)
			return 1;
		if (depth > TYPE_DEPTH)
			return -ENOTSUP;
		r = learn_reference(learner, &at, DW_AT_type, ret_die);
	}
	return r;
}

static bool
is_own_of_compiler(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word defaulted = DW_DEFAULTED_no;

	if (dwarf_attr(die, DW_AT_defaulted, &attribute) &&
	    dwarf_formudata(&attribute, &defaulted) != 0)
		return false;
	return learn_flag(die, DW_AT_artificial) ||
	       learn_flag(die, DW_AT_deleted) ||
	       defaulted == DW_DEFAULTED_in_class;
}

/* The first parameter that is not artificial: 1, 0 or -errno. */
static int
first_parameter(struct learner *learner, Dwarf_Die *die, Dwarf_Die *ret_die)
{
	int r = learn_child(learner, die, ret_die);

	for (; r == 0; r = learn_next(learner, ret_die)) {
		if (dwarf_tag(ret_die) == DW_TAG_formal_parameter &&
		    !learn_flag(ret_die, DW_AT_artificial))
			return 1;
	}
	return r < 0 ? r : 0;
}

/* Is the method a copy or a move constructor: C(const C &), C(C &&)? */
static int
copies(struct learner *learner, Dwarf_Die *method, const Dwarf_Die *class)
{
	Dwarf_Die parameter, type, referred;
	int r = first_parameter(learner, method, &parameter);

	if (r > 0)
		r = find_bare(learner, &parameter, &type);
	if (r <= 0)
		return r;
	if (dwarf_tag(&type) != DW_TAG_reference_type &&
	    dwarf_tag(&type) != DW_TAG_rvalue_reference_type)
		return 0;
	r = find_bare(learner, &type, &referred);
	return r > 0 ? referred.addr == class->addr : r;
}

/* A constructor has the name of its class, without the template's arguments. */
static bool
is_constructor(const char *method, const char *class)
{
	size_t length = class ? strcspn(class, "<") : 0;

	return length && !strncmp(method, class, length) &&
	       (method[length] == '\0' || method[length] == '<');
}

/* Which copy and move constructors a class declares. */
struct copying {
	bool possible; /* at least one constructor is not deleted */
	bool deleted;  /* at least one constructor is deleted */
};

static int
method_matters(struct learner *learner, Dwarf_Die *method, Dwarf_Die *class,
	       struct copying *copying)
{
	const char *name = dwarf_diename(method);
	int r;

	if (dwarf_hasattr(method, DW_AT_virtuality))
		return 1;
	if (name && name[0] == '~')
		return !is_own_of_compiler(method);
	if (!name || !is_constructor(name, dwarf_diename(class)))
		return 0;
	r = copies(learner, method, class);
	if (r <= 0)
		return r;
	if (learn_flag(method, DW_AT_deleted)) {
		copying->deleted = true;
		return 0;
	}
	copying->possible = true;
	return !is_own_of_compiler(method);
}

/* Is the class passed at an address because of this part of it? The part is a
 * base class, or a member that is an object. */
static int
part_matters(struct learner *learner, Dwarf_Die *part, unsigned depth)
{
	Dwarf_Die type;
	int r;

	if (dwarf_hasattr(part, DW_AT_virtuality) &&
	    dwarf_tag(part) == DW_TAG_inheritance)
		return 1;
	r = find_bare(learner, part, &type);
	return r > 0 ? by_address(learner, &type, depth + 1) : r;
}

static int
class_matters(struct learner *learner, Dwarf_Die *class, unsigned depth)
{
	struct copying copying = { .possible = false };
	Dwarf_Die child;
	int r = learn_child(learner, class, &child);

	for (; r == 0; r = learn_next(learner, &child)) {
		int tag = dwarf_tag(&child), matters = 0;

		if (tag == DW_TAG_subprogram)
			matters = method_matters(learner, &child, class,
						 &copying);
		else if (tag == DW_TAG_member || tag == DW_TAG_inheritance)
			matters = part_matters(learner, &child, depth);
		if (matters != 0)
			return matters;
	}
	/* If one of the two is deleted and the other one is not declared, the
	 * other one is deleted or does not exist (C++17, [class.copy.ctor]). */
	return r < 0 ? r : copying.deleted && !copying.possible;
}

static int
by_address(struct learner *learner, Dwarf_Die *die, unsigned depth)
{
	int tag = dwarf_tag(die), r;
	uint64_t convention = 0;

	if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type &&
	    tag != DW_TAG_union_type)
		return 0;
	if (depth > TYPE_DEPTH)
		return -ENOTSUP;
	r = learn_number(learner, die, DW_AT_calling_convention, &convention);
	if (r != 0)
		return r < 0 ? r : convention == DW_CC_pass_by_reference;
	return class_matters(learner, die, depth);
}

int
learn_by_address(struct learner *learner, Dwarf_Die *die)
{
	Dwarf_Die type;
	int r;

	switch (learner->language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Rust:
		return 0;
	}
	r = find_bare(learner, die, &type);
	/* find_bare() skips no array here, because a parameter that is declared
	 * as an array has the type of a pointer. */
	return r > 0 ? by_address(learner, &type, 0) : r;
}
