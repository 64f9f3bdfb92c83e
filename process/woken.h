/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A woken thread waits for a CPU inside a system call, for example because the
 * call's time limit has ended. /proc shows it like a thread that runs its own
 * code. It must not be interrupted: the call would fail with EINTR, or be made
 * again with its whole time limit. Once it has run for a moment, it is out of
 * that call, or blocks again.
 */
#ifndef PROCESS_WOKEN_H
#define PROCESS_WOKEN_H

#include "process/status.h"
#include "process/thread.h"

enum woken {
	/* The thread has run for a moment since the first look, or the kernel
	 * does not tell how long it runs: it may be interrupted at once. */
	WOKEN_RUNS,
	/* The thread has not run since the first look. */
	WOKEN_PERHAPS,
	/* The thread blocks, is stopped, or has ended. */
	WOKEN_NOT,
};

/* Forgets earlier looks at the thread: the next woken_look() is the first. */
void woken_begin(struct thread *thread);
must_check enum woken woken_look(struct thread *thread);

/*
 * Interrupts the threads from tids[first] on that run, each when it has run for
 * a moment since this function was called. The caller then waits for the stop
 * of each thread that is asked (thread->asked), or the thread would be held
 * until xtrace waits for it again. Returns when it is known of each thread
 * whether it runs or blocks, or when wait_late().
 */
void woken_ask_running(struct table *table, const struct pids *tids,
		       size_t first);

/* Like status_blocked() for a thread that is to be stopped if it runs: then the
 * thread is interrupted as by woken_ask_running(). -EAGAIN if wait_late(). */
must_check int woken_blocked(struct table *table, struct thread *thread,
			     struct blocked *ret_blocked);

/* Returns 0 if the thread may be stopped: it was interrupted, or it blocks in a
 * call that the kernel continues (process/restart). -EAGAIN if it blocks
 * otherwise, or if wait_late(); or another error. */
must_check int woken_may_stop(struct table *table, struct thread *thread);

#endif
