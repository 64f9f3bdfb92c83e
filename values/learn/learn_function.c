/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The prototype of a function. Its entry may complete another entry. The entry
 * of a method completes the one in its class (DW_AT_specification). The entry
 * of a compiled copy completes the one of the abstract function
 * (DW_AT_abstract_origin). The parameters are those of the abstract function,
 * because the compiler may leave out some of them in a copy.
 *
 * What the caller passes may differ from what the programmer wrote:
 *
 *	- an object of a class may be passed by its address (learn_class), and
 *	  is then returned at an address that the caller passes first (Itanium
 *	  C++ ABI 3.1.1, 3.1.3);
 *	- `this` is the first parameter;
 *	- `__in_chrg` of constructors is never passed.
 *
 * Rust passes numbers, pointers, and pairs of them as C does. How it passes
 * other structs is not specified.
 */
#include "values/learn/learn_parts.h"

#include "conf/model/lens.h"
#include "conf/model/proto.h"
#include "symbols/image.h"

#include <errno.h>
#include <string.h>

#define PARAMS_MOST 256u
/* The most bytes of a struct that is passed in registers. */
#define REGISTERS_BYTES 16u

struct learn_params {
	vec_of(struct learn_param) list;
	bool varargs;
};

static const struct lens hide = { .kind = LENS_HIDE };
static const struct lens address = { .kind = LENS_ADDRESS };

static const struct type *
seen_through(struct learner *learner, const struct type *type,
	     const struct lens *lens)
{
	struct type *copy = type_copy(&learner->arena, type);

	copy->lens = lens;
	return copy;
}

/* The number of scalars in a type, at most `most`. */
static unsigned
count_scalars(const struct type *type, unsigned most)
{
	unsigned count = 0;

	if (type->kind == TYPE_ARRAY || type->kind == TYPE_UNION)
		return most;
	if (type->kind != TYPE_STRUCT)
		return 1;
	for (size_t i = 0; i < type->body->count && count < most; i++)
		count +=
			count_scalars(type->body->fields[i].type, most - count);
	return count;
}

/* Is it certain how a value of the type is passed? */
static bool
is_certain(const struct learner *learner, const struct type *type)
{
	if (!type_complete(type))
		return type->kind == TYPE_VOID;
	if (learner->language != DW_LANG_Rust ||
	    (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION))
		return true;
	return type_size(type) == 0 || (type_size(type) <= REGISTERS_BYTES &&
					count_scalars(type, 3) <= 2);
}

static int
learn_passed(struct learner *learner, Dwarf_Die *die, unsigned depth,
	     const struct type **ret_type)
{
	int by_address = learn_by_address(learner, die);
	int r;

	if (by_address < 0)
		return by_address;
	r = learn_type_of(learner, die, LEARN_VALUE, depth + 1, ret_type);
	if (r < 0)
		return r;
	if (by_address)
		*ret_type = type_pointer_of(&learner->arena, learner->word,
					    *ret_type);
	return is_certain(learner, *ret_type) ? by_address : -ENOTSUP;
}

bool
learn_is_implicit(const struct param *param)
{
	return param->type->lens == &hide ||
	       (param->name && (!strcmp(param->name, "this") ||
				!strcmp(param->name, "__vtt_parm")));
}

static int
learn_param(struct learner *learner, Dwarf_Die *die, unsigned depth,
	    struct learn_params *params)
{
	bool artificial = learn_flag(die, DW_AT_artificial);
	struct param param = { .name = learn_name(learner, die),
			       .when = PARAM_AT_ENTRY };
	int r;

	if (artificial && param.name && !strcmp(param.name, "__in_chrg"))
		return 0;
	r = learn_passed(learner, die, depth, &param.type);
	if (r < 0)
		return r;
	if (param.type->kind == TYPE_VOID || params->list.count >= PARAMS_MOST)
		return -ENOTSUP;
	/* `this` is shown as an address, because the object of a method often
	 * leads to all objects of the program. */
	if (artificial && param.type->kind == TYPE_POINTER &&
	    !learner->look.as_ltrace)
		param.type = seen_through(learner, param.type, &address);
	vec_push(&params->list,
		 ((struct learn_param){ .param = param, .die = die->addr }));
	return 0;
}

static int
learn_params(struct learner *learner, Dwarf_Die *die, unsigned depth,
	     struct learn_params *params)
{
	Dwarf_Die child;
	int r = learn_child(learner, die, &child);

	for (; r == 0; r = learn_next(learner, &child)) {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_unspecified_parameters)
			params->varargs = true;
		if (tag != DW_TAG_formal_parameter)
			continue;
		r = learn_param(learner, &child, depth, params);
		if (r < 0)
			return r;
	}
	return r < 0 ? r : 0;
}

/* An object that is returned at an address, which the caller passes first. */
static int
learn_result(struct learner *learner, Dwarf_Die *die, unsigned depth,
	     struct learn_params *params, const struct type **ret_type)
{
	struct param where = { .when = PARAM_AT_ENTRY };
	int r = learn_passed(learner, die, depth, ret_type);

	if (r <= 0)
		return r;
	where.type = seen_through(learner, *ret_type, &hide);
	vec_push(&params->list, (struct learn_param){ .param = where });
	return 0;
}

/* As for a declaration in C (conf/parse), the last parameter before "..." is a
 * format if its name is "format" or "fmt". */
static void
find_format(struct learner *learner, struct learn_params *params,
	    struct proto *proto)
{
	struct param *last = &params->list.at[params->list.count - 1].param;
	struct type *type;
	struct lens *lens;

	if (!params->varargs || !last->name || !last->type->lens ||
	    last->type->lens->kind != LENS_STRING ||
	    (strcmp(last->name, "format") != 0 &&
	     strcmp(last->name, "fmt") != 0))
		return;
	type = type_copy(&learner->arena, last->type);
	lens = arena_copy(&learner->arena, last->type->lens, sizeof(*lens));
	lens->kind = proto->name && strstr(proto->name, "scanf") ? LENS_SCAN
								 : LENS_FORMAT;
	type->lens = lens;
	last->type = type;
	proto->format = (int)params->list.count - 1;
}

static void
find_place(struct learner *learner, Dwarf_Die *die, struct proto *proto)
{
	const char *file = dwarf_decl_file(die);
	int number = 0;

	if (!file)
		return;
	proto->file = arena_strdup(&learner->arena, file);
	if (dwarf_decl_line(die, &number) == 0 && number > 0)
		proto->line = (unsigned)number;
}

static const struct param *
copy_params(struct learner *learner, const struct learn_params *params)
{
	struct param *copy = arena_alloc(&learner->arena,
					 params->list.count * sizeof(*copy));

	for (size_t i = 0; i < params->list.count; i++)
		copy[i] = params->list.at[i].param;
	return copy;
}

/* LLVM's number of fastcall, of the convention's name at Microsoft. */
#define MS_FASTCALL 0xb3

static int
learn_convention(struct learner *learner, Dwarf_Die *die, struct proto *proto)
{
	uint64_t number = 0;
	int r = learn_number(learner, die, DW_AT_calling_convention, &number);

	proto->fastcall = r > 0 && number == MS_FASTCALL;
	return r == -EBADMSG ? r : 0;
}

int
learn_function(struct learner *learner, Dwarf_Die *die, unsigned depth,
	       const struct proto **ret_proto)
{
	struct proto *proto;
	struct learn_params params = { .varargs = false };
	Dwarf_Die origin = *die;
	int r;

	if (depth > TYPE_DEPTH)
		return -ENOTSUP;
	r = learn_reference(learner, die, DW_AT_abstract_origin, &origin);
	if (r < 0)
		return r;
	proto = arena_zalloc(&learner->arena, sizeof(*proto));
	proto->name = learn_name(learner, die);
	proto->file = image_name(learner->image);
	proto->format = -1;
	r = learn_result(learner, &origin, depth, &params, &proto->returns);
	if (r == 0)
		r = learn_params(learner, &origin, depth, &params);
	if (r == 0 && params.list.count > 0)
		find_format(learner, &params, proto);
	proto->varargs = params.varargs;
	proto->count = params.list.count;
	if (r == 0)
		r = learn_convention(learner, die, proto);
	if (r == 0)
		r = learn_places(learner, die, params.list.at,
				 params.list.count, &proto->placed);
	proto->params = copy_params(learner, &params);
	vec_release(&params.list);
	if (r == 0 && learner->look.places)
		find_place(learner, die, proto);
	*ret_proto = proto;
	return r;
}
