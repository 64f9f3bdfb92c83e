/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stopped thread's registers: fetched once per stop, stored when it is sent
 * on, and only what changed (a new pc alone costs a third of all of them).
 */
#ifndef PROCESS_REGS_H
#define PROCESS_REGS_H

#include "arch/regs.h"
#include "process/thread.h"

/* NULL when the thread is gone. Owned by the thread, valid until it runs. */
const struct regs *thread_regs(struct table *table, struct thread *thread);
const struct vregs *thread_vregs(struct table *table, struct thread *thread);

/* thread_regs() must have answered at this stop. */
void thread_set_pc(struct thread *thread, addr_t pc);
void thread_set_regs(struct thread *thread, const struct regs *regs);

/* Has a system call of the stopped thread ended with EINTR? */
bool thread_interrupted(const struct thread *thread, const struct regs *regs);

/*
 * The thread was stopped by PTRACE_INTERRUPT, perhaps within a system call: a
 * call that ended with EINTR for no other reason is made again.
 */
void thread_mend_interrupted(struct table *table, struct thread *thread);

/* Writes what changed: 0 or -ESRCH. resume does it. */
int thread_store_regs(struct table *table, struct thread *thread);

#endif
