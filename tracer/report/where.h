/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a call was made from (-w), and where a thread is: frames of a script,
 * of native code, or both. */
#ifndef TRACER_REPORT_WHERE_H
#define TRACER_REPORT_WHERE_H

#include "stacks/native.h"
#include "tracer/report/report.h"

/* Fills in call->event.frames at its entry, if they were asked for then. */
void where_capture(const struct hit *hit, struct call *call);

/* The same at its return, when its duration is known (--stack-min-time). */
void where_capture_late(struct program *program, struct actor *actor,
			struct call *call);

/* Fills them in of a call that the thread has just returned from, where it
 * has return_address. */
void where_returned(struct program *program, struct actor *actor,
		    struct call *call);

/* Adds the frames that the choice names (not STACK_CALLS) of a thread. */
void where_walk(struct program *program, enum stack_choice choice,
		const struct native_start *start, struct stack *stack);

#endif
