/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bounds of a && b are what the bounds of a and of b have in common. The
 * bounds of a || b are arcs around both. ! is moved down to the comparisons,
 * which it turns around. If two arcs have two separate parts in common, the
 * shorter of the two arcs is taken, which contains both parts. There are two
 * arcs around two others: each begins where one of the others begins. The
 * shorter one is taken.
 *
 * An expression without operands is evaluated. Every other expression may have
 * any value: arithmetic with operands, texts, reals, ?:.
 */
#include "conf/model/bounds.h"

#include <errno.h>

static uint64_t
mask_of(const struct bounds_type *type)
{
	return UINT64_MAX >> (64 - type->bits);
}

bool
arc_is_full(const struct bounds_type *type, struct arc arc)
{
	return arc.most == mask_of(type);
}

bool
arc_contains(const struct bounds_type *type, struct arc arc, uint64_t value)
{
	return ((value - arc.low) & mask_of(type)) <= arc.most;
}

/* ---- arcs -----------------------------------------------------------------*/

/* The length of an arc that begins where `from` begins and contains `from` and
 * `to`. All ones: the whole circle. */
static uint64_t
reach(const struct bounds_type *type, struct arc from, struct arc to)
{
	uint64_t mask = mask_of(type), before = (to.low - from.low) & mask;

	if (to.most > mask - before)
		return mask;
	return before + to.most > from.most ? before + to.most : from.most;
}

/* The shorter arc that begins where a or b begins and contains both. */
static struct arc
around(const struct bounds_type *type, struct arc a, struct arc b)
{
	uint64_t from_a = reach(type, a, b), from_b = reach(type, b, a);

	if (from_a <= from_b)
		return (struct arc){ a.low, from_a };
	return (struct arc){ b.low, from_b };
}

/* An arc that contains what a and b have in common. False if they have nothing
 * in common. */
static bool
common(const struct bounds_type *type, struct arc a, struct arc b,
       struct arc *ret_arc)
{
	uint64_t mask = mask_of(type), before = (b.low - a.low) & mask, end;
	bool wraps = b.most > mask - before;

	if (before > a.most && !wraps)
		return false;
	if (before <= a.most && wraps) {
		*ret_arc = a.most <= b.most ? a : b;
		return true;
	}
	end = (before + b.most) & mask;
	if (end > a.most)
		end = a.most;
	*ret_arc = wraps ? (struct arc){ a.low, end }
			 : (struct arc){ b.low, end - before };
	return true;
}

/* ---- bounds ---------------------------------------------------------------*/

static void
set_all(const struct bounds_scope *scope, struct bounds *bounds)
{
	bounds->never = false;
	for (unsigned i = 0; i < BOUNDS_OPERANDS; i++)
		bounds->of[i] = (struct arc){ 0, mask_of(&scope->types[i]) };
}

static void
meet(const struct bounds_scope *scope, struct bounds *bounds,
     const struct bounds *other)
{
	bounds->never |= other->never;
	for (unsigned i = 0; i < BOUNDS_OPERANDS && !bounds->never; i++)
		bounds->never = !common(&scope->types[i], bounds->of[i],
					other->of[i], &bounds->of[i]);
}

static void
join(const struct bounds_scope *scope, struct bounds *bounds,
     const struct bounds *other)
{
	if (other->never)
		return;
	if (bounds->never)
		*bounds = *other;
	for (unsigned i = 0; i < BOUNDS_OPERANDS; i++)
		bounds->of[i] =
			around(&scope->types[i], bounds->of[i], other->of[i]);
}

/* ---- comparisons ----------------------------------------------------------*/

/* -1: the constant is less than every value of the type; 1: greater. */
static int
outside(const struct bounds_type *type, const struct expr_value *constant)
{
	uint64_t most = mask_of(type) >> type->is_signed;
	bool negative = !constant->is_unsigned && constant->number < 0;

	if (negative &&
	    (!type->is_signed || constant->number < -(int64_t)most - 1))
		return -1;
	return !negative && (uint64_t)constant->number > most;
}

/* The arc of the values that are in the relation `kind` to the constant. False
 * if there are none. */
static bool
compared(enum expr_kind kind, const struct bounds_type *type,
	 const struct expr_value *constant, struct arc *ret_arc)
{
	uint64_t mask = mask_of(type), c = (uint64_t)constant->number & mask;
	uint64_t least = type->is_signed ? mask - (mask >> 1) : 0;
	uint64_t rank = (c - least) & mask;
	int side = outside(type, constant);
	bool less = kind == EXPR_LESS || kind == EXPR_LESS_EQUAL;

	*ret_arc = (struct arc){ least, mask };
	if (side)
		return kind == EXPR_UNEQUAL ||
		       (kind != EXPR_EQUAL && less == (side > 0));
	switch (kind) {
	case EXPR_LESS:
		*ret_arc = (struct arc){ least, rank - 1 };
		return rank > 0;
	case EXPR_LESS_EQUAL:
		*ret_arc = (struct arc){ least, rank };
		return true;
	case EXPR_GREATER:
		*ret_arc = (struct arc){ (c + 1) & mask, mask - rank - 1 };
		return rank < mask;
	case EXPR_GREATER_EQUAL:
		*ret_arc = (struct arc){ c, mask - rank };
		return true;
	case EXPR_EQUAL:
		*ret_arc = (struct arc){ c, 0 };
		return true;
	default:
		*ret_arc = (struct arc){ (c + 1) & mask, mask - 1 };
		return true;
	}
}

/* The relation of b to a, if `kind` is that of a to b. */
static enum expr_kind
mirrored(enum expr_kind kind)
{
	switch (kind) {
	case EXPR_LESS:
		return EXPR_GREATER;
	case EXPR_LESS_EQUAL:
		return EXPR_GREATER_EQUAL;
	case EXPR_GREATER:
		return EXPR_LESS;
	case EXPR_GREATER_EQUAL:
		return EXPR_LESS_EQUAL;
	default:
		return kind;
	}
}

static enum expr_kind
opposite(enum expr_kind kind)
{
	switch (kind) {
	case EXPR_LESS:
		return EXPR_GREATER_EQUAL;
	case EXPR_LESS_EQUAL:
		return EXPR_GREATER;
	case EXPR_GREATER:
		return EXPR_LESS_EQUAL;
	case EXPR_GREATER_EQUAL:
		return EXPR_LESS;
	case EXPR_EQUAL:
		return EXPR_UNEQUAL;
	default:
		return EXPR_EQUAL;
	}
}

/* ---- expressions ----------------------------------------------------------*/

/* A scope for expr_evaluate(), in which only constants have a value. */
struct bounding_constants {
	struct expr_scope expr;
	struct bounds_scope *scope;
};

static int
constant_leaf(struct expr_scope *expr, const struct expr *leaf,
	      struct expr_value *ret_value)
{
	struct bounds_scope *scope =
		container_of(expr, struct bounding_constants, expr)->scope;
	unsigned operand;

	return scope->leaf(scope, leaf, &operand, ret_value) == BOUNDS_CONSTANT
		       ? 0
		       : -ENODATA;
}

static bool
constant(const struct expr *expr, struct bounds_scope *scope,
	 struct expr_value *ret_value)
{
	struct bounding_constants constants = { { constant_leaf }, scope };

	return expr_evaluate(expr, &constants.expr, ret_value) == 0;
}

static bool
is_leaf(enum expr_kind kind)
{
	return kind >= EXPR_ARG && kind <= EXPR_CALL;
}

static bool
operand(const struct expr *expr, struct bounds_scope *scope,
	unsigned *ret_operand)
{
	struct expr_value value;

	return is_leaf(expr->kind) &&
	       scope->leaf(scope, expr, ret_operand, &value) == BOUNDS_OPERAND;
}

static void
set_relation(enum expr_kind kind, unsigned of, const struct expr_value *value,
	     const struct bounds_scope *scope, struct bounds *bounds)
{
	if (value->kind == EXPR_VALUE_NUMBER)
		bounds->never = !compared(kind, &scope->types[of], value,
					  &bounds->of[of]);
}

static void
set_comparison(const struct expr *expr, bool wanted, struct bounds_scope *scope,
	       struct bounds *bounds)
{
	enum expr_kind kind = wanted ? expr->kind : opposite(expr->kind);
	struct expr_value value;
	unsigned of;

	if (operand(expr->left, scope, &of) &&
	    constant(expr->right, scope, &value))
		set_relation(kind, of, &value, scope, bounds);
	else if (operand(expr->right, scope, &of) &&
		 constant(expr->left, scope, &value))
		set_relation(mirrored(kind), of, &value, scope, bounds);
}

static void set_bounds(const struct expr *expr, bool wanted,
		       struct bounds_scope *scope, struct bounds *bounds);

static void
set_both(const struct expr *expr, bool wanted, struct bounds_scope *scope,
	 struct bounds *bounds)
{
	struct bounds right;

	set_bounds(expr->left, wanted, scope, bounds);
	set_bounds(expr->right, wanted, scope, &right);
	if ((expr->kind == EXPR_AND) == wanted)
		meet(scope, bounds, &right);
	else
		join(scope, bounds, &right);
}

/* Computes the bounds that follow if the expression is true (wanted), or if it
 * is false (not wanted). */
static void
set_bounds(const struct expr *expr, bool wanted, struct bounds_scope *scope,
	   struct bounds *bounds)
{
	static const struct expr_value zero = { .kind = EXPR_VALUE_NUMBER };
	struct bounding_constants constants = { { constant_leaf }, scope };
	bool holds;
	unsigned of;

	set_all(scope, bounds);
	if (expr_true(expr, &constants.expr, &holds) == 0) {
		bounds->never = holds != wanted;
		return;
	}
	switch (expr->kind) {
	case EXPR_NOT:
		set_bounds(expr->left, !wanted, scope, bounds);
		return;
	case EXPR_AND:
	case EXPR_OR:
		set_both(expr, wanted, scope, bounds);
		return;
	case EXPR_LESS:
	case EXPR_LESS_EQUAL:
	case EXPR_GREATER:
	case EXPR_GREATER_EQUAL:
	case EXPR_EQUAL:
	case EXPR_UNEQUAL:
		set_comparison(expr, wanted, scope, bounds);
		return;
	default:
		if (operand(expr, scope, &of))
			set_relation(wanted ? EXPR_UNEQUAL : EXPR_EQUAL, of,
				     &zero, scope, bounds);
	}
}

void
bounds_of(const struct expr *condition, struct bounds_scope *scope,
	  struct bounds *ret_bounds)
{
	set_bounds(condition, true, scope, ret_bounds);
}
