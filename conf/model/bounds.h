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
	bool never; /* the condition cannot be true; else: */
	struct arc of[BOUNDS_OPERANDS];
};

enum bounds_leaf { BOUNDS_UNKNOWN, BOUNDS_CONSTANT, BOUNDS_OPERAND };

/* Gives leaves their meaning. The user embeds it. */
struct bounds_scope {
	/*
	 * The leaf is a constant, which is stored in ret_constant, or the
	 * operand whose number is stored, or neither. An operand has an integer
	 * value of its type whenever the condition is evaluated, or an error.
	 */
	enum bounds_leaf (*leaf)(struct bounds_scope *scope,
				 const struct expr *leaf, unsigned *ret_operand,
				 struct expr_value *ret_constant);
	struct bounds_type types[BOUNDS_OPERANDS];
};

/* The bounds of a condition that is evaluated by expr_true(). */
void bounds_of(const struct expr *condition, struct bounds_scope *scope,
	       struct bounds *ret_bounds);

/* Are all values of the type on the arc? */
bool arc_is_full(const struct bounds_type *type, struct arc arc);
/* Is this value of the type, extended to 64 bits or not, on the arc? */
bool arc_contains(const struct bounds_type *type, struct arc arc,
		  uint64_t value);

#endif
