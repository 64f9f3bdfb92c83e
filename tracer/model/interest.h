/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --if: decides at the end of a call whether it is shown. */
#ifndef TRACER_MODEL_INTEREST_H
#define TRACER_MODEL_INTEREST_H

#include "base/attr.h"
#include "output/event.h"
#include "tracer/options/options.h"

#include <stdbool.h>

struct condition;
struct expr_value;

/* At the entry: reads what the condition will need. condition may be NULL. */
void interest_keep(const struct condition *condition,
		   struct arguments *arguments);

/* Did the call end as the user wants it? A call that has not returned, and a
 * system call that the kernel restarts, have neither failed nor succeeded. */
bool interest_outcome(enum outcome_choice wanted,
		      const struct event_call *call);

/* The duration of a call that began inside the program lies between two times.
 * The condition may hold for the time that is shown or for the longest one.
 * A value that cannot be known (the result of a call that did not return) makes
 * the condition false. A NULL condition is true. */
bool interest_holds(const struct condition *condition,
		    const struct event_call *call);

/* The number that the expression has for the call. Returns 0, or a negative
 * errno if it cannot be known or is no number. */
must_check int interest_number(const struct condition *expression,
			       const struct event_call *call,
			       int64_t *ret_number);

/* Gives the number of an error by its name, such as ENOENT. False if there is
 * no such error. */
bool interest_constant(const char *name, struct expr_value *ret_value);

/* Is this a name that a condition knows for every call, such as duration? */
bool interest_knows(const char *name);

#endif
