/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests that are calls of a script's function (--request-frame). No trap
 * tells that the function is entered or left. Instead, the function is searched
 * in the stack at each query. So a request lasts from the beginning of its
 * first query to the end of its last one, and requests without a query are not
 * seen.
 */
#ifndef TRACER_QUERIES_REQUEST_FRAMES_H
#define TRACER_QUERIES_REQUEST_FRAMES_H

#include "tracer/model/rooms.h"
#include "tracer/report/report.h"

/* The stack of the thread was walked for this call: stores its request. */
void request_frames_walked(struct program *program,
			   struct thread_record *record,
			   const struct stack *stack, struct call *call);

/* The thread has stopped for something other than a query: if the function is
 * not in its stack, its request has ended. */
void request_frames_look(const struct hit *hit);

/* A query has ended: the request to which it belongs lasts at least until
 * now. */
void request_frames_query_over(struct session *session, pid_t tid,
			       const struct event_call *query, uint64_t now);

extern const struct life request_frames_life;

/* The trace is over: tells if no frame matched the pattern. */
void request_frames_say_unmatched(const struct session *session);

#endif
