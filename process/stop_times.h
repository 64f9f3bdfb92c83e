/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a thread stopped while xtrace was not waiting for stops. The kernel
 * sends the tracer SIGCHLD at each stop, and a signal handler notes the time.
 */
#ifndef PROCESS_STOP_TIMES_H
#define PROCESS_STOP_TIMES_H

#include <stdint.h>
#include <sys/types.h>

/* From now on stops are noted, until stop_times_end(). Call this while the
 * threads of interest are stopped. Stops that were noted before are
 * forgotten. */
void stop_times_begin(void);
/* What was noted is kept. */
void stop_times_end(void);

/* When the stop of the thread that was seen at now has begun: at now if nothing
 * was noted since the thread was resumed. */
uint64_t stop_times_of(pid_t tid, uint64_t resumed, uint64_t now);

#endif
