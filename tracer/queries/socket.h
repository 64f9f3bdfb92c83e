/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A socket is what is known of one descriptor, or of one SSL, on which a
 * program sends or receives; see sockets.c for its states.
 */
#ifndef TRACER_QUERIES_SOCKET_H
#define TRACER_QUERIES_SOCKET_H

#include "protocols/connection.h"
#include "tracer/queries/reads.h"
#include "tracer/queries/requests.h"
#include "tracer/queries/wire.h"

/* The number of transfers in which a connection must show its protocol. */
enum { SOCKET_TRIES = 8 };

enum state { UNKNOWN, SPOKEN, LEFT };

struct socket {
	enum state state;
	/* looked_at: the socket was examined. talks: it has a peer and is no
	 * file. */
	bool looked_at, talks;
	/* Only valid in the state LEFT: the descriptor was no socket. It may
	 * become a socket without a call that we see, because stdio closes
	 * files without calling close(). */
	bool file;
	/* how many sendings are still examined in the state UNKNOWN */
	unsigned tries;
	struct wire wire;
	struct connection *connection; /* valid in the state SPOKEN */
	struct reads reads;	       /* valid in the state LEFT */
	struct serving serving;
};

/* The connection is not read any more; `how` is the end of open queries. */
void socket_close(struct socket *socket, enum call_end how);
/* Notes that no answer can come on the connection any more; `why` is the
 * reason. */
void socket_break(struct socket *socket, const char *why);
/* The program closes the connection: as a server, this may end its answer. */
void socket_closed_by_program(struct socket *socket, uint64_t when);
/* The connection is of no interest: open queries are unfinished. */
void socket_leave(struct socket *socket);

/* From now on the connection is read in this protocol. */
void socket_follow(struct socket *socket, enum protocol protocol);
/* A thread is about to send bytes on a socket whose protocol is unknown: looks
 * whether the bytes tell the protocol. */
void socket_look(struct program *program, struct socket *socket,
		 const struct socket_call *call, addr_t return_address);
/* A thread has received bytes on a socket whose protocol is unknown: they may
 * be a client's request. */
void socket_look_served(struct program *program, struct socket *socket,
			const struct socket_call *call, uint64_t length,
			addr_t return_address);

#endif
