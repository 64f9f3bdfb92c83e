/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The traps of a program, for both handlers that stay in programs. The
 * contracts are in arch/inside.h. */
#ifndef ARCH_X86_INSIDE_TRAP_H
#define ARCH_X86_INSIDE_TRAP_H

#include "arch/inside.h"
#include "arch/x86/int3.h"

/* Two instructions raise SIGTRAP with SI_KERNEL, "int3" (cc) and "int $3"
 * (cd 03), with the pc behind them. */
#define INSIDE_TRAP_CODE SI_KERNEL
#define INSIDE_TRAP_BEHIND 1
#define INSIDE_TRAP_LONGEST 2

INSIDE_INLINE bool
inside_after_trap(const volatile unsigned char *pc)
{
	return pc[-1] == INT3 || (pc[-2] == 0xcd && pc[-1] == 3);
}

#endif
