/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resumes a stopped thread. All functions return 0, or -ESRCH if the thread has
 * vanished, which is normal.
 */
#ifndef PROCESS_RESUME_H
#define PROCESS_RESUME_H

#include "base/attr.h"
#include "process/thread.h"

/*
 * Writes changed registers first. signal: to deliver, or 0. With
 * table->system_calls the thread stops at its next system call.
 */
int thread_resume(struct table *table, struct thread *thread, int signal);
/* As thread_resume(), but the thread stops at its next system call, with or
 * without table->system_calls. */
int thread_resume_to_own_call(struct table *table, struct thread *thread);
/* A trial stop (process/held.h): sends the thread into the trap at which it has
 * just stopped. */
int thread_resume_to_trap(struct table *table, struct thread *thread,
			  addr_t trap);
/* A trial stop at the end of a system call: the thread is interrupted, and
 * stops before it runs its own code. */
int thread_resume_to_interrupt(struct table *table, struct thread *thread);
/* Runs to the next entry or exit of a system call, for xtrace. */
int thread_resume_to_syscall(struct table *table, struct thread *thread,
			     int signal);
/* Leaves the thread in its group-stop, but SIGCONT is reported (ptrace(2),
 * PTRACE_LISTEN). */
int thread_listen(struct table *table, struct thread *thread);
/* Detaches; the thread runs on untraced. */
int thread_detach(struct table *table, struct thread *thread, int signal);
/* Stops a running thread; a STOP_INTERRUPT follows. */
must_check int thread_interrupt(struct table *table, struct thread *thread);

#endif
