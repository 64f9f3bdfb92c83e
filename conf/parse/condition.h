/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The condition of --if: an expression by itself. */
#ifndef CONF_PARSE_CONDITION_H
#define CONF_PARSE_CONDITION_H

#include "base/attr.h"
#include "base/err.h"

#include <stddef.h>

struct expr;

/* The parsed argument of --if, with the memory it stands on. */
struct condition;

/*
 * Names are leaves of their own (EXPR_NAME) but for argN and retval. On error
 * -EINVAL, one sentence in err, and in *ret_column (from 0) the place in text.
 */
must_check int condition_parse(const char *text,
			       struct condition **ret_condition,
			       size_t *ret_column, struct err *err);
const struct expr *condition_expr(const struct condition *condition);
void condition_free(struct condition *condition);

#endif
