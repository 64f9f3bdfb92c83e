/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A nudge makes a stopped thread run one instruction before it takes any
 * signal. During the nudge the thread's mask blocks its signals. They stay
 * queued in the kernel, in their order and with their siginfo. The exceptions
 * are signals that the instruction itself may raise, and SIGTRAP, which ends
 * the nudge. At the next stop, of any kind, wait restores the thread as it was
 * before: with its own mask, and not stepping.
 */
#ifndef PROCESS_NUDGE_H
#define PROCESS_NUDGE_H

#include "base/attr.h"
#include "process/stop.h"
#include "process/thread.h"

/*
 * Makes the stopped thread run one instruction. A STOP_STEP follows, unless
 * another stop comes first. note is the address of two words in the tracee that
 * hold the thread's id and its mask during the nudge, or 0. The note may be in
 * use for another thread. Returns 0, -ESRCH, or -EBUSY if the note is in use or
 * the program itself has set the trap flag or a SIGTRAP that the thread blocks
 * is pending; then nothing is changed.
 */
must_check int thread_nudge(struct table *table, struct thread *thread,
			    addr_t note);

/* Called by wait when a nudged thread has stopped. */
void nudge_over(struct table *table, struct stop *stop);

#endif
