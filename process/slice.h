/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How soon the calling thread gets a CPU when it wakes up. */
#ifndef PROCESS_SLICE_H
#define PROCESS_SLICE_H

/*
 * Asks for short slices of CPU time: then the thread runs as soon as it wakes
 * up, if it uses little CPU time (sched_setattr(2), sched_runtime of
 * SCHED_OTHER, Linux 6.12; needs no privilege). An older kernel changes
 * nothing.
 */
void slice_shorten(void);

/*
 * Lets the calling thread run before all threads with an ordinary priority,
 * until slice_as_before() is called with the result. Without the privilege
 * (CAP_SYS_NICE) nothing changes. For moments in which the program waits for
 * xtrace.
 */
int slice_first(void);
void slice_as_before(int nice);

#endif
