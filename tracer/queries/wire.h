/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes an event of a query that was seen on a connection. It is like the event
 * of a probed function that has the name of the protocol, such as mysql. Its
 * argument is the text, and its result is the number of rows, or -1 if the
 * query failed; or what the server replied. The event is sent in one piece when
 * the answer is complete.
 */
#ifndef TRACER_QUERIES_WIRE_H
#define TRACER_QUERIES_WIRE_H

#include "base/addr.h"
#include "base/list.h"
#include "output/event.h"
#include "process/peer.h"
#include "protocols/connection.h"
#include "tracer/queries/asker.h"

struct connecting;
struct thread_record;
struct program;
struct regs;
struct session;

struct wire {
	struct query_listener listener;
	struct session *session;
	uint64_t key; /* the descriptor, or the SSL */
	enum protocol protocol;
	bool serves; /* the program is the server: the bytes it receives ask */
	bool compressed;
	enum call_end lost; /* how queries without an answer end */
	/* Why the connection has ended, if its queries have failed; or NULL. */
	const char *broken;
	pid_t pid, tid;	   /* the process and thread of the last transfer */
	struct list asked; /* open queries: when and where they were sent */
	/* The program and the thread that has just sent or received bytes. */
	struct program *program;
	struct thread_record *record;
	const struct event_call *event; /* the event of the thread's call */
	/* The registers of a thread that waits for the answer to a query that
	 * it sent before xtrace attached; or NULL. */
	const struct regs *blocked;
	/* The frames of the coroutine that awaits the answer; or NULL. */
	const struct stack *coroutine;
	/* The coroutine for which the thread has just sent a query. */
	struct asker asker;
	/* Texts in a row that no coroutine had; uvloop's do not count. */
	unsigned coroutine_misses;
	struct connecting *connecting; /* owned; NULL after the login */
	bool encrypted;		       /* TLS begins on the connection */
	/* The server is in `peer` once it was looked for (peer_sought). An
	 * empty address: it is unknown. */
	bool peer_sought;
	struct peer peer;
};

/* Bits of PROTOCOLS_: what the sets of the session read from connections. */
unsigned wire_protocols(const struct session *session);
/* Bits of PROTOCOLS_: the protocols that the sets read, and those of databases
 * if the connection's login is awaited. */
unsigned wire_searched(const struct wire *wire);
/* True if nothing more is wanted of the connection: no login is awaited, and
 * the sets do not read what may follow on it. */
bool wire_is_done(const struct wire *wire);

void wire_init(struct wire *wire, struct session *session, uint64_t key);
/*
 * The thread's call has returned to return_address; event describes its entry.
 * Its bytes follow, until wire_gone().
 */
void wire_here(struct wire *wire, struct program *program,
	       struct thread_record *record, const struct event_call *event);
void wire_gone(struct wire *wire);
/* Has an answer to the oldest open query begun? A database server may have
 * answered messages before it, such as Bind, while it still runs the query. */
bool wire_answers(const struct wire *wire, const struct connection *connection);
/* The connection has ended, as wire->lost says. */
void wire_closed(struct wire *wire);
/* Announces the open queries of the connection that have taken at least the
 * time `least`, by events of this kind (see open_queries.h). */
void wire_announce(struct wire *wire, const struct connection *connection,
		   uint64_t least, enum event_kind kind);
/* Tells the user, once in a session, that a compressed connection cannot be
 * read. */
void wire_say_compressed(struct wire *wire);

#endif
