/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers by DWARF's numbers (SysV i386 psABI, table 2.14): eax ecx edx
 * ebx esp ebp esi edi, and the return address, which is the pc of the next
 * outer frame.
 */
#include "arch/i386/dwarf.h"

#include "arch/instruction.h"
#include "arch/x86/gpr.h"

#include <assert.h>

/* DWARF numbers the registers as instructions do. */
#define BACK 8u
#define REGISTERS 9u

static unsigned long long *
place(struct user_regs_struct *gpr, unsigned number)
{
	return number == BACK ? &gpr->rip : x86_gpr(gpr, number);
}

static uint64_t
get(const struct regs *regs, unsigned number)
{
	struct user_regs_struct gpr = regs->gpr;

	assert(number < REGISTERS);
	return (uint32_t)*place(&gpr, number);
}

static void
set(struct regs *regs, unsigned number, uint64_t value)
{
	assert(number < REGISTERS);
	*place(&regs->gpr, number) = (uint32_t)value;
}

/* The registers that a function preserves are from psABI 2.2.1. */
const struct arch_dwarf i386_dwarf = {
	.count = REGISTERS,
	.sp = GPR_SP,
	.frame = GPR_BP,
	.pc = BACK,
	.arguments = { NO_REGISTER, NO_REGISTER, NO_REGISTER, NO_REGISTER,
		       NO_REGISTER, NO_REGISTER },
	.back = BACK,
	.preserved = 1u << GPR_BX | 1u << GPR_BP | 1u << GPR_SI | 1u << GPR_DI,
	.get = get,
	.set = set,
};
