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

#endif
