/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaches to a running process without stopping it: PTRACE_SEIZE of every
 * thread, without PTRACE_INTERRUPT, so that no system call in flight is
 * interrupted.
 */
#ifndef PROCESS_ATTACH_H
#define PROCESS_ATTACH_H

#include "base/err.h"
#include "process/status.h"
#include "process/thread.h"

/*
 * Checks whether pid can be traced, without changing anything. word: the size
 * of an address in the programs that the caller can trace. Returns -ESRCH (also
 * for a zombie), -EPERM, -EBUSY (another tracer has it), or -ENOTSUP (kernel
 * thread, another word), each with a sentence that says what would help.
 */
must_check int attach_check(pid_t pid, unsigned word, struct err *err);

/* Seizes all threads of pid and opens its memory. The table owns the process.
 * word: as for attach_check(); -ENOTSUP if the process has called exec since
 * then, and runs a program of another kind. */
must_check int attach_process(struct table *table, pid_t pid, unsigned word,
			      struct process **ret_process, struct err *err);

/* Seizes the threads that the process has now and that we do not trace yet.
 * Returns how many. */
unsigned attach_untraced(struct table *table, struct process *process);

/* Seizes one thread only, with no events except its stops. -ESRCH if it has
 * ended, -EPERM; with a sentence. */
must_check int attach_thread(struct table *table, struct process *process,
			     pid_t tid, struct thread **ret_thread,
			     struct err *err);

/*
 * Attaches to the descendants of process that run in its space (between vfork
 * and exec, or after clone with CLONE_VM) and have no tracer: a trap would kill
 * them. The table owns them; *ret_pids has their pids.
 */
void attach_sharers(struct table *table, const struct process *process,
		    struct pids *ret_pids);

/* True if both processes use the same memory, or the same signal actions. False
 * if the kernel does not tell (no CONFIG_KCMP). */
bool attach_same_space(pid_t one, pid_t other);
bool attach_same_actions(pid_t one, pid_t other);

/*
 * Called by a signal handler (with SA_NODEFER) in the thread that attaches; a
 * timer sends the signal now and then. A seizure may block until an exec ends,
 * and the exec may wait for ended threads that only we can reap. This call
 * interrupts the seizure; then the ended threads are reaped and the seizure is
 * tried again.
 */
void attach_poked(void);

/* Makes the stopped thread, and what it clones from now on, report a STOP_EXIT
 * before the end. Returns 0 or -ESRCH. */
must_check int attach_announce_exit(const struct thread *thread);

/* The PTRACE_SEIZE options of the table's tracees. */
long attach_options(const struct table *table);

#endif
