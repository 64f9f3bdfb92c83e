/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The condition of --if: an expression alone. */
#ifndef CONF_PARSE_CONDITION_H
#define CONF_PARSE_CONDITION_H

#include "base/attr.h"
#include "base/err.h"

#include <stddef.h>

struct expr;

/* The parsed argument of --if, with its memory. */
struct condition;

/*
 * Parses text. Names become leaves (EXPR_NAME), except argN and retval. On
 * error, returns -EINVAL, with one sentence in err and the place in text in
 * *ret_column (from 0).
 */
must_check int condition_parse(const char *text,
			       struct condition **ret_condition,
			       size_t *ret_column, struct err *err);
const struct expr *condition_expr(const struct condition *condition);
void condition_free(struct condition *condition);

#endif
