/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of a stopped thread. They are read once per stop and written
 * when the thread is resumed, and only the changed parts (to write only the pc
 * takes a third of the time).
 */
#ifndef PROCESS_REGS_H
#define PROCESS_REGS_H

#include "arch/regs.h"
#include "process/status.h"
#include "process/thread.h"

/* The registers of the stopped thread; NULL if the thread has vanished. The
 * thread owns the result, which is valid until the thread is resumed. */
const struct regs *thread_regs(struct table *table, struct thread *thread);
const struct vregs *thread_vregs(struct table *table, struct thread *thread);

/* thread_regs() must have succeeded at this stop. */
void thread_set_pc(struct thread *thread, addr_t pc);
void thread_set_regs(struct thread *thread, const struct regs *regs);

/* True if a system call of the stopped thread has ended with EINTR. */
bool thread_interrupted(const struct thread *thread, const struct regs *regs);

/* True if the thread blocked in a system call when it was stopped, and the call
 * ends with EINTR or is made again by the kernel. */
bool thread_blocked_in(const struct thread *thread, const struct regs *regs,
		       struct blocked *ret_blocked);

/*
 * The thread was stopped by PTRACE_INTERRUPT, perhaps in a system call. If the
 * system call returned EINTR only because of that, it is restarted.
 */
void thread_mend_interrupted(struct table *table, struct thread *thread);

/* Writes the registers that were changed: 0 or -ESRCH. Called when a thread is
 * resumed. */
int thread_store_regs(struct table *table, struct thread *thread);

#endif
