/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An expr is an expression: the length of an array or string (arg3, retval,
 * length * 4, zero), the condition of a parameter (flags & O_CREAT), or the
 * condition of --if (arg2 ~ /users/ && retval < 0). It has C's operators with
 * C's precedence, and the operators ~ and !~, which match text.
 *
 * An expr knows no process. The caller of expr_evaluate() provides the values
 * of its leaves.
 */
#ifndef CONF_MODEL_EXPR_H
#define CONF_MODEL_EXPR_H

#include "base/attr.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pattern;

enum expr_kind {
	EXPR_NUMBER, /* number; name is its spelling, or NULL */
	EXPR_REAL,   /* a floating number: `real` */
	EXPR_TEXT,   /* name is "the text" */
	EXPR_REGEX,  /* pattern, name is its text; only right of ~ and !~ */

	/* leaves whose values the scope knows */
	EXPR_ARG,     /* the number-th argument, from 1; name if it has one */
	EXPR_RETVAL,  /* what the function returned */
	EXPR_ELEMENT, /* the number-th field, from 1, of the enclosing struct */
	EXPR_NAME,    /* in --if: a parameter, duration, errno, tid ...; in a
		       * type: a parameter of any function that uses the type */
	EXPR_FIELD,   /* the field called name of left, or of what left
		       * points to */
	EXPR_BESIDE,  /* of the array that left is or points to, the element
		       * with the index that the value itself has in its own
		       * array */
	EXPR_BEFORE,  /* the sum of left, a field of the enclosing struct, over
		       * the structs before this one in its array */
	EXPR_CALL,    /* only in probes: what the function called name would
		       * return for left and, unless NULL, right */

	/* EXPR_ZERO is the length of data that ends with zero bytes. It can
	 * only be the whole expression. Its value is the largest length: left,
	 * or INT64_MAX if left is NULL. */
	EXPR_ZERO,

	EXPR_NOT, /* operand of NOT, NEGATE and COMPLEMENT: left */
	EXPR_NEGATE,
	EXPR_COMPLEMENT,

	EXPR_MULTIPLY, /* operands from here to EXPR_OR: left and right */
	EXPR_DIVIDE,
	EXPR_REMAINDER,
	EXPR_ADD,
	EXPR_SUBTRACT,
	EXPR_SHIFT_LEFT,
	EXPR_SHIFT_RIGHT,
	EXPR_LESS,
	EXPR_LESS_EQUAL,
	EXPR_GREATER,
	EXPR_GREATER_EQUAL,
	EXPR_EQUAL,
	EXPR_UNEQUAL,
	EXPR_MATCH,
	EXPR_MISMATCH,
	EXPR_BIT_AND,
	EXPR_BIT_XOR,
	EXPR_BIT_OR,
	EXPR_AND,
	EXPR_OR,
	/* left ? ... : ...; right is an EITHER with the two results */
	EXPR_CHOOSE,
	EXPR_EITHER, /* only as right of CHOOSE */
	EXPR_KINDS
};

struct expr {
	enum expr_kind kind;
	bool is_unsigned; /* NUMBER: does not fit int64_t */
	bool has_unit;	  /* NUMBER: was written as a duration, "10ms" */
	bool as_address;  /* a leaf that is compared with nil: a pointer is its
			   * address, and not what it points to */
	unsigned char depth;
	int64_t number;
	double real;
	const char *name;
	struct pattern *pattern;
	const struct expr *left;
	const struct expr *right;
};

enum expr_value_kind { EXPR_VALUE_NUMBER, EXPR_VALUE_REAL, EXPR_VALUE_TEXT };

struct expr_value {
	enum expr_value_kind kind;
	bool is_unsigned; /* NUMBER: number is a uint64_t */
	int64_t number;
	double real;
	const char *text; /* TEXT: terminated; owned by the scope */
};

/* A scope gives the leaves of an expression their values. The user of the
 * expression embeds it. */
struct expr_scope {
	/*
	 * The value of a leaf: ARG, RETVAL, ELEMENT, NAME, FIELD, BESIDE,
	 * BEFORE or CALL. Returns 0, or a negative errno (-ENODATA if there is
	 * no value, or not yet), which expr_evaluate() returns.
	 */
	int (*leaf)(struct expr_scope *scope, const struct expr *leaf,
		    struct expr_value *ret_value);
};

/*
 * Evaluates expr. Integers have 64 bits and wrap; with a real operand, doubles
 * are used. &&, || and ?: do not evaluate operands that do not matter. Returns
 * -EDOM for a division by zero and for arithmetic on text, or the error of the
 * scope's leaf(). scope may be NULL if there are no leaves.
 */
must_check int expr_evaluate(const struct expr *expr, struct expr_scope *scope,
			     struct expr_value *ret_value);

/* Evaluates expr as a length or a count. The caller checks for negative and too
 * large numbers. The fraction of a real is cut off; a text gives -EDOM. */
must_check int expr_number(const struct expr *expr, struct expr_scope *scope,
			   int64_t *ret_number);

/* Evaluates expr as a condition. True: not 0, not "". */
must_check int expr_true(const struct expr *expr, struct expr_scope *scope,
			 bool *ret_true);

/* True if expr has no leaves and can be evaluated; sets *ret_number to its
 * value. */
bool expr_constant(const struct expr *expr, int64_t *ret_number);

/* The compiled patterns of ~ and !~. The owner of the expressions frees
 * them. */
struct patterns {
	vec_of(struct pattern *) list;
};

void patterns_release(struct patterns *patterns);

#endif
