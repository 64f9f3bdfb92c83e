/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections to databases, watched at the functions that send and receive:
 * for clients that have no function of their own to stop at. Which descriptor
 * is such a connection is told by what is sent on it. One that a probe sees
 * already, because a function of the client's library is around the sending
 * or does it, is left to the probe.
 */
#ifndef TRACER_SOCKETS_H
#define TRACER_SOCKETS_H

#include "tracer/report.h"
#include "tracer/socket_calls.h"

/* Whether this session watches sockets. */
bool sockets_wanted(const struct options *options);

/* One of the functions is entered. True: its return is of interest. */
must_check bool sockets_enter(struct moment *moment,
			      const struct socket_function *function,
			      addr_t return_address,
			      struct socket_call *ret_call);
/* ... and has returned. */
void sockets_leave(struct session *session, struct actor *actor,
		   struct program *program, const struct socket_call *call,
		   addr_t return_address);

/* Open queries end, and all is forgotten. */
void sockets_program_ends(struct program *program, enum call_end how);

#endif
