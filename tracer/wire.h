/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is told of a query that was seen on a connection: an event like that
 * of a probed function, named mysql or postgresql, whose argument is the text
 * and whose result is the number of rows, -1 where it failed. Told in one
 * piece when the answer is whole.
 */
#ifndef TRACER_WIRE_H
#define TRACER_WIRE_H

#include "output/event.h"
#include "protocols/query.h"

struct session;
struct thread;

struct wire {
	struct query_listener listener;
	struct session *session;
	const char *name; /* of the protocol */
	bool compressed;
	enum call_end lost; /* how queries end that have no answer */
	pid_t pid, tid;	    /* who sent or received last */
};

void wire_init(struct wire *wire, struct session *session);
void wire_thread(struct wire *wire, const struct thread *thread);
/* Once a session. */
void wire_say_compressed(struct wire *wire);

#endif
