/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bounds of a condition are where each of its operands must be, so that the
 * condition can be true: retval < 0 && arg1 != 7 needs a result below 0 and a
 * first argument that is not 7. They may be wider than needed, never narrower.
 * So a quick check of the bounds alone excludes no call for which the condition
 * is true.
 *
 * An operand is an integer. Its values are on a circle, because they wrap: an
 * arc is a part of it, and "not 7" is an arc, too.
 */
#ifndef CONF_MODEL_BOUNDS_H
#define CONF_MODEL_BOUNDS_H

#include "base/attr.h"
#include "conf/model/expr.h"

#include <stdbool.h>
#include <stdint.h>

#define BOUNDS_OPERANDS 8u

struct bounds_type {
	unsigned bits; /* 8 to 64 */
	bool is_signed;
};

/* The values low to low + most, modulo 2^bits. All values: most is 2^bits - 1.
 */
struct arc {
	uint64_t low, most;
};

struct bounds {
	bool never; /* the condition cannot be true; then `of` has no meaning */
	struct arc of[BOUNDS_OPERANDS];
};

enum bounds_leaf { BOUNDS_UNKNOWN, BOUNDS_CONSTANT, BOUNDS_OPERAND };

/* Says what the leaves of a condition are, and the types of the operands. The
 * user embeds the scope. */
struct bounds_scope {
	/*
	 * Says what a leaf is: a constant, whose value is stored in
	 * ret_constant; an operand, whose number is stored in ret_operand; or
	 * neither. When the condition is evaluated, an operand gives an integer
	 * of its type, or an error.
	 */
	enum bounds_leaf (*leaf)(struct bounds_scope *scope,
				 const struct expr *leaf, unsigned *ret_operand,
				 struct expr_value *ret_constant);
	struct bounds_type types[BOUNDS_OPERANDS];
};

/* The bounds of a condition that is evaluated by expr_true(). */
void bounds_of(const struct expr *condition, struct bounds_scope *scope,
	       struct bounds *ret_bounds);

/* True if all values of the type are on the arc. */
bool arc_is_full(const struct bounds_type *type, struct arc arc);
/* True if the value is on the arc. It may be extended to 64 bits. */
bool arc_contains(const struct bounds_type *type, struct arc arc,
		  uint64_t value);

#endif
