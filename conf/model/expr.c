/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates expressions. Numbers are 64-bit integers with a flag for unsigned,
 * so that an address of 2^63 or more is not a negative number. Operations on
 * integers wrap and never have C's undefined behaviour. A comparison compares
 * the mathematical values: -1 is less than any unsigned number. If one operand
 * is real, both are converted to real.
 *
 * Text can be compared and matched, and tested for being empty. There is no
 * arithmetic on text.
 */
#include "conf/model/expr.h"

#include "base/pattern.h"

#include <errno.h>
#include <string.h>

/* A three-way comparison, like strcmp(3). */
#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static struct expr_value
number_value(uint64_t number, bool is_unsigned)
{
	return (struct expr_value){ .kind = EXPR_VALUE_NUMBER,
				    .number = (int64_t)number,
				    .is_unsigned = is_unsigned };
}

static struct expr_value
real_value(double real)
{
	return (struct expr_value){ .kind = EXPR_VALUE_REAL, .real = real };
}

static double
as_real(const struct expr_value *value)
{
	if (value->kind == EXPR_VALUE_REAL)
		return value->real;
	if (value->is_unsigned)
		return (double)(uint64_t)value->number;
	return (double)value->number;
}

static bool
as_truth(const struct expr_value *value)
{
	switch (value->kind) {
	case EXPR_VALUE_NUMBER:
		return value->number != 0;
	case EXPR_VALUE_REAL:
		return value->real != 0;
	case EXPR_VALUE_TEXT:
		return value->text[0] != '\0';
	}
	return false;
}

/* The largest and smallest doubles that fit an int64_t. */
static int64_t
cut_real(double real)
{
	if (real >= 9223372036854775807.0)
		return INT64_MAX;
	if (real <= -9223372036854775808.0)
		return INT64_MIN;
	return real == real ? (int64_t)real : 0;
}

static int
compare_numbers(const struct expr_value *a, const struct expr_value *b)
{
	bool a_negative = !a->is_unsigned && a->number < 0;
	bool b_negative = !b->is_unsigned && b->number < 0;

	if (a_negative != b_negative)
		return a_negative ? -1 : 1;
	return COMPARE((uint64_t)a->number, (uint64_t)b->number);
}

static bool
ordering_holds(enum expr_kind kind, int order)
{
	switch (kind) {
	case EXPR_LESS:
		return order < 0;
	case EXPR_LESS_EQUAL:
		return order <= 0;
	case EXPR_GREATER:
		return order > 0;
	case EXPR_GREATER_EQUAL:
		return order >= 0;
	case EXPR_EQUAL:
		return order == 0;
	default:
		return order != 0;
	}
}

/* Like ordering_holds(), but for reals: a NaN is neither less than, equal to
 * nor greater than another number. */
static bool
real_ordering_holds(enum expr_kind kind, double a, double b)
{
	if (a != a || b != b)
		return kind == EXPR_UNEQUAL;
	return ordering_holds(kind, COMPARE(a, b));
}

static int
compare(enum expr_kind kind, const struct expr_value *a,
	const struct expr_value *b, struct expr_value *ret_value)
{
	bool holds;

	if (a->kind == EXPR_VALUE_TEXT && b->kind == EXPR_VALUE_TEXT)
		holds = ordering_holds(kind, strcmp(a->text, b->text));
	else if (a->kind == EXPR_VALUE_TEXT || b->kind == EXPR_VALUE_TEXT)
		return -EDOM;
	else if (a->kind == EXPR_VALUE_REAL || b->kind == EXPR_VALUE_REAL)
		holds = real_ordering_holds(kind, as_real(a), as_real(b));
	else
		holds = ordering_holds(kind, compare_numbers(a, b));
	*ret_value = number_value(holds, false);
	return 0;
}

static int
reckon_reals(enum expr_kind kind, double a, double b,
	     struct expr_value *ret_value)
{
	switch (kind) {
	case EXPR_ADD:
		*ret_value = real_value(a + b);
		return 0;
	case EXPR_SUBTRACT:
		*ret_value = real_value(a - b);
		return 0;
	case EXPR_MULTIPLY:
		*ret_value = real_value(a * b);
		return 0;
	case EXPR_DIVIDE:
		if (b == 0)
			return -EDOM;
		*ret_value = real_value(a / b);
		return 0;
	default:
		/* bit operations are not defined for reals and text */
		return -EDOM;
	}
}

static int
divide(enum expr_kind kind, uint64_t a, uint64_t b, bool is_unsigned,
       struct expr_value *ret_value)
{
	bool quotient = kind == EXPR_DIVIDE;
	int64_t n = (int64_t)a, d = (int64_t)b;

	if (b == 0)
		return -EDOM;
	if (is_unsigned)
		a = quotient ? a / b : a % b;
	else if (d == -1) /* INT64_MIN / -1 traps */
		a = quotient ? -a : 0;
	else
		a = (uint64_t)(quotient ? n / d : n % d);
	*ret_value = number_value(a, is_unsigned);
	return 0;
}

/* A shift by 64 or more (or by a negative number) gives 0. */
static uint64_t
shift(enum expr_kind kind, uint64_t a, uint64_t by, bool is_unsigned)
{
	bool negative = !is_unsigned && (int64_t)a < 0;

	if (kind == EXPR_SHIFT_LEFT)
		return by < 64 ? a << by : 0;
	if (by >= 64)
		return negative ? UINT64_MAX : 0;
	return negative ? ~(~a >> by) : a >> by;
}

static int
reckon_numbers(enum expr_kind kind, const struct expr_value *left,
	       const struct expr_value *right, struct expr_value *ret_value)
{
	uint64_t a = (uint64_t)left->number, b = (uint64_t)right->number;
	bool is_unsigned = left->is_unsigned || right->is_unsigned;

	switch (kind) {
	case EXPR_ADD:
		a += b;
		break;
	case EXPR_SUBTRACT:
		a -= b;
		break;
	case EXPR_MULTIPLY:
		a *= b;
		break;
	case EXPR_BIT_AND:
		a &= b;
		break;
	case EXPR_BIT_XOR:
		a ^= b;
		break;
	case EXPR_BIT_OR:
		a |= b;
		break;
	case EXPR_SHIFT_LEFT:
	case EXPR_SHIFT_RIGHT:
		is_unsigned = left->is_unsigned;
		a = shift(kind, a, b, is_unsigned);
		break;
	default:
		return divide(kind, a, b, is_unsigned, ret_value);
	}
	*ret_value = number_value(a, is_unsigned);
	return 0;
}

static int
reckon(enum expr_kind kind, const struct expr_value *a,
       const struct expr_value *b, struct expr_value *ret_value)
{
	if (a->kind == EXPR_VALUE_TEXT || b->kind == EXPR_VALUE_TEXT)
		return -EDOM;
	if (a->kind == EXPR_VALUE_REAL || b->kind == EXPR_VALUE_REAL)
		return reckon_reals(kind, as_real(a), as_real(b), ret_value);
	return reckon_numbers(kind, a, b, ret_value);
}

static int
evaluate_unary(const struct expr *expr, struct expr_scope *scope,
	       struct expr_value *ret_value)
{
	struct expr_value value;
	int r = expr_evaluate(expr->left, scope, &value);

	if (r < 0)
		return r;
	if (expr->kind == EXPR_NOT)
		*ret_value = number_value(!as_truth(&value), false);
	else if (value.kind == EXPR_VALUE_TEXT)
		return -EDOM;
	else if (value.kind == EXPR_VALUE_REAL && expr->kind == EXPR_NEGATE)
		*ret_value = real_value(-value.real);
	else if (value.kind == EXPR_VALUE_REAL)
		return -EDOM;
	else if (expr->kind == EXPR_NEGATE)
		*ret_value = number_value(-(uint64_t)value.number, false);
	else
		*ret_value = number_value(~(uint64_t)value.number,
					  value.is_unsigned);
	return 0;
}

/* && and ||: the right side is evaluated only if the left one does not
 * decide. */
static int
evaluate_logic(const struct expr *expr, struct expr_scope *scope,
	       struct expr_value *ret_value)
{
	bool open_for = expr->kind == EXPR_AND;
	bool truth;
	int r = expr_true(expr->left, scope, &truth);

	if (r == 0 && truth == open_for)
		r = expr_true(expr->right, scope, &truth);
	if (r < 0)
		return r;
	*ret_value = number_value(truth, false);
	return 0;
}

static int
evaluate_match(const struct expr *expr, struct expr_scope *scope,
	       struct expr_value *ret_value)
{
	struct expr_value value;
	int r = expr_evaluate(expr->left, scope, &value);
	bool matches;

	if (r < 0)
		return r;
	if (value.kind != EXPR_VALUE_TEXT)
		return -EDOM;
	matches = pattern_matches(expr->right->pattern, value.text);
	*ret_value = number_value(matches == (expr->kind == EXPR_MATCH), false);
	return 0;
}

static int
evaluate_binary(const struct expr *expr, struct expr_scope *scope,
		struct expr_value *ret_value)
{
	struct expr_value left, right;
	int r = expr_evaluate(expr->left, scope, &left);

	if (r == 0)
		r = expr_evaluate(expr->right, scope, &right);
	if (r < 0)
		return r;
	if (expr->kind >= EXPR_LESS && expr->kind <= EXPR_UNEQUAL)
		return compare(expr->kind, &left, &right, ret_value);
	return reckon(expr->kind, &left, &right, ret_value);
}

static int
evaluate_leaf(const struct expr *expr, struct expr_scope *scope,
	      struct expr_value *ret_value)
{
	switch (expr->kind) {
	case EXPR_NUMBER:
		*ret_value =
			number_value((uint64_t)expr->number, expr->is_unsigned);
		return 0;
	case EXPR_REAL:
		*ret_value = real_value(expr->real);
		return 0;
	case EXPR_TEXT:
	case EXPR_REGEX:
		*ret_value = (struct expr_value){ .kind = EXPR_VALUE_TEXT,
						  .text = expr->name };
		return 0;
	default:
		return scope ? scope->leaf(scope, expr, ret_value) : -ENODATA;
	}
}

static int
evaluate_choice(const struct expr *expr, struct expr_scope *scope,
		struct expr_value *ret_value)
{
	bool truth;
	int r = expr_true(expr->left, scope, &truth);

	if (r < 0)
		return r;
	return expr_evaluate(truth ? expr->right->left : expr->right->right,
			     scope, ret_value);
}

int
expr_evaluate(const struct expr *expr, struct expr_scope *scope,
	      struct expr_value *ret_value)
{
	switch (expr->kind) {
	case EXPR_ZERO:
		if (expr->left)
			return expr_evaluate(expr->left, scope, ret_value);
		*ret_value = number_value(INT64_MAX, false);
		return 0;
	case EXPR_NOT:
	case EXPR_NEGATE:
	case EXPR_COMPLEMENT:
		return evaluate_unary(expr, scope, ret_value);
	case EXPR_AND:
	case EXPR_OR:
		return evaluate_logic(expr, scope, ret_value);
	case EXPR_CHOOSE:
		return evaluate_choice(expr, scope, ret_value);
	case EXPR_MATCH:
	case EXPR_MISMATCH:
		return evaluate_match(expr, scope, ret_value);
	default:
		if (expr->kind < EXPR_ZERO)
			return evaluate_leaf(expr, scope, ret_value);
		return evaluate_binary(expr, scope, ret_value);
	}
}

int
expr_number(const struct expr *expr, struct expr_scope *scope,
	    int64_t *ret_number)
{
	struct expr_value value;
	int r = expr_evaluate(expr, scope, &value);

	if (r < 0)
		return r;
	if (value.kind == EXPR_VALUE_TEXT)
		return -EDOM;
	if (value.kind == EXPR_VALUE_REAL)
		*ret_number = cut_real(value.real);
	else
		*ret_number = value.number;
	return 0;
}

int
expr_true(const struct expr *expr, struct expr_scope *scope, bool *ret_true)
{
	struct expr_value value;
	int r = expr_evaluate(expr, scope, &value);

	if (r < 0)
		return r;
	*ret_true = as_truth(&value);
	return 0;
}

bool
expr_constant(const struct expr *expr, int64_t *ret_number)
{
	if (expr->kind == EXPR_ZERO)
		return expr->left && expr_constant(expr->left, ret_number);
	return expr_number(expr, NULL, ret_number) == 0;
}

void
patterns_release(struct patterns *patterns)
{
	for (size_t i = 0; i < patterns->list.count; i++)
		pattern_free(patterns->list.at[i]);
	vec_release(&patterns->list);
}
