/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the psABI puts the first six integer arguments. The kernel's struct
 * is fixed by its ABI, so the table of offsets is a table of facts.
 */
#include "arch/regs.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* SysV x86-64 psABI 3.2.3, "Passing": rdi, rsi, rdx, rcx, r8, r9. */
static const size_t argument_offsets[] = {
	offsetof(struct user_regs_struct, rdi),
	offsetof(struct user_regs_struct, rsi),
	offsetof(struct user_regs_struct, rdx),
	offsetof(struct user_regs_struct, rcx),
	offsetof(struct user_regs_struct, r8),
	offsetof(struct user_regs_struct, r9),
};

uint64_t
regs_argument(const struct regs *regs, unsigned i)
{
	uint64_t value;

	assert(i < array_size(argument_offsets));
	memcpy(&value, (const char *)&regs->gpr + argument_offsets[i],
	       sizeof(value));
	return value;
}
