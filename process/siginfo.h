/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The siginfo of a thread in a signal-delivery stop, the pending signals, and
 * the signal mask of a stopped thread. */
#ifndef PROCESS_SIGINFO_H
#define PROCESS_SIGINFO_H

#include "base/addr.h"
#include "base/attr.h"
#include "process/thread.h"

#include <signal.h>
#include <stdbool.h>

/*
 * Reads or replaces the siginfo of the signal at which the thread is stopped.
 * Returns 0 or -ESRCH.
 */
must_check int thread_siginfo(struct thread *thread, siginfo_t *ret_info);

/* If the fault's si_addr is `from`, sets it to `to`. */
void thread_move_fault(struct thread *thread, addr_t from, addr_t to);

/*
 * True if a SIGTRAP is queued for the stopped thread itself, as for every trap,
 * and not blocked. It will then be the thread's next stop.
 */
bool thread_trap_comes(struct thread *thread);

/* The mask with which the stopped thread will resume: bit n - 1 is signal n.
 * Returns 0 or -ESRCH. */
must_check int thread_signal_mask(struct thread *thread, uint64_t *ret_mask);
must_check int thread_set_signal_mask(struct thread *thread, uint64_t mask);

#endif
