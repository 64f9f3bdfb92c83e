/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A glimpse is what can be known of a thread that blocks without stopping it:
 * where it stands (proc(5), /proc/PID/task/TID/syscall) and which thread it is.
 */
#ifndef PROCESS_GLIMPSE_H
#define PROCESS_GLIMPSE_H

#include "arch/regs.h"
#include "base/attr.h"
#include "base/reader.h"
#include "process/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct glimpse {
	bool blocked;	   /* else nothing else is known */
	bool stopped;	   /* it is the process that stands still (SIGSTOP) */
	struct blocked at; /* its system call */
	/* Only its pc, stack pointer and thread pointer are set; the last is 0
	 * where it cannot be told. */
	struct regs regs;
	uint64_t switches; /* how often it was given a CPU or lost it */
};

/* 0 or -errno; memory is the process's. */
must_check int glimpse_take(pid_t pid, pid_t tid, struct reader *memory,
			    struct glimpse *ret_glimpse);

/* Has the thread blocked all the time since? Then its stack was still. */
bool glimpse_holds(pid_t pid, pid_t tid, const struct glimpse *glimpse);

/* May the thread, which blocks, be stopped without its program's knowing
 * (process/restart)? */
bool glimpse_may_stop(pid_t tid, const struct glimpse *glimpse);

#endif
