/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one door for wait statuses. A stop is looked at, not reaped: should we
 * die, a SIGTRAP that was not yet reaped is still the thread's, and its
 * handler in the tracee puts the thread right (docs/SURVIVAL.md). The stop is
 * over when the thread is sent on. Ends of tasks are reaped here.
 */
#ifndef PROCESS_WAIT_H
#define PROCESS_WAIT_H

#include "base/attr.h"
#include "process/stop.h"
#include "process/thread.h"

/*
 * Waits for the next stop of any thread and marks it stopped: 0,
 * -ECHILD  no tracee is left,
 * -EINTR   a signal came to the tracing thread: look at the flags.
 */
must_check int wait_any(struct table *table, struct stop *ret_stop);

/* The same for one thread, which must be known; -ESRCH if it is gone without
 * a word, or a leader that has ended before others of its process: its end
 * comes after theirs. -EAGAIN when it is late (wait_late()). */
must_check int wait_thread(struct table *table, struct thread *thread,
			   struct stop *ret_stop);

/*
 * The same for a thread that was asked to stop. -EBUSY while it waits
 * uninterruptibly, as a vfork's parent does for its child: it stops when that
 * is over. -ETIMEDOUT if it is stopped and no stop of it is told. -ESRCH and
 * -EAGAIN as above.
 */
must_check int wait_asked(struct table *table, struct thread *thread,
			  struct stop *ret_stop);

/* The same, with -EAGAIN already when the clock (base/clock.h) says until. */
must_check int wait_asked_until(struct table *table, struct thread *thread,
				uint64_t until, struct stop *ret_stop);

/* Is it time to give up waiting for one thread? After table->deadline, which is
 * set to a second from now when *table->hurry is first seen to be set. */
bool wait_late(struct table *table);

/*
 * Takes a stop off the kernel's hands: for a thread that will be held stopped
 * while others are waited for (never a signal-delivery stop).
 */
void wait_reap(struct table *table, pid_t tid);

/*
 * A stop that who has waited for it cannot deal with, as an exec that ends a
 * borrowed call: whoever waits next gets it. Until then its thread, if there is
 * one, is not sent on.
 */
void wait_keep(struct table *table, const struct stop *stop);

/* Is a stop of this thread there already? 0, or -EAGAIN. */
must_check int wait_poll(struct table *table, pid_t tid, struct stop *ret_stop);

/* Takes the thread's end, if it has ended, and nothing else. */
void wait_ended(struct table *table, pid_t tid);

/* Does the thread wait for us with a SIGTRAP? Takes nothing. */
bool wait_trapped(struct table *table, pid_t tid);

#endif
