/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of a stopped thread: the general ones always, the vector and
 * x87 ones only when somebody needs a floating argument (fetching them is a
 * system call more).
 */
#ifndef ARCH_REGS_H
#define ARCH_REGS_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/user.h>

/* As PTRACE_GETREGS fills it (sys/user.h, struct user_regs_struct). */
struct regs {
	struct user_regs_struct gpr;
};

/* The FXSAVE image (Intel SDM 1, 10.5.1; PTRACE_GETFPREGS). */
struct vregs {
	struct user_fpregs_struct fxsave;
};

/*
 * What values/ fetches arguments from. vregs is called at most when needed
 * and answers NULL where they cannot be had.
 */
struct registers {
	const struct regs *regs;
	const struct vregs *(*vregs)(struct registers *registers);
	/* Integer arguments that are not there any more: a bit for each. */
	unsigned unknown;
};

static inline addr_t
regs_pc(const struct regs *regs)
{
	return regs->gpr.rip;
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

/* The thread pointer: pthread_self() with glibc and musl. */
static inline addr_t
regs_thread_pointer(const struct regs *regs)
{
	return regs->gpr.fs_base;
}

/* Does the thread trap behind its next instruction? (TF, Intel SDM 3B 18.3.1.4;
 * its siginfo says TRAP_TRACE.) */
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

/* Integer argument i, 0 to 5 (SysV x86-64 psABI 3.2.3). */
uint64_t regs_argument(const struct regs *regs, unsigned i);

/* What a function gives back as it found it (psABI 3.2.1: rbx, rbp, r12 to r15)
 * folded into one number, never 0. */
static inline uint64_t
regs_preserved(const struct regs *regs)
{
	const uint64_t words[] = {
		regs->gpr.rbx, regs->gpr.rbp, regs->gpr.r12,
		regs->gpr.r13, regs->gpr.r14, regs->gpr.r15
	};
	uint64_t sum = 0;

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		sum = (sum ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15) ^
		      sum >> 29;
	return sum | 1;
}

static inline uint64_t
regs_result(const struct regs *regs)
{
	return regs->gpr.rax;
}

#endif
