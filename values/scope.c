/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gets the value of a leaf, and converts a value for expressions.
 *
 * If a name is no argument's name, it may be a constant in the type of the
 * result or of an argument: retval == SQLITE_BUSY.
 *
 * A leaf that names a parameter means that parameter, if the call has it (a
 * condition may exclude it). argN means the N-th argument of the call, even if
 * a format describes it. eltN is a field of the nearest enclosing struct. A
 * field's name means a field of the nearest enclosing struct that has the
 * field. s.f is a field of s, or of what s points to.
 *
 * Evaluating a length may need a text, and a text needs its length. The
 * recursion ends because the evaluation of a length never reads a text.
 */
#include "values/scope.h"

#include "base/arena.h"
#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "values/capture.h"
#include "values/fetch.h"
#include "values/real.h"
#include "values/show.h"

#include <errno.h>
#include <string.h>

/* The most characters of a text that a pattern is matched against. */
#define TEXT_MOST ((size_t)1 << 20)
/* How many levels of nested types are searched for a constant. */
#define NAMES_DEPTH 4u
/* The most elements whose fields are added up: IOV_MAX of Linux. */
#define ELEMENTS_MOST 1024u
/* How many pointers p->x follows: p may point to a pointer. */
#define POINTERS_MOST 2u

void
scope_init(struct scope *scope, const struct arguments *arguments,
	   const struct value *around)
{
	*scope = (struct scope){
		.expr = { .leaf = scope_leaf },
		.arguments = arguments,
		.around = around,
	};
}

bool
scope_same_name(const char *a, const char *b)
{
	return a && !strcmp(a + strspn(a, "_"), b + strspn(b, "_"));
}

static const struct argument *
find_argument(const struct scope *scope, const struct expr *leaf)
{
	const struct arguments *arguments = scope->arguments;
	size_t wanted = (size_t)leaf->number - 1;

	for (size_t i = 0; arguments && i < arguments->count; i++) {
		const struct argument *argument = &arguments->at[i];
		bool found;

		if (leaf->kind == EXPR_NAME)
			found = scope_same_name(argument->name, leaf->name);
		else
			found = (leaf->name ? argument->param : i) == wanted;
		if (found)
			return argument;
	}
	return NULL;
}

/* Does the type have this field? If not, the name may belong to an outer
 * struct. */
static bool
has_element(const struct type *type, const struct expr *leaf)
{
	uint64_t i = (uint64_t)leaf->number - 1;

	if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION)
		return false;
	if (!leaf->name)
		return true;
	return i < type->body->count &&
	       scope_same_name(type->body->fields[i].name, leaf->name);
}

static int
find_element(const struct scope *scope, const struct expr *leaf,
	     struct value *ret_value)
{
	const struct value *around = scope->around;

	while (around && !has_element(around->type, leaf))
		around = around->parent;
	if (!around || leaf->number < 1 ||
	    (uint64_t)leaf->number > around->type->body->count)
		return -ENODATA;
	value_field(around, (size_t)leaf->number - 1, ret_value);
	return 0;
}

/* Copies a value into the capture's arena, because the value of a field will
 * refer to it as its parent. */
static struct value *
keep(const struct value *value)
{
	if (!value->capture)
		return NULL;
	return arena_copy(value->capture->arena, value, sizeof(*value));
}

static int
find_field(const struct scope *scope, const struct expr *leaf,
	   struct value *ret_value)
{
	struct value found, *around;
	int r = scope_find(scope, leaf->left, &found);

	if (r < 0)
		return r;
	around = keep(&found);
	for (unsigned i = 0;
	     i < POINTERS_MOST && around && around->type->kind == TYPE_POINTER;
	     i++) {
		if (value_target(around, &found) < 0 || !found.address)
			return -ENODATA;
		around = keep(&found);
	}
	if (!around || !value_field_named(around, leaf->name, ret_value))
		return -ENODATA;
	return 0;
}

/* Gets the index of the array's element that is `around`, or that contains it.
 * False if there is no such element. */
static bool
place_of(const struct value *around, uint64_t *ret_place)
{
	const struct value *array = around ? around->parent : NULL;
	size_t size;

	while (array && array->type->kind != TYPE_ARRAY) {
		/*
		 * An element behind a pointer has no index in the array that
		 * contains the pointer.
		 */
		if (array->type->kind == TYPE_POINTER)
			return false;
		around = array;
		array = around->parent;
	}
	size = array ? type_size(array->type->to) : 0;
	if (size == 0)
		return false;
	if (around->address && array->address)
		*ret_place = (around->address - array->address) / size;
	else if (around->bytes && array->bytes)
		*ret_place = (size_t)(around->bytes - array->bytes) / size;
	else
		return false;
	return true;
}

/* Finds the value of EXPR_BESIDE. A NULL pointer has no elements. */
static int
find_beside(const struct scope *scope, const struct expr *leaf,
	    struct value *ret_value)
{
	struct value found, *array;
	uint64_t place;
	size_t size;
	int r = scope_find(scope, leaf->left, &found);

	if (r < 0)
		return r;
	array = keep(&found);
	if (!array || !place_of(scope->around, &place))
		return -ENODATA;
	if (array->type->kind == TYPE_POINTER) {
		if (value_target(array, &found) < 0 || !found.address)
			return -ENODATA;
		if (found.type->kind != TYPE_ARRAY) {
			size = type_size(found.type);
			value_at(ret_value, found.type,
				 found.address + place * size, found.capture,
				 found.arguments);
			return size > 0 ? 0 : -ENODATA;
		}
		array = keep(&found);
	}
	if (array->type->kind != TYPE_ARRAY)
		return -ENODATA;
	value_element(array, place, ret_value);
	return 0;
}

/* Calls itself through find_field() and find_beside(). This ends, because the
 * parser limits the depth of expressions. */
int
scope_find(const struct scope *scope, const struct expr *leaf,
	   struct value *ret_value)
{
	const struct argument *argument;

	switch (leaf->kind) {
	case EXPR_ARG:
	case EXPR_NAME:
		argument = find_argument(scope, leaf);
		if (!argument)
			return -ENODATA;
		*ret_value = *argument_value(argument);
		return 0;
	case EXPR_RETVAL:
		if (!scope->arguments || !scope->arguments->result)
			return -ENODATA;
		*ret_value = *scope->arguments->result;
		return 0;
	case EXPR_ELEMENT:
		return find_element(scope, leaf, ret_value);
	case EXPR_FIELD:
		return find_field(scope, leaf, ret_value);
	case EXPR_BESIDE:
		return find_beside(scope, leaf, ret_value);
	default:
		return -ENODATA;
	}
}

static int
set_number(struct expr_value *value, int64_t number, bool is_unsigned)
{
	*value = (struct expr_value){ .kind = EXPR_VALUE_NUMBER,
				      .number = number,
				      .is_unsigned = is_unsigned };
	return 0;
}

static int
evaluate_real(const struct value *value, struct expr_value *ret_value)
{
	struct real real;
	int r = real_of(value, 0, &real);

	if (r < 0)
		return -ENODATA;
	*ret_value = (struct expr_value){ .kind = EXPR_VALUE_REAL,
					  .real = (double)real.number };
	return 0;
}

static int
evaluate_integer(const struct value *value, struct expr_value *ret_value)
{
	int64_t number;

	if (value_integer(value, &number) < 0)
		return -ENODATA;
	/* A result that is shown as -1 has the value -1 in an expression. */
	return set_number(ret_value, number,
			  !value->type->is_signed && !show_guessed(value));
}

static bool is_text(const struct value *value);
static int evaluate_text(const struct value *value,
			 struct expr_value *ret_value);

static int
evaluate_pointer(const struct value *value, bool numbers,
		 struct expr_value *ret_value)
{
	struct value target;
	int r;

	if (value_target(value, &target) < 0)
		return -ENODATA;
	if (target.address && !type_is_address(value->type) &&
	    (target.type->kind == TYPE_INT ||
	     target.type->kind == TYPE_FLOAT)) {
		r = target.type->kind == TYPE_INT
			    ? evaluate_integer(&target, ret_value)
			    : evaluate_real(&target, ret_value);
		if (r == 0)
			return 0;
	}
	if (target.address && !numbers && is_text(&target) &&
	    evaluate_text(&target, ret_value) == 0)
		return 0;
	return set_number(ret_value, (int64_t)target.address, true);
}

static bool
is_text(const struct value *value)
{
	const struct lens *lens = value->lens;

	while (lens && !lens_is_text(lens->kind))
		lens = lens->under;
	return lens != NULL;
}

/* The text of an IP address. */
static int
evaluate_shown(const struct value *value, struct expr_value *ret_value)
{
	struct str text = { 0 };

	if (!value->capture)
		return -ENODATA;
	show_scalar(&text, value);
	*ret_value = (struct expr_value){
		.kind = EXPR_VALUE_TEXT,
		.text = arena_strndup(value->capture->arena, str_text(&text),
				      text.length),
	};
	str_release(&text);
	return 0;
}

/* The arena for the text of a value: its capture's, or, for a text that a probe
 * recalls, which has no capture, the call's. */
static struct arena *
arena_of(const struct value *value)
{
	if (value->capture)
		return value->capture->arena;
	return value->arguments ? value->arguments->arena : NULL;
}

static int
evaluate_text(const struct value *value, struct expr_value *ret_value)
{
	struct value_chars text;
	addr_t address;

	if (value_pointer(value, &address) == 0 && address == 0)
		return set_number(ret_value, 0, true);
	if (!arena_of(value) || value_text(value, TEXT_MOST, &text) < 0)
		return -ENODATA;
	*ret_value = (struct expr_value){
		.kind = EXPR_VALUE_TEXT,
		.text = arena_strndup(arena_of(value), text.bytes, text.length),
	};
	return 0;
}

/* only(union(...)): the member whose condition is true. Members that are no
 * integers have no value in an expression. */
static int
evaluate_member(const struct value *around, struct expr_value *ret_value)
{
	struct value member;

	for (size_t i = 0; i < around->type->body->count; i++) {
		if (!value_field_there(around, i))
			continue;
		value_field(around, i, &member);
		return member.type->kind == TYPE_INT
			       ? evaluate_integer(&member, ret_value)
			       : -EDOM;
	}
	return -ENODATA;
}

static int
evaluate_value(const struct value *value, bool numbers,
	       struct expr_value *ret_value)
{
	if (is_text(value))
		return numbers ? -EDOM : evaluate_text(value, ret_value);
	if (value->lens && value->lens->kind == LENS_INET && !numbers)
		return evaluate_shown(value, ret_value);
	switch (value->type->kind) {
	case TYPE_INT:
		return evaluate_integer(value, ret_value);
	case TYPE_FLOAT:
		return evaluate_real(value, ret_value);
	case TYPE_POINTER:
		return evaluate_pointer(value, numbers, ret_value);
	case TYPE_UNION:
		return lens_of_kind(value->lens, LENS_ONLY)
			       ? evaluate_member(value, ret_value)
			       : -EDOM;
	default:
		return -EDOM;
	}
}

int
scope_value(const struct value *value, struct expr_value *ret_value)
{
	return evaluate_value(value, false, ret_value);
}

static bool
lens_names(const struct lens *lens, const char *name, int64_t *ret_number)
{
	for (; lens; lens = lens->under) {
		for (size_t i = 0; i < lens->name_count; i++) {
			if (strcmp(lens->names[i].name, name) != 0)
				continue;
			*ret_number = lens->names[i].value;
			return true;
		}
	}
	return false;
}

/* A constant, cast to the type of the value, so that MAP_FAILED=-1 equals the
 * highest address: addresses are unsigned. */
static struct expr_value
constant_of(const struct type *type, int64_t number)
{
	bool is_unsigned = type->kind == TYPE_POINTER ||
			   (type->kind == TYPE_INT && !type->is_signed);
	struct expr_value value;

	if (is_unsigned && type->bytes < sizeof(number))
		number &= ((int64_t)1 << 8 * type->bytes) - 1;
	set_number(&value, number, is_unsigned);
	return value;
}

/* Finds a constant in the type, in what it points to and in its fields: O_CREAT
 * of flags(O_CREAT). Searches at most depth levels. */
static bool
names_constant(const struct type *type, const char *name, unsigned depth,
	       struct expr_value *ret_value)
{
	int64_t number;

	if (lens_names(type->lens, name, &number)) {
		*ret_value = constant_of(type, number);
		return true;
	}
	if (depth == 0)
		return false;
	if (type->to && names_constant(type->to, name, depth - 1, ret_value))
		return true;
	for (size_t i = 0; type->body && i < type->body->count; i++) {
		if (names_constant(type->body->fields[i].type, name, depth - 1,
				   ret_value))
			return true;
	}
	return false;
}

/* Finds a constant in the type of the result or of an argument. */
static bool
find_constant(const struct arguments *arguments, const char *name,
	      struct expr_value *ret_value)
{
	if (!arguments || !arguments->proto)
		return false;
	if (names_constant(arguments->proto->returns, name, NAMES_DEPTH,
			   ret_value))
		return true;
	for (size_t i = 0; i < arguments->count; i++) {
		if (names_constant(arguments->at[i].value.type, name,
				   NAMES_DEPTH, ret_value))
			return true;
	}
	return false;
}

bool
scope_has_parameter(const struct proto *proto, const char *name)
{
	size_t i = 0;

	while (i < proto->count &&
	       !scope_same_name(proto->params[i].name, name))
		i++;
	return i < proto->count;
}

bool
scope_constant(const struct proto *proto, const char *name,
	       struct expr_value *ret_value)
{
	bool has = names_constant(proto->returns, name, NAMES_DEPTH, ret_value);

	for (size_t i = 0; i < proto->count && !has; i++)
		has = names_constant(proto->params[i].type, name, NAMES_DEPTH,
				     ret_value);
	return has;
}

bool
scope_has_constant(const struct proto *proto, const char *name)
{
	struct expr_value value;

	return scope_constant(proto, name, &value);
}

/* The sum of a field over the elements before the element `around`. */
static int
evaluate_before(const struct scope *scope, const struct expr *leaf,
		struct expr_value *ret_value)
{
	const struct value *array = scope->around;
	struct scope of_element = *scope;
	struct value element, field;
	uint64_t place, sum = 0;
	int64_t number;

	if (!place_of(scope->around, &place) || place > ELEMENTS_MOST)
		return -ENODATA;
	while (array->type->kind != TYPE_ARRAY)
		array = array->parent;
	of_element.around = &element;
	for (uint64_t i = 0; i < place; i++) {
		value_element(array, i, &element);
		if (scope_find(&of_element, leaf->left, &field) < 0 ||
		    value_integer(&field, &number) < 0)
			return -ENODATA;
		sum += (uint64_t)number;
	}
	return set_number(ret_value, (int64_t)sum, false);
}

int
scope_leaf(struct expr_scope *expr_scope, const struct expr *leaf,
	   struct expr_value *ret_value)
{
	const struct scope *scope =
		container_of(expr_scope, struct scope, expr);
	struct value value;
	addr_t address;
	int r;

	if (leaf->kind == EXPR_BEFORE)
		return evaluate_before(scope, leaf, ret_value);
	r = scope_find(scope, leaf, &value);
	if (r == -ENODATA && leaf->kind == EXPR_NAME &&
	    find_constant(scope->arguments, leaf->name, ret_value))
		return 0;
	if (r < 0)
		return r;
	if (leaf->as_address && value_pointer(&value, &address) == 0)
		return set_number(ret_value, (int64_t)address, true);
	return evaluate_value(&value, scope->numbers, ret_value);
}
