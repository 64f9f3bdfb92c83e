/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ptrace(2) requests that are made at every stop. */
#ifndef PROCESS_REQUEST_H
#define PROCESS_REQUEST_H

#include "arch/syscall.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>

/* Makes a ptrace(2) request. Returns 0 or -errno. Not for PTRACE_PEEKTEXT and
 * similar requests, whose result the C library returns in another way. */
static inline int
request(long what, pid_t tid, unsigned long address, const void *data)
{
	return (int)system_call(SYS_ptrace, what, tid, (long)address,
				(long)data, 0);
}

#endif
