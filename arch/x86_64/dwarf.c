/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers by DWARF's numbers (SysV x86-64 psABI, figure 3.36): rax rdx
 * rcx rbx rsi rdi rbp rsp, r8 to r15, and the return address, which is the pc
 * of the next outer frame.
 */
#include "arch/x86_64/dwarf.h"

#include "arch/x86/gpr.h"

#include <assert.h>

#define RBX 3u
#define RBP 6u
#define RSP 7u
#define R12 12u
#define BACK 16u

/* The first eight registers by their numbers in instructions; the next eight
 * have the same numbers there. */
static const uint8_t gpr_numbers[] = { GPR_AX, GPR_DX, GPR_CX, GPR_BX,
				       GPR_SI, GPR_DI, GPR_BP, GPR_SP };

#define REGISTERS 17u

_Static_assert(REGISTERS <= DWARF_REGISTERS_MOST, "room for all registers");

static unsigned long long *
place(struct user_regs_struct *gpr, unsigned number)
{
	if (number == BACK)
		return &gpr->rip;
	return x86_gpr(gpr, number < array_size(gpr_numbers)
				    ? gpr_numbers[number]
				    : number);
}

static uint64_t
get(const struct regs *regs, unsigned number)
{
	struct user_regs_struct gpr = regs->gpr;

	assert(number < REGISTERS);
	return *place(&gpr, number);
}

static void
set(struct regs *regs, unsigned number, uint64_t value)
{
	assert(number < REGISTERS);
	*place(&regs->gpr, number) = value;
}

/* The registers that a function preserves are from psABI 3.2.1. */
const struct arch_dwarf x86_64_dwarf = {
	.count = REGISTERS,
	.sp = RSP,
	.frame = RBP,
	.pc = BACK,
	/*
	 * The registers of integer arguments: rdi rsi rdx rcx r8 r9 (psABI
	 * 3.2.3).
	 */
	.arguments = { 5, 4, 1, 2, 8, 9 },
	.back = BACK,
	.preserved = 1u << RBX | 1u << RBP | 0xfu << R12,
	.get = get,
	.set = set,
};
