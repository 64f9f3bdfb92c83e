/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections to databases, watched at the functions that send and receive.
 * This is for clients without a function of their own that a probe could name.
 * The bytes sent on a descriptor tell whether it is such a connection. If a
 * probe already sees the connection, because a function of the client's library
 * sends or encloses the sending call, it is left to the probe.
 */
#ifndef TRACER_QUERIES_SOCKETS_H
#define TRACER_QUERIES_SOCKETS_H

#include "stacks/statement.h"
#include "tracer/report/report.h"
#include "tracer/queries/socket_calls.h"

/* The behaviour (struct behaviour) of the functions that send or receive on
 * sockets. */
must_check int sockets_entered(struct hit *hit, struct tracepoint *tracepoint,
			       addr_t return_address);
void sockets_over(struct session *session, struct thread_record *record,
		  struct call *call, enum call_end how);

/*
 * The thread waits for the answer to this query, which it sent before xtrace
 * attached. If the query has no descriptor, the answer is what the thread
 * receives next from any socket. If it has a descriptor on which xtrace has
 * already seen something, nothing happens. regs are as in where_blocked().
 */
void sockets_await(struct program *program, struct thread_record *record,
		   const struct regs *regs,
		   const struct statement_query *query);

/* Notes whether the thread has to be looked at again, because xtrace could not
 * find out whether it waits for an answer. */
void sockets_look_again(struct program *program, pid_t tid, bool again);
/* The tids of the threads that have to be looked at again, or NULL. */
struct map *sockets_again(struct program *program);
/* Has a thread that has to be looked at again sent or received something since
 * xtrace attached? If so, the thread itself does not wait for the answer to an
 * earlier query any more, but its coroutines may. */
bool sockets_asked(const struct program *program, pid_t tid);

#endif
