/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread's seccomp policy: what the kernel does to it for a system call,
 * which may be to kill its process (seccomp(2)).
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
 * Would the kernel simply make all of these calls for the thread, which is
 * stopped? mode is its Seccomp in /proc/TID/status, arch that of its program.
 * No in strict mode, and where its filters cannot be read: that takes
 * CAP_SYS_ADMIN, a kernel with CONFIG_CHECKPOINT_RESTORE, and that we are under
 * no policy ourselves (ptrace(2), PTRACE_SECCOMP_GET_FILTER).
 */
must_check bool seccomp_allows(pid_t tid, int mode, const struct arch *arch,
			       const struct stub_call *calls, size_t count);

#endif
