/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An expr is what may stand where a number is wanted: the length of an array
 * or string (arg3, retval, length * 4, zero), the condition of a parameter
 * (flags & O_CREAT), or the condition of --if (arg2 ~ /users/ && retval < 0).
 * It has C's operators with C's precedence, and ~ and !~ which match text.
 *
 * It knows no process: whoever evaluates one says what its leaves are.
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
	EXPR_NUMBER, /* number; name is how it was written, or NULL */
	EXPR_REAL,   /* real */
	EXPR_TEXT,   /* name is "the text" */
	EXPR_REGEX,  /* pattern, name is its text; right of ~ and !~ only */

	/* leaves that the scope knows */
	EXPR_ARG,    /* the number-th argument, from 1; name where it has one */
	EXPR_RETVAL, /* what the function returned */
	EXPR_ELEMENT, /* the number-th field, from 1, of the struct around */
	EXPR_NAME,    /* --if: a parameter, duration, errno, tid ...; in a type,
		       * a parameter of whatever function it is used in */
	EXPR_FIELD,   /* the field called name of left (or of what it points to)
		       */
	EXPR_BESIDE,  /* of left, an array or a pointer to one, the element
		       * whose place is that of the value in its own array */
	EXPR_CALL,    /* probes only: what the function called name would return
		       * for left and, unless NULL, right */

	/* The length of what ends with zero bytes; at most left, if there is
	 * one. Only ever at the top; evaluates to left, or INT64_MAX. */
	EXPR_ZERO,

	EXPR_NOT, /* of left, as are the next two */
	EXPR_NEGATE,
	EXPR_COMPLEMENT,

	EXPR_MULTIPLY, /* left and right, as all below */
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
	EXPR_CHOOSE, /* left ? ... : ...; right is the EITHER of the two */
	EXPR_EITHER, /* only ever there */
	EXPR_KINDS
};

struct expr {
	enum expr_kind kind;
	bool is_unsigned; /* NUMBER: too large for int64_t */
	bool has_unit;	  /* NUMBER: was written as a duration, "10ms" */
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
	bool is_unsigned; /* NUMBER: number is to be read as uint64_t */
	int64_t number;
	double real;
	const char *text; /* TEXT: terminated; owned by the scope */
};

/* Embedded by whoever knows what arguments and names stand for. */
struct expr_scope {
	/*
	 * The value of a leaf: ARG, RETVAL, ELEMENT, NAME, FIELD, BESIDE or
	 * CALL. 0, or a negative errno (-ENODATA where there is none yet, or
	 * none at all) that expr_evaluate() hands on.
	 */
	int (*leaf)(struct expr_scope *scope, const struct expr *leaf,
		    struct expr_value *ret_value);
};

/*
 * Arithmetic is on 64 bits and wraps; with a real operand it is on doubles.
 * &&, || and ?: do not evaluate what does not matter. -EDOM for a division by
 * zero and for arithmetic on text; else what the scope's leaf() said. scope
 * may be NULL where there are no leaves.
 */
must_check int expr_evaluate(const struct expr *expr, struct expr_scope *scope,
			     struct expr_value *ret_value);

/* As a length or a count: negative and too large are the caller's to judge.
 * Reals are cut, text is -EDOM. */
must_check int expr_number(const struct expr *expr, struct expr_scope *scope,
			   int64_t *ret_number);

/* As a condition: not 0, not "". */
must_check int expr_true(const struct expr *expr, struct expr_scope *scope,
			 bool *ret_true);

/* True where it has no leaves and can be evaluated; then its value. */
bool expr_constant(const struct expr *expr, int64_t *ret_number);

/* True where the value is known only at the return. */
bool expr_needs_return(const struct expr *expr);

/* Compiled for ~ and !~; freed by whoever owns the expressions. */
struct patterns {
	vec_of(struct pattern *) list;
};

void patterns_release(struct patterns *patterns);

#endif
