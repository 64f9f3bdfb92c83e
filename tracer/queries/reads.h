/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reads of a connection whose queries a set's probes show. A query begins
 * and ends with calls of probed functions. Its rows are read from the
 * connection afterwards: by calls of probed functions, whose time counts
 * already, or by functions (mysql_fetch_row(), PQgetCopyData()) that are not
 * trapped, because a program calls them for each row. The time of these reads
 * is added to the query's span, and the bytes of all reads.
 */
#ifndef TRACER_QUERIES_READS_H
#define TRACER_QUERIES_READS_H

#include "output/event.h"
#include "tracer/queries/probes.h"

/* The reads of one connection. */
struct reads {
	/* the cell in which the queries of the connection begin spans, or
	 * NULL */
	char *cell;
	/* the handle to which the handle in the cell's key leads; or 0 */
	uint64_t linked;
	/* A read has found nothing, and the thread `waiter` waits. `since` is
	 * the beginning of this read. */
	bool waits;
	pid_t waiter;
	struct event_call since;
};

void reads_release(struct reads *reads);
/* A thread is about to send on the connection, within `calls`. Notes the cell
 * of the span to which the innermost of these calls belongs. */
void reads_sending(struct reads *reads, const struct calls *calls);
/* The thread has stopped where it sends, receives or waits on the connection,
 * outside of the calls of its queries: xtrace follows its query from now on. */
void reads_tell(const struct reads *reads, struct hit *hit);
/* The connection begins anew, or ends. */
void reads_drop(const struct reads *reads, struct program *program);
/* Are bytes of this connection a part of a query? */
bool reads_wanted(const struct reads *reads, const struct session *session);
/* Are bytes of this connection a part of a query whose answer has begun? */
bool reads_answered(const struct reads *reads, const struct session *session);
/* The thread is about to wait until the connection is ready. A read begins at
 * the time now. */
void reads_wait(struct reads *reads, struct session *session,
		struct thread *thread, uint64_t now);
/* A call that reads or sends has transferred these bytes; 0 if there was
 * nothing to read yet. event has the beginning of this call. within: the call
 * was made during the call of a probed function. */
void reads_over(struct reads *reads, struct session *session,
		struct thread *thread, const struct event_call *event,
		uint64_t bytes, bool within);

#endif
