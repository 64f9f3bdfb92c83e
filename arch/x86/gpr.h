/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The general registers of x86 by the numbers with which instructions encode
 * them (Intel SDM 2, table 2-2): 0 to 7 are eax ecx edx ebx esp ebp esi edi,
 * and their 64-bit forms; 8 to 15 are r8 to r15.
 */
#ifndef ARCH_X86_GPR_H
#define ARCH_X86_GPR_H

#include "arch/regs.h"

enum gpr_number {
	GPR_AX,
	GPR_CX,
	GPR_DX,
	GPR_BX,
	GPR_SP,
	GPR_BP,
	GPR_SI,
	GPR_DI,
	GPR_8,
	GPR_9,
	GPR_10,
	GPR_11,
	GPR_COUNT = 16,
};

/* The member of the struct for a register; number < GPR_COUNT. */
unsigned long long *x86_gpr(struct user_regs_struct *gpr, unsigned number);

#endif
