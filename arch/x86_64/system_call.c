/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The number is in rax at the entry and the result at the end; the arguments
 * are in rdi rsi rdx r10 r8 r9 (SysV x86-64 psABI A.2.1). The kernel keeps the
 * number in orig_rax, which is negative outside of a system call. It restarts a
 * call only if orig_rax is not negative (arch/x86/kernel/signal.c,
 * arch_do_signal_or_restart; arch/x86/include/asm/syscall.h).
 */
#include "arch/x86_64/system_call.h"

#include "arch/regs.h"
#include "arch/x86_64/sigactions.h"

#include <assert.h>
#include <sys/syscall.h>

/* syscall: 0f 05 */
#define INSTRUCTION_LENGTH 2

static long
number(const struct regs *regs)
{
	return (long)regs->gpr.orig_rax;
}

static uint64_t
argument(const struct regs *regs, unsigned i)
{
	const struct user_regs_struct *r = &regs->gpr;
	const uint64_t arguments[] = { r->rdi, r->rsi, r->rdx,
				       r->r10, r->r8,  r->r9 };

	assert(i < array_size(arguments));
	return arguments[i];
}

static int64_t
result(const struct regs *regs)
{
	return (int64_t)regs->gpr.rax;
}

static void
set_result(struct regs *regs, int64_t value)
{
	regs->gpr.rax = (uint64_t)value;
}

static void
leave(struct regs *regs)
{
	regs->gpr.orig_rax = (uint64_t)-1;
}

static void
again(struct regs *regs, long which)
{
	regs->gpr.rax = (uint64_t)which;
	regs->gpr.rip -= INSTRUCTION_LENGTH;
	leave(regs);
}

/* `syscall` leaves the address behind it in rcx (Intel SDM 2, "SYSCALL"). */
static bool
made(const struct regs *regs)
{
	return regs->gpr.rcx == regs->gpr.rip;
}

/* Nothing to translate: xtrace itself uses the system calls of x86-64. */
static void
own(struct stub_call *call)
{
	(void)call;
}

static long
known_as(long own)
{
	return own;
}

static long
waits_as(long which, uint64_t arguments[6], struct reader *memory)
{
	(void)arguments;
	(void)memory;
	return which;
}

bool
x86_64_waits_masked(long which, const uint64_t arguments[6])
{
	switch (which) {
	case SYS_rt_sigsuspend:
		return true;
	case SYS_ppoll:
		return arguments[3];
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2:
		return arguments[4];
	case SYS_pselect6:
	case SYS_io_pgetevents:
		return arguments[5];
	default:
		return false;
	}
}

const struct arch_system_call x86_64_system_call = {
	.number = number,
	.waits_masked = x86_64_waits_masked,
	.known_as = known_as,
	.waits_as = waits_as,
	.clone = SYS_clone,
	.argument = argument,
	.result = result,
	.set_result = set_result,
	.again = again,
	.leave = leave,
	.made = made,
	.next_sigaction = x86_64_next_sigaction,
	.own = own,
	.name = x86_64_system_call_name,
	.count = x86_64_system_call_count,
};
