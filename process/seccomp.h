/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread's seccomp policy: what the kernel does when the thread makes a
 * system call. It may kill the process (seccomp(2)).
 */
#ifndef PROCESS_SECCOMP_H
#define PROCESS_SECCOMP_H

#include "arch/arch.h"
#include "arch/stub.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * True if the kernel would simply run all of these calls for the stopped
 * thread. mode is its Seccomp in /proc/TID/status, arch its program's
 * architecture. False in strict mode, and if its filters cannot be read. To
 * read them requires CAP_SYS_ADMIN, a kernel with CONFIG_CHECKPOINT_RESTORE,
 * and no policy for xtrace itself (ptrace(2), PTRACE_SECCOMP_GET_FILTER).
 */
must_check bool seccomp_allows(pid_t tid, int mode, const struct arch *arch,
			       const struct stub_call *calls, size_t count);

#endif
