/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The requests that a server answers, of HTTP/1 and FastCGI, seen on its
 * connections. A request begins when its first bytes are received, and ends
 * when the last bytes of its answer were sent. A query belongs to the request
 * that its thread is answering. If a thread answers several requests at the
 * same time, as in an event loop, only a coroutine tells to which of them a
 * query belongs (request_coroutines.h).
 */
#ifndef TRACER_QUERIES_REQUESTS_H
#define TRACER_QUERIES_REQUESTS_H

#include "base/str.h"
#include "tracer/queries/socket_calls.h"

struct request;

struct open_requests; /* the requests without a complete answer */

/* The caller frees the result with free(3) when all connections were
 * released. */
struct open_requests *open_requests_new(void);

enum serving_state {
	SERVING_UNKNOWN, /* no bytes were seen yet */
	SERVING_NOT,	 /* what was received first is no request */
	SERVING,
};

/* What is known of one connection. */
struct serving {
	enum serving_state state;
	struct str head;	 /* a head that is not complete yet */
	struct event_call since; /* times at which the first bytes came */
	/* the request that is being answered, or NULL */
	struct request *request;
};

/* Does the user want requests? */
bool requests_wanted(const struct session *session);

/* A thread receives on the connection, or sends: is the return of the call
 * needed? */
bool requests_receive(const struct serving *serving);
bool requests_send(struct serving *serving);

/* The thread has received `length` bytes in the call (received), or has sent
 * them (sent). */
void requests_received(struct serving *serving, struct program *program,
		       struct thread_record *record,
		       const struct socket_call *call, uint64_t length);
void requests_sent(struct serving *serving, struct session *session,
		   struct thread_record *record);

/* The id of the request that is being answered, or 0. */
uint64_t serving_request(const struct serving *serving);

/* The connection has ended, or is not followed any more: its request ends. */
void serving_release(struct serving *serving, struct session *session);

/* A second has passed: ends the requests that were answered. */
void requests_tick(struct session *session);

#endif
