/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SysV i386 psABI, table 2.14: eax ecx edx ebx esp ebp esi edi, and the return
 * address, which is the pc of the next outer frame.
 */
#include "arch/i386/dwarf.h"

#include "arch/instruction.h"
#include "arch/regs.h"

#include <assert.h>

#define EBX 3u
#define ESP 4u
#define EBP 5u
#define ESI 6u
#define EDI 7u
#define BACK 8u

static const size_t offsets[] = {
	offsetof(struct user_regs_struct, rax),
	offsetof(struct user_regs_struct, rcx),
	offsetof(struct user_regs_struct, rdx),
	offsetof(struct user_regs_struct, rbx),
	offsetof(struct user_regs_struct, rsp),
	offsetof(struct user_regs_struct, rbp),
	offsetof(struct user_regs_struct, rsi),
	offsetof(struct user_regs_struct, rdi),
	offsetof(struct user_regs_struct, rip),
};

static uint64_t
get(const struct regs *regs, unsigned number)
{
	uint64_t value;

	assert(number < array_size(offsets));
	memcpy(&value, (const char *)&regs->gpr + offsets[number],
	       sizeof(value));
	return (uint32_t)value;
}

static void
set(struct regs *regs, unsigned number, uint64_t value)
{
	assert(number < array_size(offsets));
	value = (uint32_t)value;
	memcpy((char *)&regs->gpr + offsets[number], &value, sizeof(value));
}

/* The registers that a function preserves are from psABI 2.2.1. */
const struct arch_dwarf i386_dwarf = {
	.count = array_size(offsets),
	.sp = ESP,
	.frame = EBP,
	.pc = BACK,
	.arguments = { NO_REGISTER, NO_REGISTER, NO_REGISTER, NO_REGISTER,
		       NO_REGISTER, NO_REGISTER },
	.back = BACK,
	.preserved = 1u << EBX | 1u << EBP | 1u << ESI | 1u << EDI,
	.get = get,
	.set = set,
};
