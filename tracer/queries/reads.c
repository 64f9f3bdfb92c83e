/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Libraries read without blocking, and wait in poll(2) if there is nothing:
 *
 *	recv = EAGAIN, poll, recv = 16384
 *	|<---------- a read ----------->|
 *
 * so a read begins with the first call that found nothing. A library that is
 * used by an event loop returns to the loop to wait; this is the same wait.
 */
#include "tracer/queries/reads.h"

#include "base/xmalloc.h"
#include "tracer/queries/probe_spans.h"
#include "tracer/report/metering.h"

#include <stdlib.h>
#include <string.h>

void
reads_release(struct reads *reads)
{
	free(reads->cell);
	*reads = (struct reads){ 0 };
}

/* The span of the innermost call that has one. */
static const struct call_span *
span_of_calls(const struct calls *calls)
{
	for (size_t i = calls->live.count; i-- > 0;) {
		const struct probing *probing =
			probes_probing(calls->live.at[i]);

		if (probing && probing->span)
			return probing->span;
	}
	return NULL;
}

/* The handle in the key of reads->cell. */
static uint64_t
handle_of(const struct reads *reads)
{
	/* A key ends with the handle and a slash (probe_key()). */
	size_t at = strlen(reads->cell);

	if (at)
		at--;
	while (at && reads->cell[at - 1] != '/')
		at--;
	return strtoull(reads->cell + at, NULL, 16);
}

void
reads_tell(const struct reads *reads, struct hit *hit)
{
	if (!reads->cell)
		return;
	metering_tell_query(hit, handle_of(reads));
	if (reads->linked)
		metering_tell_query(hit, reads->linked);
}

void
reads_drop(const struct reads *reads, struct program *program)
{
	if (!reads->cell)
		return;
	metering_drop_handle(program, handle_of(reads));
	if (reads->linked)
		metering_drop_handle(program, reads->linked);
}

void
reads_sending(struct reads *reads, const struct calls *calls)
{
	const struct call_span *span = span_of_calls(calls);

	if (!span || (reads->cell && !strcmp(reads->cell, span->key)))
		return;
	free(reads->cell);
	reads->cell = xstrdup(span->key);
	reads->linked = span->linked;
	reads->waits = false;
}

/*
 * The query of the connection. Since xtrace saw what was sent last, another
 * statement of the connection may have been executed inside the program: then
 * the query is found by the connection's handle. A key begins with the program
 * and a slash.
 */
static struct call_span *
span_of(const struct reads *reads, const struct session *session)
{
	struct call_span *span;
	char *program;

	if (!reads->cell || !session->memory)
		return NULL;
	span = spans_oldest(&session->memory->spans, reads->cell);
	if (span)
		return span;
	program = xstrdup(reads->cell);
	program[strcspn(program, "/") + 1] = '\0';
	span = spans_of_handle(&session->memory->spans, program,
			       reads->linked ? reads->linked
					     : handle_of(reads));
	free(program);
	return span;
}

bool
reads_wanted(const struct reads *reads, const struct session *session)
{
	return span_of(reads, session) != NULL;
}

bool
reads_answered(const struct reads *reads, const struct session *session)
{
	const struct call_span *span = span_of(reads, session);

	return span && span->answered;
}

void
reads_wait(struct reads *reads, struct session *session, struct thread *thread,
	   uint64_t now)
{
	if (!reads_answered(reads, session))
		return;
	held_reads(&thread->held);
	session_begin_time(session, thread, now, &reads->since);
	reads->waiter = thread->tid;
	reads->waits = true;
}

/* The read has ended now: measures it from its beginning. */
static struct span_time
measure(struct reads *reads, struct session *session, struct thread *thread,
	const struct event_call *event)
{
	struct event_call whole = reads->waits && reads->waiter == thread->tid
					  ? reads->since
					  : *event;

	session_measure(session, thread, session_now(session), &whole);
	return (struct span_time){ whole.duration, whole.wall,
				   whole.uncertainty, 0 };
}

void
reads_over(struct reads *reads, struct session *session, struct thread *thread,
	   const struct event_call *event, uint64_t bytes, bool within)
{
	struct call_span *span = span_of(reads, session);
	struct span_time time;

	if (!span)
		return;
	if (bytes == 0) {
		if (!reads->waits || reads->waiter != thread->tid) {
			reads->since = *event;
			reads->waiter = thread->tid;
		}
		reads->waits = true;
		return;
	}
	time = measure(reads, session, thread, event);
	probe_span_read(session, span, within ? NULL : &time, bytes,
			session_now(session));
	reads->waits = false;
	if (!within && span->answered)
		held_works_apart(&thread->held);
}
