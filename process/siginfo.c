/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Uses PTRACE_GETSIGINFO, SETSIGINFO, PEEKSIGINFO, GETSIGMASK and SETSIGMASK
 * (ptrace(2)).
 */
#include "process/siginfo.h"

#include "process/space.h"
#include "process/status.h"

#include <errno.h>
#include <sys/ptrace.h>

#define PEEK_AT_ONCE 32

int
thread_siginfo(struct thread *thread, siginfo_t *ret_info)
{
	thread->process->space->tally->ptraces++;
	if (ptrace(PTRACE_GETSIGINFO, thread->tid, NULL, ret_info) < 0)
		return -ESRCH;
	return 0;
}

void
thread_move_fault(struct thread *thread, addr_t from, addr_t to)
{
	siginfo_t info;

	if (thread_siginfo(thread, &info) < 0 || info.si_code <= 0 ||
	    (addr_t)(uintptr_t)info.si_addr != from)
		return;
	info.si_addr = (void *)(uintptr_t)to;
	ptrace(PTRACE_SETSIGINFO, thread->tid, NULL, &info);
}

static bool
queued(struct thread *thread, int signal)
{
	siginfo_t infos[PEEK_AT_ONCE];
	struct __ptrace_peeksiginfo_args peek = { .nr = PEEK_AT_ONCE };

	for (;;) {
		long n = ptrace(PTRACE_PEEKSIGINFO, thread->tid, &peek, infos);

		for (long i = 0; i < n; i++) {
			if (infos[i].si_signo == signal)
				return true;
		}
		if (n < PEEK_AT_ONCE)
			return false;
		peek.off += PEEK_AT_ONCE;
	}
}

bool
thread_trap_comes(struct thread *thread)
{
	uint64_t mask;

	thread->trap_comes = queued(thread, SIGTRAP) &&
			     thread_signal_mask(thread, &mask) == 0 &&
			     !(mask & TRAP_BIT);
	return thread->trap_comes;
}

int
thread_signal_mask(struct thread *thread, uint64_t *ret_mask)
{
	thread->process->space->tally->ptraces++;
	return ptrace(PTRACE_GETSIGMASK, thread->tid, sizeof(*ret_mask),
		      ret_mask) < 0
		       ? -errno
		       : 0;
}

int
thread_set_signal_mask(struct thread *thread, uint64_t mask)
{
	thread->process->space->tally->ptraces++;
	if (mask & TRAP_BIT)
		thread->trap_comes = false;
	return ptrace(PTRACE_SETSIGMASK, thread->tid, sizeof(mask), &mask) < 0
		       ? -errno
		       : 0;
}
