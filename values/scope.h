/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scope gives the leaves of an expression their values: arg2, retval, a
 * parameter's name, a field. Expressions use it for the lengths in prototypes
 * and for --if.
 *
 * In an expression, a value is what is shown of it: text for text, the number
 * that a pointer to an integer points to (0 for NULL), the address for other
 * pointers.
 */
#ifndef VALUES_SCOPE_H
#define VALUES_SCOPE_H

#include "base/attr.h"
#include "conf/model/expr.h"

#include <stdbool.h>

struct arguments;
struct proto;
struct value;

struct scope {
	struct expr_scope expr; /* argument for expr_evaluate() */
	const struct arguments *arguments;
	/* A value in a struct, or NULL. eltN and names of fields are looked up
	 * in this struct. */
	const struct value *around;
	/* True: a text is not read, and gives -EDOM. The length of a text must
	 * not depend on its content. */
	bool numbers;
};

/* arguments may be NULL. retval has a value once arguments->result is set. */
void scope_init(struct scope *scope, const struct arguments *arguments,
		const struct value *around);

/*
 * The leaf function. A caller that adds names of its own (duration, tid) calls
 * it for all other names. Returns -ENODATA for a name that is unknown or has no
 * value yet.
 */
must_check int scope_leaf(struct expr_scope *scope, const struct expr *leaf,
			  struct expr_value *ret_value);

/* Finds the value of a leaf, with its type and lens. Returns -ENODATA if there
 * is none. */
must_check int scope_find(const struct scope *scope, const struct expr *leaf,
			  struct value *ret_value);

/* Converts a value for expressions. Returns -ENODATA if the value cannot be
 * read, or -EDOM if it is no number and no text. */
must_check int scope_value(const struct value *value,
			   struct expr_value *ret_value);

/* Compares two names of a parameter; a may be NULL. System headers put
 * underscores before the name that the manual page uses: __n and n are the
 * same. */
bool scope_same_name(const char *a, const char *b);

/* True if the function has a parameter, or its types a constant, of this name:
 * an expression with the name can be evaluated for calls of the function. */
bool scope_has_parameter(const struct proto *proto, const char *name);
bool scope_has_constant(const struct proto *proto, const char *name);
/* The value of this constant in an expression. */
bool scope_constant(const struct proto *proto, const char *name,
		    struct expr_value *ret_value);

#endif
