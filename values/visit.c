/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk over a value. The tracee's memory is not trusted: a list may be
 * circular, a length may be a billion, a pointer may point anywhere. Therefore
 * there are four limits. Together they end every walk soon:
 *
 *	- of an array, at most array_length elements are visited;
 *	- a pointer is followed within at most array_length other pointers,
 *	  and not if one of them has the same address and type;
 *	- nothing deeper than DEPTH_MOST is visited;
 *	- budget limits the total number of visited items.
 *
 * Before a pointer is followed, its target is read, so that a pointer to an
 * unreadable place is shown by its address.
 */
#include "values/visit.h"

#include "base/str.h"
#include "base/utf8.h"
#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "values/capture.h"
#include "values/items.h"
#include "values/postgres.h"
#include "values/value.h"

#include <errno.h>

#define DEPTH_MOST 200u
#define BUDGET 4096u
/* How much of the budget a text costs, besides its characters. */
#define TEXT_COST 64u
#define TEXT_ALLOWANCE 16u
#define LARGEST_SCALAR 32u
#define VARS_MOST 65536u
#define ERROR_MOST 4095 /* errno(3): the largest error number of the kernel */

#define TELL(visitor, what, ...)                                        \
	do {                                                            \
		if ((visitor)->ops->what)                               \
			(visitor)->ops->what((visitor), ##__VA_ARGS__); \
	} while (0)

static void walk(struct visitor *visitor, const struct value *value,
		 unsigned depth);

bool
value_hidden(const struct value *value)
{
	return value->lens && value->lens->kind == LENS_HIDE;
}

/* Reads a set of bits as a whole, because all of it is shown as one value. */
static bool
readable_set(const struct value *value)
{
	char bytes[BIT_SET_MOST];
	size_t size;

	return value_extent(value, sizeof(bytes), &size) == 0 &&
	       value_read(value, 0, bytes, size) == 0;
}

static bool
readable(const struct value *value)
{
	char bytes[LARGEST_SCALAR];
	uint64_t bits;
	size_t size;

	if (value->bits)
		return value_bits(value, &bits) == 0;
	if (lens_of_kind(value->lens, LENS_BITVEC))
		return readable_set(value);
	size = type_size(value->type);
	if (size > sizeof(bytes))
		size = sizeof(bytes);
	return value_read(value, 0, bytes, size) == 0;
}

static void
walk_scalar(struct visitor *visitor, const struct value *value)
{
	if (readable(value))
		TELL(visitor, scalar, value);
	else
		TELL(visitor, unreadable);
}

/*
 * True for a union whose members all have conditions (type_is_choice()), and
 * for the struct that is its selected member. Their fields are shown as fields
 * of `around`.
 */
static bool
is_transparent(const struct value *around, const struct type_field *field)
{
	if (field->name || field->type->lens)
		return false;
	return type_is_choice(field->type) ||
	       (type_is_choice(around->type) &&
		field->type->kind == TYPE_STRUCT);
}

/* Visits the fields of a struct. Sets *ret_cut if some were left out. */
static void
tell_fields(struct visitor *visitor, const struct value *value, unsigned depth,
	    bool *ret_cut)
{
	const struct type_body *body = value->type->body;

	for (size_t i = 0; i < body->count && !*ret_cut; i++) {
		const struct type_field *field = &body->fields[i];
		struct value part;

		if ((field->bits && !field->name) ||
		    !value_field_there(value, i))
			continue;
		value_field(value, i, &part);
		if (value_hidden(&part))
			continue;
		*ret_cut = visitor->budget == 0 || depth > DEPTH_MOST;
		if (*ret_cut)
			break;
		if (is_transparent(value, field)) {
			visitor->budget--;
			tell_fields(visitor, &part, depth + 1, ret_cut);
			continue;
		}
		TELL(visitor, item, field->name);
		walk(visitor, &part, depth + 1);
	}
}

static void
walk_fields(struct visitor *visitor, const struct value *value, unsigned depth)
{
	enum visit_group group =
		value->type->kind == TYPE_UNION ? VISIT_UNION : VISIT_STRUCT;
	bool cut = false;

	TELL(visitor, begin, value, group);
	tell_fields(visitor, value, depth, &cut);
	TELL(visitor, end, group, cut);
}

/* Visits only the first field that is shown, in place of the struct; false:
 * there is none. */
static bool
walk_first(struct visitor *visitor, const struct value *around, unsigned depth)
{
	const struct type_body *body = around->type->body;

	for (size_t i = 0; i < body->count && depth <= DEPTH_MOST; i++) {
		const struct type_field *field = &body->fields[i];
		struct value part;

		if ((field->bits && !field->name) ||
		    !value_field_there(around, i))
			continue;
		value_field(around, i, &part);
		if (value_hidden(&part))
			continue;
		if (!is_transparent(around, field)) {
			walk(visitor, &part, depth + 1);
			return true;
		}
		if (walk_first(visitor, &part, depth + 1))
			return true;
	}
	return false;
}

static void
walk_only(struct visitor *visitor, const struct value *value, unsigned depth)
{
	struct value around = *value;

	around.lens = value->lens->under;
	if (!walk_first(visitor, &around, depth))
		TELL(visitor, unreadable);
}

/* False if no more elements are visited; *ret_cut: the array has more. */
static bool
next_element(struct visitor *visitor, const struct value *array, uint64_t i,
	     bool zero, struct value *ret_element, bool *ret_cut)
{
	value_element(array, i, ret_element);
	if (value_hidden(ret_element))
		return false;
	if (zero && value_is_zero(ret_element))
		return false;
	*ret_cut = i >= visitor->array_length || visitor->budget == 0 ||
		   !readable(ret_element);
	return !*ret_cut;
}

/* Reads the elements that will be visited, in one system call or a few. */
static void
prefetch(const struct value *value, uint64_t count)
{
	size_t have, size = type_size(value->type->to);

	if (value->bytes || !value->address || !value->capture || size == 0)
		return;
	if (count > SIZE_MAX / size)
		return;
	capture_peek(value->capture, value->address, size * count, &have);
}

static void
walk_array(struct visitor *visitor, const struct value *value, unsigned depth)
{
	struct value element;
	bool cut = false, zero = false;
	uint64_t length = 0;
	int r = value_length(value, &length, &zero);

	if (r == -ENODATA)
		cut = true;
	if (length > 0)
		prefetch(value, length < visitor->array_length
					? length
					: visitor->array_length);
	TELL(visitor, begin, value, VISIT_ARRAY);
	for (uint64_t i = 0; i < length; i++) {
		if (!next_element(visitor, value, i, zero, &element, &cut))
			break;
		TELL(visitor, item, NULL);
		walk(visitor, &element, depth + 1);
	}
	TELL(visitor, end, VISIT_ARRAY, cut);
}

static void
walk_items(struct visitor *visitor, const struct value_items *items,
	   unsigned depth)
{
	bool cut = items->cut;

	TELL(visitor, begin, NULL, VISIT_ARRAY);
	for (size_t i = 0; i < items->count; i++) {
		cut |= visitor->budget == 0;
		if (visitor->budget == 0)
			break;
		TELL(visitor, item, NULL);
		walk(visitor, &items->at[i], depth + 1);
	}
	TELL(visitor, end, VISIT_ARRAY, cut);
}

/*
 * Converts a value in PostgreSQL's binary format to the text that is shown, and
 * gives `shown` the text's lens. False if the raw bytes are shown instead.
 */
static bool
read_postgres(const struct visitor *visitor, const struct value *value,
	      struct value *shown, struct value_chars *text)
{
	struct str decoded cleanup(str_release);
	size_t head, most = visitor->string_length;
	uint64_t type;

	str_init(&decoded);
	*shown = *value;
	if (!value->capture ||
	    value_evaluate_length(value, value->lens->oid, &type) < 0)
		return false;
	if (postgres_is_text(type, &head)) {
		most += most < SIZE_MAX - head ? head : 0;
		if (value_text(value, most, text) < 0 || text->length < head)
			return false;
		text->bytes += head;
		text->length -= head;
		return true;
	}
	if (value_text(value, POSTGRES_MOST, text) < 0 || text->cut ||
	    !postgres_add(&decoded, type, text->bytes, text->length))
		return false;
	shown->lens = &lens_shown;
	text->length = decoded.length;
	text->bytes = arena_copy(value->capture->arena, str_text(&decoded),
				 decoded.length);
	return true;
}

static void
walk_text(struct visitor *visitor, const struct value *value)
{
	size_t cost,
		most = item_is_plain(value) ? SIZE_MAX : visitor->string_length;
	struct value_chars text;
	struct value shown;
	addr_t address;
	int r;

	if (value_pointer(value, &address) == 0 && address == 0) {
		TELL(visitor, null);
		return;
	}
	if (value->lens->kind == LENS_POSTGRES &&
	    read_postgres(visitor, value, &shown, &text)) {
		TELL(visitor, text, &shown, &text);
		return;
	}
	r = value_text(value, most, &text);
	if (r == 0) {
		cost = text.length / TEXT_COST;
		visitor->budget -=
			cost < visitor->budget ? cost : visitor->budget;
		TELL(visitor, text, value, &text);
		return;
	}
	if (value_pointer(value, &address) < 0)
		TELL(visitor, unreadable);
	else
		TELL(visitor, address, address,
		     r == -EFAULT ? VISIT_UNREADABLE : VISIT_LENGTH);
}

/* guess(string): a char * that may be a buffer, which the function fills. */
static bool
may_be_text(const struct value *value)
{
	return value->lens->kind == LENS_GUESS && value->lens->under &&
	       lens_is_text(value->lens->under->kind) &&
	       value->type->kind == TYPE_POINTER;
}

/* Prints the bytes as text only if all of them are text. */
static void
walk_guessed_text(struct visitor *visitor, const struct value *value)
{
	struct value under = *value;
	struct value_chars text;
	addr_t address;

	under.lens = value->lens->under;
	if (value_pointer(value, &address) == 0 && address &&
	    value_text(&under, visitor->string_length, &text) == 0 &&
	    !utf8_is_text(text.bytes, text.length, text.cut))
		TELL(visitor, address, address, VISIT_ADDRESS);
	else
		walk_text(visitor, &under);
}

static bool
same_type(const struct type *a, const struct type *b)
{
	return a == b || (a->kind == b->kind && a->body && a->body == b->body);
}

/*
 * Searches the pointers above this one for a pointer with the same target: the
 * same address and type. Returns how many levels above this one it is, from 1
 * on. If there is none, returns 0 and sets *ret_above to the number of pointers
 * above. The address of a pointer's target is the pointer's value.
 */
static unsigned
find_cycle(const struct value *pointer, addr_t address, unsigned *ret_above)
{
	unsigned up = 0;

	for (const struct value *at = pointer; at->parent; at = at->parent) {
		if (at->parent->type->kind != TYPE_POINTER)
			continue;
		up++;
		if (at->address == address &&
		    same_type(at->type, pointer->type->to))
			return up;
	}
	*ret_above = up;
	return 0;
}

/* True if target can be shown; else *ret_why is the reason. */
static bool
worth_following(const struct value *target, enum visit_address *ret_why)
{
	uint64_t length = 1;
	size_t have, want;
	bool zero;
	int r;

	*ret_why = VISIT_LENGTH;
	if (target->type->kind == TYPE_ARRAY) {
		r = value_length(target, &length, &zero);
		/* A negative length means no elements, and nothing is read. */
		if (r == -ERANGE)
			return true;
		if (r < 0)
			return false;
		want = type_size(target->type->to);
	} else {
		want = type_size(target->type);
	}
	*ret_why = VISIT_UNREADABLE;
	if (length == 0 || want == 0)
		return true;
	return target->capture &&
	       capture_peek(target->capture, target->address, want, &have);
}

static void
follow(struct visitor *visitor, const struct value *pointer, unsigned depth)
{
	enum visit_address why;
	struct value target;

	if (value_target(pointer, &target) < 0)
		return;
	if (worth_following(&target, &why))
		walk(visitor, &target, depth + 1);
	else
		TELL(visitor, address, target.address, why);
}

static void
walk_pointer(struct visitor *visitor, const struct value *value, unsigned depth)
{
	unsigned up, above = 0;
	addr_t address;

	if (value_pointer(value, &address) < 0) {
		TELL(visitor, unreadable);
		return;
	}
	if (address == 0) {
		TELL(visitor, null);
		return;
	}
	if (type_is_address(value->type) ||
	    lens_of_kind(value->lens, LENS_ADDRESS)) {
		TELL(visitor, address, address, VISIT_ADDRESS);
		return;
	}
	up = find_cycle(value, address, &above);
	if (up > 0)
		TELL(visitor, cycle, up);
	else if (above > 0 && above >= visitor->array_length)
		TELL(visitor, deeper);
	else
		follow(visitor, value, depth);
}

/* Counts the elements for every visitor, to read them into the capture. */
static void
walk_vars(struct visitor *visitor, const struct value *value, unsigned depth)
{
	struct value array, element;
	unsigned count = 0;
	bool known = value_target(value, &array) == 0 && array.address;

	for (; known && count < VARS_MOST; count++) {
		value_element(&array, count, &element);
		known = readable(&element);
		if (!known || value_is_zero(&element))
			break;
	}
	if (known && visitor->ops->vars)
		visitor->ops->vars(visitor, count);
	else
		walk_pointer(visitor, value, depth);
}

int
value_error(const struct value *value, int thread_errno)
{
	int64_t number;

	if (lens_of_kind(value->lens, LENS_ERRNO))
		return value_is_failure(value) ? thread_errno : 0;
	if (!lens_of_kind(value->lens, LENS_ERRNUM) ||
	    value_integer(value, &number) < 0 || number < -ERROR_MOST ||
	    number > ERROR_MOST)
		return 0;
	return (int)(number < 0 ? -number : number);
}

/* Visits the value through the next lens of its chain. */
static void
walk_under(struct visitor *visitor, const struct value *value, unsigned depth)
{
	struct value under = *value;

	under.lens = value->lens->under;
	walk(visitor, &under, depth + 1);
}

static void
walk_with_error(struct visitor *visitor, const struct value *value,
		unsigned depth)
{
	int number = value_error(value, visitor->error_number);

	walk_under(visitor, value, depth);
	if (number != 0)
		TELL(visitor, error, number);
}

/* True for a pointer that is one of a few constants that are no addresses:
 * SIG_IGN. */
static bool
is_named_pointer(const struct value *value)
{
	const struct lens *lens = value->lens;
	uint64_t bits;

	if (value->type->kind != TYPE_POINTER || lens->kind != LENS_ENUM ||
	    value_bits(value, &bits) < 0)
		return false;
	for (size_t i = 0; i < lens->name_count; i++) {
		if ((uint64_t)lens->names[i].value == bits)
			return true;
	}
	return false;
}

/* True if the value is shown as one thing, whatever its type is. */
static bool
is_single(const struct value *value)
{
	switch (value->lens->kind) {
	case LENS_BITVEC:
		return value->type->kind != TYPE_POINTER;
	case LENS_INET:
		return value->type->kind == TYPE_ARRAY;
	default:
		return is_named_pointer(value);
	}
}

static void
walk_natural(struct visitor *visitor, const struct value *value, unsigned depth)
{
	switch (value->type->kind) {
	case TYPE_INT:
	case TYPE_FLOAT:
	case TYPE_COMPLEX:
		walk_scalar(visitor, value);
		break;
	case TYPE_POINTER:
		walk_pointer(visitor, value, depth);
		break;
	case TYPE_ARRAY:
		walk_array(visitor, value, depth);
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
		walk_fields(visitor, value, depth);
		break;
	case TYPE_VOID:
	case TYPE_FUNCTION:
		TELL(visitor, unreadable);
		break;
	}
}

static void
walk(struct visitor *visitor, const struct value *value, unsigned depth)
{
	const struct lens *lens = value->lens;
	enum type_kind kind = value->type->kind;

	if (visitor->budget == 0 || depth > DEPTH_MOST) {
		TELL(visitor, deeper);
		return;
	}
	visitor->budget--;
	if (value->items)
		walk_items(visitor, value->items, depth);
	else if (lens &&
		 (lens->kind == LENS_ERRNO || lens->kind == LENS_ERRNUM))
		walk_with_error(visitor, value, depth);
	else if (lens && lens->kind == LENS_ONLY && value->type->body)
		walk_only(visitor, value, depth);
	else if (lens && lens->kind == LENS_VARS && kind == TYPE_POINTER)
		walk_vars(visitor, value, depth);
	else if (lens && is_single(value))
		walk_scalar(visitor, value);
	else if (lens && lens->kind == LENS_ENUM && kind == TYPE_POINTER)
		walk_under(visitor, value, depth);
	else if (lens && may_be_text(value))
		walk_guessed_text(visitor, value);
	else if (lens && lens_is_text(lens->kind) &&
		 (kind == TYPE_POINTER || kind == TYPE_ARRAY))
		walk_text(visitor, value);
	else
		walk_natural(visitor, value, depth);
}

void
visit_value(struct visitor *visitor, const struct value *value)
{
	visitor->budget = BUDGET + visitor->string_length / TEXT_ALLOWANCE;
	if (visitor->array_length < SIZE_MAX / 8)
		visitor->budget += 4 * visitor->array_length;
	walk(visitor, value, 0);
}
