/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --if: which calls are of interest, judged when they are over. */
#ifndef TRACER_MODEL_INTEREST_H
#define TRACER_MODEL_INTEREST_H

#include "output/event.h"

#include <stdbool.h>

struct condition;

/* At the entry: reads what judging will need. condition may be NULL. */
void interest_keep(const struct condition *condition,
		   struct arguments *arguments);

/* What cannot be known (the result of a call that did not return) makes it
 * false. A NULL condition holds. */
bool interest_holds(const struct condition *condition,
		    const struct event_call *call);

#endif
