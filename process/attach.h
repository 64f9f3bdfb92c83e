/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taking hold of a running process without stopping it: PTRACE_SEIZE of every
 * thread, and no interrupt, so no system call in flight is cut short.
 */
#ifndef PROCESS_ATTACH_H
#define PROCESS_ATTACH_H

#include "base/err.h"
#include "process/status.h"
#include "process/thread.h"

/*
 * Can pid be traced at all? Looks, touches nothing. -ESRCH (also a zombie),
 * -EPERM, -EBUSY (traced by another), -ENOTSUP (kernel thread, 32-bit), each
 * with a sentence that says what would help.
 */
must_check int attach_check(pid_t pid, struct err *err);

/* Seizes all threads of pid and opens its memory. The process is the table's.
 */
must_check int attach_process(struct table *table, pid_t pid,
			      struct process **ret_process, struct err *err);

/* Seizes this one thread, of which nothing but its stops is heard. -ESRCH if it
 * is gone, -EPERM; with a sentence. */
must_check int attach_thread(struct table *table, struct process *process,
			     pid_t tid, struct thread **ret_thread,
			     struct err *err);

/*
 * The children of process, and theirs, that run in its space (between vfork and
 * exec, or clone with CLONE_VM) while nobody traces them: they would meet our
 * traps alone. Each is seized and the table's; *ret_pids names them.
 */
void attach_sharers(struct table *table, const struct process *process,
		    struct pids *ret_pids);

/* Do both use the same memory, the same actions for signals? False where the
 * kernel cannot be asked (no CONFIG_KCMP). */
bool attach_same_space(pid_t one, pid_t other);
bool attach_same_actions(pid_t one, pid_t other);

/*
 * To be called by the handler of a signal that the thread which attaches gets
 * now and then (with SA_NODEFER): a seizure that waits for an exec to end,
 * which waits for threads that have ended and are ours to take, is broken off,
 * they are taken, and it is tried again.
 */
void attach_poked(void);

/* The options that every tracee has, for PTRACE_SEIZE. */
extern const long attach_options;

#endif
