/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names that --if has besides the arguments: duration (in nanoseconds; 10ms
 * is a number in an expression), depth, errno, and the names of errors.
 */
#include "tracer/model/interest.h"

#include "base/attr.h"
#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/parse/condition.h"
#include "values/fetch.h"
#include "values/scope.h"
#include "values/value.h"
#include "values/visit.h"

#include <errno.h>
#include <string.h>

#define ERRORS 256 /* more than the number of errors in errno(3) */

struct interest {
	struct expr_scope expr;
	struct scope arguments;
	const struct event_call *call;
	uint64_t duration;
};

/* Finds the number of an error by its name, such as ENOENT. */
static int
error_of_name(const char *name, int64_t *ret_number)
{
	for (int number = 1; number < ERRORS; number++) {
		const char *known = strerrorname_np(number);

		if (!known || strcmp(known, name) != 0)
			continue;
		*ret_number = number;
		return 0;
	}
	return -ENODATA;
}

/* If this call has no error, errno keeps the error of an earlier call. */
static int
error_of(const struct event_call *call)
{
	const struct value *result =
		call->arguments ? call->arguments->result : NULL;

	return result ? value_error(result, call->error_number) : 0;
}

static int
own_name(const struct interest *interest, const char *name, int64_t *ret_number)
{
	const struct event_call *call = interest->call;

	if (!strcmp(name, "duration"))
		*ret_number = (int64_t)interest->duration;
	else if (!strcmp(name, "depth"))
		*ret_number = call->depth;
	else if (!strcmp(name, "errno"))
		*ret_number = error_of(call);
	else
		return error_of_name(name, ret_number);
	return 0;
}

static int
leaf(struct expr_scope *expr, const struct expr *leaf,
     struct expr_value *ret_value)
{
	struct interest *interest = container_of(expr, struct interest, expr);
	struct expr_value value = { .kind = EXPR_VALUE_NUMBER };
	int r = scope_leaf(&interest->arguments.expr, leaf, ret_value);

	if (r != -ENODATA || leaf->kind != EXPR_NAME)
		return r;
	r = own_name(interest, leaf->name, &value.number);
	if (r == 0)
		*ret_value = value;
	return r;
}

void
interest_keep(const struct condition *condition, struct arguments *arguments)
{
	if (condition)
		arguments_keep_for(arguments, condition_expr(condition));
}

static bool
holds_for(const struct condition *condition, const struct event_call *call,
	  uint64_t duration)
{
	struct interest interest = { .expr = { .leaf = leaf },
				     .call = call,
				     .duration = duration };
	bool holds;

	scope_init(&interest.arguments, call->arguments, NULL);
	return expr_true(condition_expr(condition), &interest.expr, &holds) ==
		       0 &&
	       holds;
}

/* With the longest time a call may have reached a lower limit. With the time
 * that is shown it is below an upper limit. */
bool
interest_holds(const struct condition *condition, const struct event_call *call)
{
	return !condition || holds_for(condition, call, event_longest(call)) ||
	       (call->older &&
		holds_for(condition, call, event_shown(call->duration)));
}

int
interest_number(const struct condition *expression,
		const struct event_call *call, int64_t *ret_number)
{
	struct interest interest = { .expr = { .leaf = leaf },
				     .call = call,
				     .duration = event_shown(call->duration) };

	scope_init(&interest.arguments, call->arguments, NULL);
	return expr_number(condition_expr(expression), &interest.expr,
			   ret_number);
}

static bool
has_failed(const struct event_call *call)
{
	const struct value *result = call->result;
	int64_t number;

	if (call->outcome)
		return call->outcome->failed;
	if (!result || call->restarts)
		return false;
	if (lens_of_kind(result->lens, LENS_ERRNO))
		return value_is_failure(result);
	return lens_of_kind(result->lens, LENS_ERRNUM) &&
	       value_integer(result, &number) == 0 && number != 0;
}

bool
interest_outcome(enum outcome_choice wanted, const struct event_call *call)
{
	switch (wanted) {
	case OUTCOME_FAILED:
		return has_failed(call);
	case OUTCOME_SUCCESSFUL:
		return call->end == CALL_RETURNED && !call->restarts &&
		       !has_failed(call);
	default:
		return true;
	}
}

bool
interest_constant(const char *name, struct expr_value *ret_value)
{
	struct expr_value value = { .kind = EXPR_VALUE_NUMBER };

	if (error_of_name(name, &value.number) < 0)
		return false;
	*ret_value = value;
	return true;
}

bool
interest_knows(const char *name)
{
	const struct event_call no_call = { .arguments = NULL };
	const struct interest none = { .call = &no_call };
	int64_t number;

	return own_name(&none, name, &number) == 0;
}
