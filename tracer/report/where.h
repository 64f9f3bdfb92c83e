/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a call was made from (-w), and where a thread is: frames of a script,
 * of native code, or of both. */
#ifndef TRACER_REPORT_WHERE_H
#define TRACER_REPORT_WHERE_H

#include "stacks/native.h"
#include "tracer/report/report.h"

/* Fills in call->event.frames at the entry, if they are wanted then. */
void where_capture(const struct hit *hit, struct call *call);

/*
 * The call executes a statement whose text is not known. If no frames are
 * wanted of other calls, fills in the frame that tables show beside the
 * statement.
 */
void where_capture_unknown(const struct hit *hit, struct call *call);

/*
 * Fills in call->event.frames at the return, if they depend on the duration
 * (--stack-min-time).
 */
void where_capture_late(struct program *program, struct thread_record *record,
			struct call *call);

/* True if where_capture_unknown() would fill in a frame. */
bool where_unknown_wanted(const struct session *session);

/* Fills in the frames of a call from which the thread has just returned to
 * return_address. */
void where_returned(struct program *program, struct thread_record *record,
		    struct call *call);

/* Adds a thread's frames of the kind that choice names (not STACK_CALLS). */
void where_walk(struct program *program, enum stack_choice choice,
		const struct native_start *start, struct stack *stack);

/* The trace is over: names the patterns of --packages that no file of a frame
 * matched. */
void where_say_unmatched(const struct session *session);

#endif
