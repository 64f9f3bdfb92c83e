/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections to databases, watched at the functions that send and receive:
 * for clients that have no function of their own to stop at. Which descriptor
 * is such a connection is told by what is sent on it. One that a probe sees
 * already, because a function of the client's library is around the sending
 * or does it, is left to the probe.
 */
#ifndef TRACER_QUERIES_SOCKETS_H
#define TRACER_QUERIES_SOCKETS_H

#include "tracer/report/report.h"
#include "tracer/queries/socket_calls.h"

/* The behaviour of the functions, see struct behaviour. */
must_check int sockets_entered(struct hit *hit, struct tracepoint *tracepoint,
			       addr_t return_address);
void sockets_over(struct session *session, struct actor *actor,
		  struct call *call, enum call_end how);

/* Open queries end with the program, and its connections are forgotten. */
extern const struct life sockets_life;

#endif
