/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * To make a system call in a program, xtrace needs one of its threads stopped
 * for a short time. A thread that runs is stopped. A thread that blocks in a
 * system call is a host only if the kernel can restart that call unnoticed.
 */
#ifndef TRACER_REMOTE_CALLS_INJECT_H
#define TRACER_REMOTE_CALLS_INJECT_H

#include "tracer/model/session.h"

/* Stops this running thread; NULL if it ended or was stopped for another
 * reason. The thread may have just entered a system call, so the caller calls
 * thread_mend_interrupted() and resumes it. */
struct thread *inject_stop(struct session *session, pid_t tid);

/*
 * Stops a thread of the process that can be the host of system calls: it runs
 * in its own code, or blocks in a call that the kernel can restart unnoticed.
 * NULL if all threads block in other calls, or if the process has execed
 * meanwhile. inject_release() resumes the host with the registers that it had
 * when it was stopped.
 */
struct thread *inject_host(struct session *session, struct process *process);
void inject_release(struct session *session, pid_t tid,
		    const struct regs *found);

#endif
