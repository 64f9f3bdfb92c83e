/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The siginfo of a thread in a signal-delivery stop, what is pending, and what
 * a stopped thread blocks. */
#ifndef PROCESS_SIGINFO_H
#define PROCESS_SIGINFO_H

#include "base/addr.h"
#include "base/attr.h"
#include "process/thread.h"

#include <signal.h>
#include <stdbool.h>

/* 0 or -ESRCH. */
must_check int thread_siginfo(struct thread *thread, siginfo_t *ret_info);

/* Where si_addr is `from`, it becomes `to`. */
void thread_move_fault(struct thread *thread, addr_t from, addr_t to);

/*
 * Is a SIGTRAP queued for the stopped thread itself, as that of every trap is,
 * and not blocked? Then it is the thread's next stop when it goes on.
 */
bool thread_trap_comes(struct thread *thread);

/* The mask with which the stopped thread goes on: bit n - 1 is signal n. 0 or
 * -ESRCH. */
must_check int thread_signal_mask(struct thread *thread, uint64_t *ret_mask);
must_check int thread_set_signal_mask(struct thread *thread, uint64_t mask);

#endif
