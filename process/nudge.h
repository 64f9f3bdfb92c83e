/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A nudge has a stopped thread run one instruction before any signal can come
 * in between. Its signals are held by its mask meanwhile, in the kernel and so
 * in their order with all that came with them; not those that the instruction
 * itself may raise, and SIGTRAP, which ends the nudge. Whatever stop comes
 * next, wait finds the thread as it was before: with its own mask, and not
 * stepping.
 */
#ifndef PROCESS_NUDGE_H
#define PROCESS_NUDGE_H

#include "base/attr.h"
#include "process/stop.h"
#include "process/thread.h"

/*
 * Sends the stopped thread on for one instruction; a STOP_STEP follows, or
 * another stop that came first. note: two words of the tracee's memory that
 * say meanwhile who is held, and what its mask is, or 0; another thread's may
 * be there. 0; -ESRCH; -EBUSY where that is so or the program has its thread
 * step by itself: nothing is done then.
 */
must_check int thread_nudge(struct table *table, struct thread *thread,
			    addr_t note);

/* For wait: a nudged thread has stopped. */
void nudge_over(struct table *table, struct stop *stop);

#endif
