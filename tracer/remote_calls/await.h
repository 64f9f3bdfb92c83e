/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting for a stop in the midst of other work, as when a thread is needed for
 * a system call. These are the only places besides the loop (tracer/run/loop)
 * where stops are served. Whatever a caller knew of threads, processes and
 * programs may be gone afterwards, and is looked up again.
 */
#ifndef TRACER_REMOTE_CALLS_AWAIT_H
#define TRACER_REMOTE_CALLS_AWAIT_H

#include "process/stop.h"
#include "tracer/model/session.h"

enum awaited {
	AWAITED_STOPPED, /* at our interrupt, and to be resumed by the caller */
	AWAITED_GONE,	 /* it ended, is in a group-stop, or does not stop */
	AWAITED_EXECED,	 /* its process runs another program now */
};

/*
 * Asks the thread to stop, and waits for it. Its stops of other kinds are
 * served meanwhile; those of other threads are kept (wait_keep()).
 */
must_check enum awaited await_stop(struct session *session, pid_t tid);

/* Serves a stop of the thread that has come already. False: there is none. */
bool await_poll(struct session *session, pid_t tid);

/* Serves this stop, which the caller has waited for itself. */
void await_serve(struct session *session, const struct stop *stop);

/* The tids of the process's threads, which may end while stops are served. The
 * caller releases the list. */
struct pids await_threads(const struct process *process);

#endif
