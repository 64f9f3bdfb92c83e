/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments and the result of a call. A function's prototype may have to be
 * read from debug information at its first call. The thread is not held for
 * that: what the arguments may be is captured, the call is added to
 * session->completion->unlearned, and report_complete() fetches its arguments
 * after the thread was resumed.
 */
#ifndef TRACER_REPORT_CALL_ARGUMENTS_H
#define TRACER_REPORT_CALL_ARGUMENTS_H

#include "arch/meter.h"
#include "tracer/report/report.h"

/* A call whose function's prototype was not read yet; in the call's arena. */
struct unlearned {
	struct call *call;
	struct regs regs;
	struct vregs vregs;
	bool has_vregs;
	/* bits of arguments that are not known, see struct hit */
	unsigned unknown;
};

/* Fills in call->event.arguments, if they are wanted. If may_wait, this may
 * happen later. */
void call_arguments_fetch(const struct hit *hit, struct call *call,
			  bool may_wait);

/* A text that was copied inside the program at the entry of a call. */
struct metered_text {
	addr_t at;
	const uint8_t *bytes;
	size_t length;
	uint8_t room[METER_TEXT_ROOM];
};

/* Does what call_arguments_fetch() does for a call that was entered inside the
 * program. Its registers are in hit->regs. Of the memory at its entry, only the
 * given texts are known. */
void call_arguments_fetch_kept(const struct hit *hit, struct call *call,
			       const struct metered_text *texts, size_t count);

/* Reads the prototype, and fills in call->event.arguments. */
void call_arguments_learn(struct unlearned *unlearned);

/* Reads now what the sinks will show of the arguments at an entry that is told
 * later. */
void call_arguments_keep(const struct session *session, struct call *call);

/* The thread has returned from the call: fills in call->event.result. */
void call_arguments_result(struct session *session,
			   struct thread_record *record, struct call *call);

/*
 * A query ends with a call of report_open(call)->ended->last, of which only the
 * handle and the result are known. Returns the arguments and the result of that
 * call. handle: which argument the handle is, counted from 0.
 */
struct arguments *call_arguments_made(struct call *call,
				      const struct proto *proto,
				      unsigned handle, struct capture *memory);

#endif
