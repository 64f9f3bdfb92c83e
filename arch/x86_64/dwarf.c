/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SysV x86-64 psABI, figure 3.36: rax rdx rcx rbx rsi rdi rbp rsp, r8 to r15,
 * and the return address, which is the pc of the next outer frame.
 */
#include "arch/x86_64/dwarf.h"

#include "arch/regs.h"

#include <assert.h>

#define RBX 3u
#define RBP 6u
#define RSP 7u
#define R12 12u
#define BACK 16u

static const size_t offsets[] = {
	offsetof(struct user_regs_struct, rax),
	offsetof(struct user_regs_struct, rdx),
	offsetof(struct user_regs_struct, rcx),
	offsetof(struct user_regs_struct, rbx),
	offsetof(struct user_regs_struct, rsi),
	offsetof(struct user_regs_struct, rdi),
	offsetof(struct user_regs_struct, rbp),
	offsetof(struct user_regs_struct, rsp),
	offsetof(struct user_regs_struct, r8),
	offsetof(struct user_regs_struct, r9),
	offsetof(struct user_regs_struct, r10),
	offsetof(struct user_regs_struct, r11),
	offsetof(struct user_regs_struct, r12),
	offsetof(struct user_regs_struct, r13),
	offsetof(struct user_regs_struct, r14),
	offsetof(struct user_regs_struct, r15),
	offsetof(struct user_regs_struct, rip),
};

_Static_assert(array_size(offsets) <= DWARF_REGISTERS_MOST,
	       "room for all registers");

static uint64_t
get(const struct regs *regs, unsigned number)
{
	uint64_t value;

	assert(number < array_size(offsets));
	memcpy(&value, (const char *)&regs->gpr + offsets[number],
	       sizeof(value));
	return value;
}

static void
set(struct regs *regs, unsigned number, uint64_t value)
{
	assert(number < array_size(offsets));
	memcpy((char *)&regs->gpr + offsets[number], &value, sizeof(value));
}

/* The registers that a function preserves are from psABI 3.2.1. */
const struct arch_dwarf x86_64_dwarf = {
	.count = array_size(offsets),
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
