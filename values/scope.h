/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scope says what the leaves of an expression are: arg2, retval, a
 * parameter's name, a field. It gives conf's expressions their meaning for
 * the lengths in prototypes and for --if.
 *
 * What a value is in an expression is what is shown of it: text for text, the
 * number a pointer to an integer points to (0 for NULL), the address of other
 * pointers.
 */
#ifndef VALUES_SCOPE_H
#define VALUES_SCOPE_H

#include "base/attr.h"
#include "conf/model/expr.h"

#include <stdbool.h>

struct arguments;
struct value;

struct scope {
	struct expr_scope expr; /* hand this to expr_evaluate() */
	const struct arguments *arguments;
	/* The value whose struct eltN and field names speak of, or NULL. */
	const struct value *around;
	/* Text is -EDOM and not even read: how long one is cannot hang on what
	 * is in it. */
	bool numbers;
};

/* arguments may be NULL; retval is known once arguments->result is set. */
void scope_init(struct scope *scope, const struct arguments *arguments,
		const struct value *around);

/*
 * The leaf function: for a roof that knows names of its own (duration, tid)
 * and asks here for the rest. -ENODATA for what is not, or not yet, known.
 */
must_check int scope_leaf(struct expr_scope *scope, const struct expr *leaf,
			  struct expr_value *ret_value);

/* The value that a leaf is, with its type and lens; -ENODATA. */
must_check int scope_find(const struct scope *scope, const struct expr *leaf,
			  struct value *ret_value);

/* What a value is to expressions; -ENODATA, or -EDOM where it is nothing. */
must_check int scope_value(const struct value *value,
			   struct expr_value *ret_value);

#endif
