/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SysV x86-64 psABI 3.2. A call pushes its return address, so at a function's
 * first instruction the stack pointer points to it (3.2.2). Integer arguments
 * are in rdi rsi rdx rcx r8 r9, a result is in rax (3.2.3), and rbx, rbp and
 * r12 to r15 belong to the caller (3.2.1).
 */
#include "arch/x86_64/calling.h"

#include "arch/regs.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const size_t argument_offsets[] = {
	offsetof(struct user_regs_struct, rdi),
	offsetof(struct user_regs_struct, rsi),
	offsetof(struct user_regs_struct, rdx),
	offsetof(struct user_regs_struct, rcx),
	offsetof(struct user_regs_struct, r8),
	offsetof(struct user_regs_struct, r9),
};

static int
return_address(const struct regs *regs, struct reader *memory,
	       addr_t *ret_address)
{
	return reader_u64(memory, regs->gpr.rsp, ret_address);
}

static uint64_t
argument(const struct regs *regs, struct reader *memory, unsigned i)
{
	uint64_t value;

	(void)memory;
	assert(i < array_size(argument_offsets));
	memcpy(&value, (const char *)&regs->gpr + argument_offsets[i],
	       sizeof(value));
	return value;
}

static addr_t
argument_place(const struct regs *regs, unsigned i)
{
	(void)regs;
	(void)i;
	return 0;
}

static void
set_argument(struct regs *regs, unsigned i, uint64_t value)
{
	assert(i < array_size(argument_offsets));
	memcpy((char *)&regs->gpr + argument_offsets[i], &value, sizeof(value));
}

static uint64_t
result(const struct regs *regs)
{
	return regs->gpr.rax;
}

static void
finish(struct regs *regs, addr_t address, uint64_t value)
{
	regs->gpr.rsp += sizeof(addr_t);
	regs->gpr.rip = address;
	regs->gpr.rax = value;
}

static uint64_t
preserved(const struct regs *regs)
{
	const uint64_t words[] = {
		regs->gpr.rbx, regs->gpr.rbp, regs->gpr.r12,
		regs->gpr.r13, regs->gpr.r14, regs->gpr.r15,
	};
	uint64_t sum = 0;

	for (unsigned i = 0; i < array_size(words); i++)
		sum = (sum ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15) ^
		      sum >> 29;
	return sum | 1;
}

const struct arch_calling x86_64_calling = {
	.pushed = sizeof(addr_t),
	.return_address = return_address,
	.argument = argument,
	.argument_place = argument_place,
	.set_argument = set_argument,
	.result = result,
	.finish = finish,
	.preserved = preserved,
};
