/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers as PTRACE_GETREGS and PTRACE_GETFPREGS return them on x86-64
 * (sys/user.h), also for 32-bit programs. The contracts are in arch/regs.h, the
 * only file that includes this one.
 */
#ifndef ARCH_X86_64_REGS_H
#define ARCH_X86_64_REGS_H

#include "arch/regs.h"

#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>

struct regs {
	struct user_regs_struct gpr;
};

/* The FXSAVE image (Intel SDM 1, 10.5.1). */
struct vregs {
	struct user_fpregs_struct fxsave;
};

static inline addr_t
regs_pc(const struct regs *regs)
{
	return regs->gpr.rip;
}

static inline void
regs_set_pc(struct regs *regs, addr_t pc)
{
	regs->gpr.rip = pc;
}

static inline addr_t
regs_sp(const struct regs *regs)
{
	return regs->gpr.rsp;
}

static inline void
regs_set_sp(struct regs *regs, addr_t sp)
{
	regs->gpr.rsp = sp;
}

/* The code segment of 32-bit programs: __USER32_CS of the kernel
 * (arch/x86/include/asm/segment.h). Their thread pointer is the base of gs. */
#define REGS_CODE_32 0x23u

static inline addr_t
regs_thread_pointer(const struct regs *regs)
{
	return regs->gpr.cs == REGS_CODE_32 ? regs->gpr.gs_base
					    : regs->gpr.fs_base;
}

static inline void
regs_set_thread_pointer(struct regs *regs, addr_t pointer)
{
	if (regs->gpr.cs == REGS_CODE_32)
		regs->gpr.gs_base = pointer;
	else
		regs->gpr.fs_base = pointer;
}

/* The trap flag, TF (Intel SDM 3B 18.3.1.4). */
#define REGS_STEPPING UINT64_C(0x100)

static inline bool
regs_stepping(const struct regs *regs)
{
	return regs->gpr.eflags & REGS_STEPPING;
}

static inline void
regs_set_stepping(struct regs *regs, bool stepping)
{
	regs->gpr.eflags &= ~REGS_STEPPING;
	regs->gpr.eflags |= stepping ? REGS_STEPPING : 0;
}

/* The flags that a trap sets: TF, RF (Intel SDM 3A 2.3). */
#define REGS_FLAGS_OF_TRAPS UINT64_C(0x10100)

static inline bool
regs_same(const struct regs *a, const struct regs *b)
{
	struct user_regs_struct x = a->gpr, y = b->gpr;

	x.eflags &= ~REGS_FLAGS_OF_TRAPS;
	y.eflags &= ~REGS_FLAGS_OF_TRAPS;
	x.orig_rax = y.orig_rax = 0;
	return memcmp(&x, &y, sizeof(x)) == 0;
}

static inline unsigned
regs_fetching(struct regs *regs, struct regs_request *requests)
{
	requests->what = PTRACE_GETREGS;
	requests->address = 0;
	requests->data = &regs->gpr;
	return 1;
}

static inline unsigned
regs_storing(const struct regs *regs, struct regs_request *requests)
{
	requests->what = PTRACE_SETREGS;
	requests->address = 0;
	requests->data = (void *)(uintptr_t)&regs->gpr;
	return 1;
}

/* ptrace(2), PTRACE_POKEUSER: a third of the cost of storing all registers. */
static inline unsigned
regs_storing_pc(const struct regs *regs, struct regs_request *requests)
{
	requests->what = PTRACE_POKEUSER;
	requests->address = offsetof(struct user, regs.rip);
	requests->data = (void *)regs->gpr.rip;
	return 1;
}

static inline unsigned
vregs_fetching(struct vregs *vregs, struct regs_request *requests)
{
	requests->what = PTRACE_GETFPREGS;
	requests->address = 0;
	requests->data = &vregs->fxsave;
	return 1;
}

#endif
