/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What /proc tells of one thread again and again: how long it has run, and in
 * which system call it is. The files are kept open, which makes a reading some
 * five times cheaper.
 */
#ifndef PROCESS_ACTIVITY_H
#define PROCESS_ACTIVITY_H

#include "base/attr.h"
#include "process/status.h"

#include <stdint.h>
#include <sys/types.h>

struct activity {
	pid_t pid, tid;
	int times, call; /* descriptors of the files, or -1 */
};

/* Begins to observe a thread. A file is opened when it is first read. */
void activity_init(struct activity *activity, pid_t pid, pid_t tid);
void activity_release(struct activity *activity);

/*
 * /proc/PID/task/TID/schedstat (Documentation/scheduler/sched-stats). The
 * kernel adds the CPU time of a running thread at its timer's ticks and when
 * the thread is switched out. It updates the delay and the number of runs when
 * the thread gets a CPU.
 */
struct activity_times {
	uint64_t cpu;	/* ns that the thread spent on a CPU */
	uint64_t delay; /* ns that the thread waited for a CPU */
	uint64_t runs;	/* how often the thread got a CPU after it had waited */
};

/* Reads the times of the thread. Returns 0 or -errno: -ESRCH if the thread has
 * ended, -ENOENT if the kernel does not count. */
must_check int activity_times(struct activity *activity,
			      struct activity_times *ret_times);

/* The system call in which the thread blocks. A thread that is being woken may
 * look as if it blocked. Returns 0 or -errno. */
must_check int activity_call(struct activity *activity,
			     struct blocked *ret_blocked);

#endif
