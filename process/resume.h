/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sending a stopped thread on. All of these answer 0, or -ESRCH when the
 * thread is not there any more, which is normal.
 */
#ifndef PROCESS_RESUME_H
#define PROCESS_RESUME_H

#include "base/attr.h"
#include "process/thread.h"

/* Changed registers are stored first. signal: to deliver, or 0. */
int thread_resume(struct table *table, struct thread *thread, int signal);
/* To the next entry or exit of a system call. */
int thread_resume_to_syscall(struct table *table, struct thread *thread,
			     int signal);
/* Stays in its group-stop, but its SIGCONT is heard (ptrace(2),
 * PTRACE_LISTEN). */
int thread_listen(struct table *table, struct thread *thread);
/* Let go, alive and running. */
int thread_detach(struct table *table, struct thread *thread, int signal);
/* Asks a running thread to stop; a STOP_INTERRUPT follows. */
must_check int thread_interrupt(struct table *table, struct thread *thread);

#endif
