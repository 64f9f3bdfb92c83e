/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is told of a query that was seen on a connection: an event like that
 * of a probed function, named mysql or postgresql, whose argument is the text
 * and whose result is the number of rows, -1 where it failed. Told in one
 * piece when the answer is whole.
 */
#ifndef TRACER_QUERIES_WIRE_H
#define TRACER_QUERIES_WIRE_H

#include "base/addr.h"
#include "base/list.h"
#include "output/event.h"
#include "protocols/query.h"

struct actor;
struct program;
struct session;

struct wire {
	struct query_listener listener;
	struct session *session;
	const char *name; /* of the protocol */
	bool compressed;
	enum call_end lost; /* how queries end that have no answer */
	pid_t pid, tid;	    /* who sent or received last */
	struct list asked;  /* where open queries were sent from */
	/* While a thread has just sent or received: who, and from where. */
	struct program *program;
	struct actor *actor;
	addr_t return_address;
};

void wire_init(struct wire *wire, struct session *session);
/* That thread's call has returned, and what it sent or received comes next;
 * until wire_gone(). */
void wire_here(struct wire *wire, struct program *program, struct actor *actor,
	       addr_t return_address);
void wire_gone(struct wire *wire);
/* Once a session. */
void wire_say_compressed(struct wire *wire);

#endif
