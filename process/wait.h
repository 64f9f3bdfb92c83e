/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only place that reads wait statuses. A stop is read but not reaped: if we
 * die, an unreaped SIGTRAP still belongs to the thread, and its handler in the
 * tracee restores the thread (docs/SURVIVAL.md). The stop ends when the thread
 * is resumed. Ended tasks are reaped here.
 */
#ifndef PROCESS_WAIT_H
#define PROCESS_WAIT_H

#include "base/attr.h"
#include "process/stop.h"
#include "process/thread.h"

/*
 * Waits for the next stop of any thread and marks the thread as stopped.
 * Returns 0, -ECHILD if there is no tracee any more, or -EINTR if the tracing
 * thread got a signal, whose handler may have set a flag for the caller.
 */
must_check int wait_any(struct table *table, struct stop *ret_stop);

/* Like wait_any() for one known thread. -ESRCH if the thread has vanished
 * silently, or is a leader that has ended before other threads of its
 * process: its end will be reported after theirs. -EAGAIN if it is late
 * (wait_late()). */
must_check int wait_thread(struct table *table, struct thread *thread,
			   struct stop *ret_stop);

/*
 * Like wait_any() for a thread that was interrupted. -EBUSY while it waits
 * uninterruptibly: a parent in vfork waits for its child, and stops after that.
 * -ETIMEDOUT if it is stopped but the stop is not reported. -ESRCH and -EAGAIN
 * like wait_thread().
 */
must_check int wait_asked(struct table *table, struct thread *thread,
			  struct stop *ret_stop);

/* Like wait_asked(), but returns -EAGAIN when the clock (base/clock.h) reaches
 * until. */
must_check int wait_asked_until(struct table *table, struct thread *thread,
				uint64_t until, struct stop *ret_stop);

/* True if it is time to give up waiting for one thread: after table->deadline.
 * The deadline is set to a second from now when *table->hurry is first seen to
 * be set. */
bool wait_late(struct table *table);

/*
 * Reaps a stop of a thread that stays stopped while we wait for other threads.
 * Never for a signal-delivery stop.
 */
void wait_reap(struct table *table, pid_t tid);

/*
 * Keeps a stop that the function which waited for it cannot handle, for example
 * an exec that ends an injected call. The next wait returns it. Until then its
 * thread, if there is one, is not resumed.
 */
void wait_keep(struct table *table, const struct stop *stop);

/*
 * The thread was handled, and is delayed before it is resumed: this stop is
 * returned after ns nanoseconds, or when this thread is waited for. The thread
 * must be where it can run on without the signal of its last stop. Returns 0 or
 * -ESRCH.
 */
must_check int wait_delay(struct table *table, const struct stop *stop,
			  uint64_t ns);

/* Polls the thread for a stop. Returns 0 if it has stopped already, else
 * -EAGAIN. */
must_check int wait_poll(struct table *table, pid_t tid, struct stop *ret_stop);

/* Reaps the thread if it has ended; nothing else. */
void wait_ended(struct table *table, pid_t tid);

/* True if the thread has stopped with a SIGTRAP. Nothing is reaped. */
bool wait_trapped(struct table *table, pid_t tid);

#endif
