/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SysV i386 psABI 2.2. A call pushes its return address, so at a function's
 * first instruction the stack pointer points to it, and the arguments are
 * above it, one word each (2.2.2, 2.2.3). A result is in eax (2.2.4), and ebx,
 * esi, edi and ebp belong to the caller (2.2.1).
 */
#include "arch/i386/calling.h"

#include "arch/regs.h"

#include <stddef.h>

#define WORD sizeof(uint32_t)

static int
return_address(const struct regs *regs, struct reader *memory,
	       addr_t *ret_address)
{
	uint32_t word;
	int r = reader_read(memory, regs_sp(regs), &word, sizeof(word));

	if (r == 0)
		*ret_address = word;
	return r;
}

static addr_t
argument_place(const struct regs *regs, unsigned i)
{
	return regs_sp(regs) + (1 + i) * WORD;
}

static uint64_t
argument(const struct regs *regs, struct reader *memory, unsigned i)
{
	uint32_t word;

	return reader_read(memory, argument_place(regs, i), &word,
			   sizeof(word)) < 0
		       ? 0
		       : word;
}

/* No argument is in a register. */
static void
set_argument(struct regs *regs, unsigned i, uint64_t value)
{
	(void)regs;
	(void)i;
	(void)value;
}

static uint64_t
result(const struct regs *regs)
{
	return (uint32_t)regs->gpr.rax;
}

static void
finish(struct regs *regs, addr_t address, uint64_t value)
{
	regs->gpr.rsp += WORD;
	regs->gpr.rip = address;
	regs->gpr.rax = (uint32_t)value;
}

static uint64_t
preserved(const struct regs *regs)
{
	const uint64_t words[] = { regs->gpr.rbx, regs->gpr.rsi, regs->gpr.rdi,
				   regs->gpr.rbp };
	uint64_t sum = 0;

	for (unsigned i = 0; i < array_size(words); i++)
		sum = (sum ^ (uint32_t)words[i]) *
			      UINT64_C(0x9e3779b97f4a7c15) ^
		      sum >> 29;
	return sum | 1;
}

/* A function with a hidden pointer for its result removes that pointer (psABI
 * 2.2.4), and functions of the conventions stdcall and fastcall remove all of
 * their arguments. */
#define POPPED_MOST 256

const struct arch_calling i386_calling = {
	.pushed = WORD,
	.popped = POPPED_MOST,
	.return_address = return_address,
	.argument = argument,
	.argument_place = argument_place,
	.set_argument = set_argument,
	.result = result,
	.finish = finish,
	.preserved = preserved,
};
