/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting for a stop in the middle of other work, for example when a system
 * call needs a host. Only these functions and the loop (tracer/run/loop) serve
 * stops. Threads, processes and programs may end while stops are served, so the
 * caller looks them up again.
 */
#ifndef TRACER_REMOTE_CALLS_AWAIT_H
#define TRACER_REMOTE_CALLS_AWAIT_H

#include "process/stop.h"
#include "tracer/model/session.h"

enum awaited {
	/* the thread is stopped at our interrupt; the caller resumes it */
	AWAITED_STOPPED,
	/* the thread has ended, is in a group-stop, or does not stop */
	AWAITED_GONE,
	AWAITED_EXECED, /* the thread's process now runs another program */
};

/*
 * Asks the thread to stop, and waits for it. Meanwhile the thread's stops of
 * other kinds are served; the stops of other threads are kept (wait_keep()).
 */
must_check enum awaited await_stop(struct session *session, pid_t tid);

/* Serves a stop of the thread that wait(2) reports without blocking. False if
 * there is none. */
bool await_poll(struct session *session, pid_t tid);

/* Serves this stop, which the caller has received itself. */
void await_serve(struct session *session, const struct stop *stop);

#endif
