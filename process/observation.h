/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An observation is what can be known of a blocked thread without stopping it:
 * where it blocks (proc(5), /proc/PID/task/TID/syscall) and its thread pointer.
 */
#ifndef PROCESS_OBSERVATION_H
#define PROCESS_OBSERVATION_H

#include "arch/regs.h"
#include "base/attr.h"
#include "process/space.h"
#include "process/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct observation {
	bool blocked;		 /* if false, only the switches are set */
	bool stopped;		 /* blocked because its process got SIGSTOP */
	bool traced;		 /* blocked in a stop for its tracer */
	const struct arch *arch; /* the kind of its program */
	struct blocked at;	 /* the system call in which it blocks */
	/* Only pc, stack pointer and thread pointer are set. The thread pointer
	 * is 0 if it cannot be found. */
	struct regs regs;
	uint64_t switches;  /* the thread's number of context switches */
	uint64_t voluntary; /* those of them in which the thread blocked */
};

/*
 * Observes thread tid of process pid, whose memory is space. Returns 0 or
 * -errno.
 */
must_check int observation_take(pid_t pid, pid_t tid, struct space *space,
				struct observation *ret_observation);

/* True if the thread has been blocked all the time since the observation. Then
 * its stack has not changed meanwhile. */
bool observation_holds(pid_t pid, pid_t tid, const struct observation *seen);

/* True if the blocked thread can be stopped without its program noticing
 * (process/restart). */
bool observation_may_stop(pid_t tid, const struct observation *seen);

#endif
