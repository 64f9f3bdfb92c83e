/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * If only some calls are shown, because of --min-time or --if, a meter at the
 * return passes the calls that are certainly not shown. It tests the time, and
 * the bounds of integer operands (conf/model/bounds.h), so it decides less
 * exactly than xtrace, which decides again. All other calls stop at their
 * return.
 *
 * A function whose arguments lead to memory that is shown has no meter, unless
 * it is read at the return, or is a text (metering_texts.c).
 */
#include "tracer/report/metering_parts.h"

#include "base/clock.h"
#include "conf/model/bounds.h"
#include "conf/model/lens.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "conf/parse/condition.h"
#include "tracer/model/interest.h"
#include "tracer/report/metering.h"
#include "values/abi.h"
#include "values/scope.h"

#include <stddef.h>
#include <string.h>

/* ---- the session ----------------------------------------------------------*/

/* True if the expression has only arguments, results, constants, and what is
 * known of every call as operands. Elements and fields are memory that may have
 * to be read at the entry. */
static bool
is_simple(const struct expr *expr)
{
	if (!expr)
		return true;
	return expr->kind != EXPR_ELEMENT && expr->kind != EXPR_FIELD &&
	       expr->kind != EXPR_BESIDE && expr->kind != EXPR_BEFORE &&
	       expr->kind != EXPR_CALL && is_simple(expr->left) &&
	       is_simple(expr->right);
}

bool
metering_selects(const struct session *session)
{
	const struct options *options = session->options;

	if (!session->wants.least && !session->condition)
		return false;
	if (session->condition &&
	    !is_simple(condition_expr(session->condition)))
		return false;
	return metering_possible(session) && !options->sample &&
	       !options->system_calls && !options->limit && !options->wall &&
	       !options->requests &&
	       (!session->sets || metering_takes_queries(session)) &&
	       !options->measured && !options->paths.count &&
	       !options->tamperings.count && !options->descriptors;
}

/* ---- what is in registers -------------------------------------------------*/

/* Is nothing read at the entry for the parameter but its register? */
static bool
is_register(const struct param *param, const struct proto *proto)
{
	const struct type *type = param->type;

	if (param->condition)
		return false;
	if (type->kind == TYPE_INT)
		return !type->lens || !lens_is_text(type->lens->kind);
	if (type->kind != TYPE_POINTER)
		return false;
	return metering_is_text(param) || type_is_address(type) ||
	       param->when == PARAM_BEHIND_PLUS ||
	       /* A failed call shows what the argument was at the entry. */
	       (param->when == PARAM_AT_RETURN &&
		!lens_of_kind(proto->returns->lens, LENS_ERRNO));
}

/* Stores the registers of the parameters. Returns false if anything but
 * these registers must be read at the entry. */
static bool
find_registers(const struct proto *proto, unsigned registers[6])
{
	struct abi_cursor cursor;

	if (proto->varargs || proto->format >= 0 || proto->count > 6)
		return false;
	abi_begin(&cursor, arch_of_host(), proto->returns);
	for (size_t i = 0; i < proto->count; i++) {
		struct abi_place place;

		if (!is_register(&proto->params[i], proto))
			return false;
		abi_next(&cursor, proto->params[i].type, &place);
		if (place.in_memory || place.count != 1 ||
		    place.parts[0].bank != ABI_INTEGER)
			return false;
		registers[i] = place.parts[0].number;
	}
	return true;
}

/* ---- operands -------------------------------------------------------------*/

/* Operands of bounds: the result, the registers, the duration. */
enum { OPERAND_RESULT, OPERAND_FIRST, OPERAND_DURATION = OPERAND_FIRST + 6 };

struct operands {
	struct bounds_scope bounds;
	/* the function's prototype; NULL: its arguments are guessed to be
	 * longs */
	const struct proto *proto;
	unsigned registers[6];
};

/* The index of the parameter that the leaf of an expression names, or
 * SIZE_MAX. */
static size_t
find_param(const struct proto *proto, const struct expr *leaf)
{
	size_t i = 0;

	if (leaf->kind == EXPR_ARG)
		return (size_t)leaf->number - 1;
	while (proto && i < proto->count &&
	       !scope_same_name(proto->params[i].name, leaf->name))
		i++;
	return proto && i < proto->count ? i : SIZE_MAX;
}

/* Is a value of this type an integer in expressions, and does its register hold
 * this integer? */
static enum bounds_leaf
integer(const struct type *type, const struct expr *leaf,
	struct bounds_type *ret_type)
{
	const struct lens *lens = type->lens;

	if (lens && (lens_is_text(lens->kind) || lens->kind == LENS_INET))
		return BOUNDS_UNKNOWN;
	*ret_type = (struct bounds_type){ 64, false };
	if (type->kind == TYPE_POINTER)
		return type_is_address(type) || leaf->as_address
			       ? BOUNDS_OPERAND
			       : BOUNDS_UNKNOWN;
	/* A guessed unsigned number may be taken as a negative one. */
	if (type->kind != TYPE_INT || type->is_big_endian || type->bytes > 8 ||
	    (!type->is_signed && lens_of_kind(lens, LENS_GUESS)))
		return BOUNDS_UNKNOWN;
	*ret_type = (struct bounds_type){ 8u * type->bytes, type->is_signed };
	return BOUNDS_OPERAND;
}

static enum bounds_leaf
param_operand(struct operands *operands, size_t i, const struct expr *leaf,
	      unsigned *ret_operand)
{
	const struct proto *proto = operands->proto;

	if (proto ? i >= proto->count : i >= 4)
		return BOUNDS_UNKNOWN;
	*ret_operand = OPERAND_FIRST + operands->registers[i];
	if (!proto)
		return BOUNDS_OPERAND;
	return integer(proto->params[i].type, leaf,
		       &operands->bounds.types[*ret_operand]);
}

static enum bounds_leaf
find_leaf(struct bounds_scope *scope, const struct expr *leaf,
	  unsigned *ret_operand, struct expr_value *ret_constant)
{
	struct operands *operands =
		container_of(scope, struct operands, bounds);
	const struct proto *proto = operands->proto;
	size_t i;

	*ret_operand = OPERAND_RESULT;
	if (leaf->kind == EXPR_RETVAL)
		return proto ? integer(proto->returns, leaf,
				       &scope->types[OPERAND_RESULT])
			     : BOUNDS_OPERAND;
	if (leaf->kind != EXPR_ARG && leaf->kind != EXPR_NAME)
		return BOUNDS_UNKNOWN;
	i = find_param(proto, leaf);
	if (i != SIZE_MAX)
		return param_operand(operands, i, leaf, ret_operand);
	*ret_operand = OPERAND_DURATION;
	if (proto && scope_constant(proto, leaf->name, ret_constant))
		return BOUNDS_CONSTANT;
	if (!strcmp(leaf->name, "duration"))
		return BOUNDS_OPERAND;
	return interest_constant(leaf->name, ret_constant) ? BOUNDS_CONSTANT
							   : BOUNDS_UNKNOWN;
}

/* ---- tests ----------------------------------------------------------------*/

/* The least duration, in ns, with these bounds. */
static uint64_t
least_of(struct arc duration)
{
	if (duration.most == UINT64_MAX || (int64_t)duration.low < 0 ||
	    duration.most > INT64_MAX - duration.low)
		return 0;
	return duration.low;
}

/* Adds the tests for these bounds. False if there are too many of them. */
static bool
add_tests(const struct bounds *bounds, const struct bounds_scope *scope,
	  struct meter_select *select, unsigned *count)
{
	for (unsigned i = 0; i < OPERAND_DURATION; i++) {
		const struct bounds_type *type = &scope->types[i];
		unsigned shift = 64 - type->bits;

		if (arc_is_full(type, bounds->of[i]))
			continue;
		if (*count == METER_TESTS)
			return false;
		select->tests[(*count)++] = (struct meter_test){
			.offset = METER_KEPT + i * sizeof(uint64_t),
			.low = bounds->of[i].low,
			.shift = shift,
			.most = bounds->of[i].most << shift,
		};
	}
	return true;
}

/* Each part of a conjunction may have tests of the same operand. */
static void
add_parts(const struct expr *expr, struct bounds_scope *scope,
	  struct meter_select *select, unsigned *count, uint64_t *least)
{
	struct bounds bounds;
	unsigned before = *count;

	if (expr->kind == EXPR_AND) {
		add_parts(expr->left, scope, select, count, least);
		add_parts(expr->right, scope, select, count, least);
		return;
	}
	bounds_of(expr, scope, &bounds);
	if (bounds.never)
		*least = UINT64_MAX;
	else if (*least < least_of(bounds.of[OPERAND_DURATION]))
		*least = least_of(bounds.of[OPERAND_DURATION]);
	/* If the tests of this part do not fit, they are left out. Then more
	 * calls stop than the condition needs, and xtrace evaluates it. */
	if (!bounds.never && !add_tests(&bounds, scope, select, count))
		*count = before;
}

const char *
metering_select(const struct session *session, const struct program *program,
		const struct tracepoint *tracepoint,
		struct meter_select *ret_select)
{
	struct operands operands = {
		.bounds = { .leaf = find_leaf },
		.proto = tracepoint->proto,
		.registers = { 0, 1, 2, 3, 4, 5 },
	};
	uint64_t least = session->wants.least;
	unsigned count = 0;

	for (unsigned i = 0; i < BOUNDS_OPERANDS; i++)
		operands.bounds.types[i] = (struct bounds_type){ 64, true };
	*ret_select = (struct meter_select){ 0 };
	if (session->wants.values && !tracepoint->proto_known)
		return "its prototype is not known yet";
	if (tracepoint->proto &&
	    (!find_registers(tracepoint->proto, operands.registers) ||
	     !metering_find_texts(session, tracepoint->proto,
				  operands.registers, ret_select)))
		return "its arguments must be read at the entry";
	if (session->condition)
		add_parts(condition_expr(session->condition), &operands.bounds,
			  ret_select, &count, &least);
	for (unsigned i = count; i < METER_TESTS; i++)
		ret_select->tests[i] =
			(struct meter_test){ .offset = METER_KEPT,
					     .most = UINT64_MAX };
	ret_select->least = least == UINT64_MAX
				    ? UINT64_MAX
				    : metering_ticks(session, program, least);
	if (!count && !ret_select->least)
		return "no call of it can be left out";
	return NULL;
}
