/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers in the order of the numbers in instructions. */
#include "arch/x86/gpr.h"

#include <assert.h>

static const size_t offsets[GPR_COUNT] = {
	offsetof(struct user_regs_struct, rax),
	offsetof(struct user_regs_struct, rcx),
	offsetof(struct user_regs_struct, rdx),
	offsetof(struct user_regs_struct, rbx),
	offsetof(struct user_regs_struct, rsp),
	offsetof(struct user_regs_struct, rbp),
	offsetof(struct user_regs_struct, rsi),
	offsetof(struct user_regs_struct, rdi),
	offsetof(struct user_regs_struct, r8),
	offsetof(struct user_regs_struct, r9),
	offsetof(struct user_regs_struct, r10),
	offsetof(struct user_regs_struct, r11),
	offsetof(struct user_regs_struct, r12),
	offsetof(struct user_regs_struct, r13),
	offsetof(struct user_regs_struct, r14),
	offsetof(struct user_regs_struct, r15),
};

unsigned long long *
x86_gpr(struct user_regs_struct *gpr, unsigned number)
{
	assert(number < GPR_COUNT);
	return (unsigned long long *)(void *)((char *)gpr + offsets[number]);
}
