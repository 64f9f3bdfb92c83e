/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * To make a system call in a program, xtrace needs one of its threads stopped
 * for a moment. A thread that runs is stopped for it. A thread that blocks in a
 * system call is taken only if the kernel continues the call unseen.
 */
#ifndef TRACER_REMOTE_CALLS_INJECT_H
#define TRACER_REMOTE_CALLS_INJECT_H

#include "tracer/model/session.h"

/* Stops this thread, which runs: NULL where it ended or was stopped otherwise.
 * The caller mends it, for it may have entered a system call, and sends it on.
 */
struct thread *inject_stop(struct session *session, pid_t tid);

/*
 * Stops a thread of the process that can make system calls for us: it runs in
 * its own code, or blocks in a call that the kernel continues unseen. NULL if
 * all block in other calls, or if the process has execed meanwhile. It is given
 * back with the registers that it had when it was borrowed.
 */
struct thread *inject_host(struct session *session, struct process *process);
void inject_release(struct session *session, pid_t tid,
		    const struct regs *found);

#endif
