/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A system call of xtrace (SysV x86-64 psABI A.2.1). The contract is in
 * arch/syscall.h, the only file that includes this one. */
#ifndef ARCH_X86_64_SYSCALL_H
#define ARCH_X86_64_SYSCALL_H

#include "arch/syscall.h"

static inline long
system_call(long number, long a, long b, long c, long d, long e)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10),
			   "r"(r8)
			 : "rcx", "r11", "memory");
	return result;
}

#endif
