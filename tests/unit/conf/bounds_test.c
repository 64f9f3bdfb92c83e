/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bounds of conditions. The property: if a random condition is true for
 * random values, each value is within the bounds. BOUNDS_CONDITIONS is the
 * number of conditions.
 */
#include "conf/model/bounds.h"
#include "base/attr.h"
#include "conf/parse/condition.h"
#include "tests/unit/conf/suites.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CONDITIONS 5000
#define VALUES 40
#define OPERANDS 4u /* retval, arg1, arg2, arg3 */

static uint64_t seed = UINT64_C(0x2545f4914f6cdd1d);

static uint64_t
random_u64(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* ---- what the leaves mean -------------------------------------------------*/

struct leaves {
	struct bounds_scope bounds;
	struct expr_scope expr;
	/* of the operand's type, extended to 64 bits */
	uint64_t values[OPERANDS];
	bool unknown; /* the result is not known */
};

static enum bounds_leaf
meaning(struct bounds_scope *scope, const struct expr *leaf,
	unsigned *ret_operand, struct expr_value *ret_constant)
{
	(void)scope;
	if (leaf->kind == EXPR_RETVAL)
		*ret_operand = 0;
	else if (leaf->kind == EXPR_ARG && leaf->number < OPERANDS)
		*ret_operand = (unsigned)leaf->number;
	else if (leaf->kind == EXPR_NAME && !strcmp(leaf->name, "SEVEN")) {
		*ret_constant = (struct expr_value){ .number = 7 };
		return BOUNDS_CONSTANT;
	} else
		return BOUNDS_UNKNOWN;
	return BOUNDS_OPERAND;
}

static int
value_of(struct expr_scope *scope, const struct expr *leaf,
	 struct expr_value *ret_value)
{
	struct leaves *leaves = container_of(scope, struct leaves, expr);
	struct expr_value constant = { .kind = EXPR_VALUE_NUMBER };
	unsigned of = 0;

	switch (meaning(&leaves->bounds, leaf, &of, &constant)) {
	case BOUNDS_UNKNOWN:
		return -ENODATA;
	case BOUNDS_OPERAND:
		if (of == 0 && leaves->unknown)
			return -ENODATA;
		constant.number = (int64_t)leaves->values[of];
		constant.is_unsigned = !leaves->bounds.types[of].is_signed;
		break;
	default:
		break;
	}
	*ret_value = constant;
	return 0;
}

static void
leaves_init(struct leaves *leaves)
{
	*leaves = (struct leaves){ .bounds = { .leaf = meaning },
				   .expr = { .leaf = value_of } };
	for (unsigned i = 0; i < BOUNDS_OPERANDS; i++)
		leaves->bounds.types[i] = (struct bounds_type){
			.bits = 8u << random_u64() % 4,
			.is_signed = random_u64() % 2,
		};
}

/* ---- the property ---------------------------------------------------------*/

/* A random number. It is near the ends of types, and near other random
 * numbers. */
static int64_t
random_number(void)
{
	int64_t near = (int64_t)(random_u64() % 5) - 2;

	switch (random_u64() % 6) {
	case 0:
		return near;
	case 1:
		return near + (INT64_C(1) << random_u64() % 63);
	case 2:
		return near - (INT64_C(1) << random_u64() % 63);
	case 3:
		return INT64_MIN + (int64_t)(random_u64() % 3);
	default:
		return near + 10;
	}
}

static void
random_value(struct leaves *leaves, unsigned of)
{
	const struct bounds_type *type = &leaves->bounds.types[of];
	unsigned shift = 64 - type->bits;
	uint64_t value = (uint64_t)random_number() << shift;

	leaves->values[of] = type->is_signed
				     ? (uint64_t)((int64_t)value >> shift)
				     : value >> shift;
}

static struct expr pool[64];
static unsigned used;

static struct expr *
new_expr(enum expr_kind kind)
{
	struct expr *expr = &pool[used++];

	*expr = (struct expr){ .kind = kind };
	return expr;
}

static struct expr *
random_leaf(void)
{
	struct expr *expr;

	switch (random_u64() % 8) {
	case 0:
	case 1:
		return new_expr(EXPR_RETVAL);
	case 2:
	case 3:
		expr = new_expr(EXPR_ARG);
		expr->number = 1 + (int64_t)(random_u64() % OPERANDS);
		return expr;
	case 4:
		expr = new_expr(EXPR_NAME);
		expr->name = random_u64() % 2 ? "SEVEN" : "errno";
		return expr;
	default:
		expr = new_expr(EXPR_NUMBER);
		expr->number = random_number();
		expr->is_unsigned = random_u64() % 4 == 0;
		return expr;
	}
}

static struct expr *
random_expr(unsigned depth)
{
	static const enum expr_kind kinds[] = {
		EXPR_NOT,	    EXPR_NEGATE,     EXPR_AND,
		EXPR_AND,	    EXPR_OR,	     EXPR_OR,
		EXPR_LESS,	    EXPR_LESS_EQUAL, EXPR_GREATER,
		EXPR_GREATER_EQUAL, EXPR_EQUAL,	     EXPR_UNEQUAL,
		EXPR_ADD,	    EXPR_BIT_AND,    EXPR_DIVIDE,
	};
	enum expr_kind kind = kinds[random_u64() % array_size(kinds)];
	bool compares = kind >= EXPR_LESS && kind <= EXPR_UNEQUAL;
	struct expr *expr;

	if (depth == 0 || random_u64() % 8 == 0)
		return random_leaf();
	expr = new_expr(kind);
	if (compares && random_u64() % 8)
		depth = 1;
	expr->left = random_expr(depth - 1);
	if (kind != EXPR_NOT && kind != EXPR_NEGATE)
		expr->right = random_expr(depth - 1);
	return expr;
}

static unsigned long
conditions(void)
{
	const char *text = getenv("BOUNDS_CONDITIONS");

	return text ? strtoul(text, NULL, 10) : CONDITIONS;
}

START_TEST(true_conditions_are_within_their_bounds)
{
	unsigned long all = conditions(), excluded = 0, true_ones = 0;

	for (unsigned long i = 0; i < all; i++) {
		const struct expr *expr;
		struct bounds bounds;
		struct leaves leaves;

		used = 0;
		expr = random_expr(4);
		leaves_init(&leaves);
		bounds_of(expr, &leaves.bounds, &bounds);
		for (unsigned n = 0; n < VALUES; n++) {
			bool within = !bounds.never, holds;

			for (unsigned of = 0; of < OPERANDS; of++) {
				random_value(&leaves, of);
				within &= arc_contains(&leaves.bounds.types[of],
						       bounds.of[of],
						       leaves.values[of]);
			}
			leaves.unknown = n == 0;
			if (expr_true(expr, &leaves.expr, &holds) == 0 && holds)
				ck_assert_msg(within, "condition %lu", i);
			true_ones += within && holds;
			excluded += !within;
		}
	}
	/* The loop proves something only if the bounds exclude many values, and
	 * many conditions are true. */
	ck_assert_uint_gt(excluded, all * VALUES / 8);
	ck_assert_uint_gt(true_ones, all * VALUES / 8);
}
END_TEST

/* ---- examples -------------------------------------------------------------*/

static const struct {
	const char *condition;
	bool never;
	unsigned of;
	uint64_t low, most;
} examples[] = {
	{ "retval < 0", false, 0, 0x80000000, 0x7fffffff },
	{ "retval != 0", false, 0, 1, 0xfffffffe },
	{ "retval", false, 0, 1, 0xfffffffe },
	{ "!retval", false, 0, 0, 0 },
	{ "-1 == retval", false, 0, 0xffffffff, 0 },
	{ "!(retval < 0 || arg1 == 5)", false, 0, 0, 0x7fffffff },
	{ "!(retval < 0 || arg1 == 5)", false, 1, 6, 0xfffffffe },
	{ "retval == 100 || retval == 101 || retval == 5", false, 0, 5, 96 },
	{ "retval != 0 && retval != 100", false, 0, 1, 0xfffffffe },
	{ "retval > 3 && retval != 3", false, 0, 4, 0x7ffffffb },
	{ "retval > 3 && retval < 2", true, 0, 0, 0 },
	{ "retval > 5000000000", true, 0, 0, 0 },
	{ "retval < 5000000000", false, 0, 0x80000000, 0xffffffff },
	{ "retval + 1 < 0", false, 0, 0, 0xffffffff },
	{ "retval == SEVEN", false, 0, 7, 0 },
	{ "retval == EIGHT", false, 0, 0, 0xffffffff },
	{ "1 == 2 && retval == 1", true, 0, 0, 0 },
	{ "retval == arg1", false, 0, 0, 0xffffffff },
};

/* All operands are ints. */
START_TEST(examples_have_their_bounds)
{
	const char *text = examples[_i].condition;
	struct leaves leaves;
	struct condition *condition;
	struct bounds bounds;
	struct err err;
	size_t column;

	leaves_init(&leaves);
	for (unsigned i = 0; i < BOUNDS_OPERANDS; i++)
		leaves.bounds.types[i] = (struct bounds_type){ 32, true };
	ck_assert_int_eq(condition_parse(text, &condition, &column, &err), 0);
	bounds_of(condition_expr(condition), &leaves.bounds, &bounds);
	ck_assert_msg(bounds.never == examples[_i].never, "%s", text);
	if (!bounds.never) {
		struct arc arc = bounds.of[examples[_i].of];

		if (examples[_i].most < UINT32_MAX)
			ck_assert_msg(arc.low == examples[_i].low, "%s: %#lx",
				      text, arc.low);
		ck_assert_msg(arc.most == examples[_i].most, "%s: %#lx", text,
			      arc.most);
	}
	condition_free(condition);
}
END_TEST

Suite *
bounds_suite(void)
{
	Suite *suite = suite_create("bounds");
	TCase *tests = tcase_create("bounds");

	tcase_set_timeout(tests, 3600);
	tcase_add_test(tests, true_conditions_are_within_their_bounds);
	tcase_add_loop_test(tests, examples_have_their_bounds, 0,
			    array_size(examples));
	suite_add_tcase(suite, tests);
	return suite;
}
