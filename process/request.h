/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The requests of ptrace(2) that are made at every stop. */
#ifndef PROCESS_REQUEST_H
#define PROCESS_REQUEST_H

#include "arch/syscall.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>

/* 0 or -errno. Not for PTRACE_PEEKTEXT and its like, which the C library treats
 * in its own way. */
static inline int
request(long what, pid_t tid, unsigned long address, const void *data)
{
	return (int)system_call(SYS_ptrace, what, tid, (long)address,
				(long)data, 0);
}

#endif
