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
/* Ends the notes of stops. The notes that were made are kept. */
void stop_times_end(void);

/* The time at which a stop began that xtrace saw at the time `now`. If no stop
 * of the thread was noted since it was resumed, this is `now`. */
uint64_t stop_times_of(pid_t tid, uint64_t resumed, uint64_t now);

#endif
